export { type EmailAddress, parseEmail } from './address.ts';
export { canonicalEmail } from './canonical.ts';
export { type DomainTraits, judgeDomain } from './domain.ts';
export { type MailDns, readMailDns } from './mail-dns.ts';
export {
  BLOCK_SCORE,
  EMAIL_FACTORS,
  type EmailEvidence,
  type EmailFactor,
  type EmailScore,
  isEnforced,
  isSpoofable,
  scoreEmail,
} from './score.ts';
export { suggestDomain } from './suggestion.ts';
export { type CharacterCounts, countCharacters, judgeUsername, type UsernameTraits } from './username.ts';
