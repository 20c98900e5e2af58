export { parseEmail } from './address.ts';
export { canonicalEmail } from './canonical.ts';
export { isFreeMailbox, isSuspicious, judgeDomain } from './domain.ts';
export { disposable, DISPOSABLE_SOURCES } from './lists/disposable.ts';
export { DomainList } from '../names/index.ts';
export { FREE_PROVIDERS } from './lists/providers.ts';
export { readDisposable } from './lists/read-disposable.ts';
export { type MailDns, readMailDns } from './mail-dns.ts';
export {
  BLOCK_SCORE,
  EMAIL_FACTORS,
  type EmailEvidence,
  type EmailFactor,
  isSpoofable,
  isSuspiciousUsername,
  scoreEmail,
} from './score.ts';
export { suggestDomain } from './suggestion.ts';
export { countCharacters, judgeUsername } from './username.ts';
