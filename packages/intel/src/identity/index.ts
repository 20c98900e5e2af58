export { type Brand, type Brands, brandsOf, brandsOver, shippedBrands, type Token, withShippedBrands } from './brands.ts';
export { type Identity, IDENTITY_RULES, type IdentityRule, judgeIdentity } from './host.ts';
export { homographOf, type Imitation, isForgersWord, judgeImitation } from './imitation.ts';
export { LURE_WORDS, STRONG_LURES } from './lures.ts';
export { judgeMaking, type Making } from './made.ts';
export { POPULAR_DOMAINS } from './popular-domains.ts';
export { isOrdinary } from './slips.ts';
export { shortSpeakerOf, type Speaker, speakerOf } from './spoken.ts';
