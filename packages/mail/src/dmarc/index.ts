export type { ReportDestination } from './destinations.ts';
export { DMARC_ISSUES, type DmarcIssue } from './issues.ts';
export { judgeDmarc } from './judge.ts';
export { type Disposition, DISPOSITIONS, isEnforced, isTesting, policyOf } from './record.ts';
export { inspectDmarc } from './report.ts';
export { discoverDmarc, type DmarcFound, type DmarcReading } from './tree-walk.ts';
