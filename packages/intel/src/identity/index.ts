export { type Brand, type Brands, brandsOf, shippedBrands, type Token } from './brands.ts';
export { type Identity, IDENTITY_RULES, type IdentityRule, judgeIdentity } from './host.ts';
export { homographOf, type Imitation, isForgersWord, judgeImitation } from './imitation.ts';
export { judgeMaking, type Making } from './made.ts';
export { POPULAR_DOMAINS } from './popular-domains.ts';
