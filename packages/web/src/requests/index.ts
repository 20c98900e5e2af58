export { fileClass } from './file-class.ts';
export { type RequestStats, type RequestSummary, summarize } from './request-stats.ts';
