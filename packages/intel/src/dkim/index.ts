export { findSelector, type SelectorSearch } from './find-selector.ts';
export { DKIM_ISSUES, type DkimIssue } from './issues.ts';
export { type DkimJudgement, judgeDkim } from './judge.ts';
export { type DkimKeys, type DkimRecord, dkimHostOf, fetchKeys } from './key-record.ts';
export { type DkimPublicKey, readPublicKey } from './public-key.ts';
export { DKIM_SELECTORS } from './selectors.ts';
