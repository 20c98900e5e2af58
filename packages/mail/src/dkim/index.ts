export { findSelector } from './find-selector.ts';
export { DKIM_ISSUES, type DkimIssue } from './issues.ts';
export { judgeDkim } from './judge.ts';
export { dkimHostOf, fetchKeys, readKeys } from './key-record.ts';
export { DKIM_SELECTORS, POPULAR_SELECTORS, SELECTOR_SOURCES } from './selectors.ts';
