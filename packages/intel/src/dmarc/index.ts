export type { Destinations, ReportDestination } from './destinations.ts';
export { DMARC_ISSUES, type DmarcIssue } from './issues.ts';
export { judgeDmarc } from './judge.ts';
export { type Disposition, DISPOSITIONS, type DmarcPolicy, type DmarcPublication, type DmarcRecord, policyOf } from './record.ts';
export { type DmarcReport, inspectDmarc } from './report.ts';
export { discoverDmarc, type DmarcDiscovery } from './tree-walk.ts';
