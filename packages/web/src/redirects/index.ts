export { type ChainEnd, chainVerdict, type ChainVerdict, FINAL_STATUSES, type FinalStatus, finalStatus } from './verdict.ts';
export { withFragments } from './fragments.ts';
export { NO_REDIRECT, REDIRECT_FIELDS, redirectInfo, type RedirectInfo, rootOf } from './redirect-info.ts';
export { type RedirectStats, redirectStats, type RequestStats, requestStats, SLOW_MS } from './stats.ts';
export { REDIRECT_TYPES, type RedirectType, type Step } from './step.ts';
