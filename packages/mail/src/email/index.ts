export { parseEmail } from './address.ts';
export { canonicalEmail } from './canonical.ts';
export { isFreeMailbox, isSuspicious, judgeDomain } from './domain.ts';
export { type MailDns, readMailDns } from './mail-dns.ts';
export {
  BLOCK_SCORE,
  EMAIL_FACTORS,
  type EmailEvidence,
  type EmailFactor,
  type EmailScore,
  isSpoofable,
  isSuspiciousUsername,
  scoreEmail,
} from './score.ts';
export { suggestDomain } from './suggestion.ts';
export { countCharacters, judgeUsername } from './username.ts';
