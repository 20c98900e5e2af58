export { findings, judgeCount, sortIssues } from './findings.ts';
export { listing, shown } from './listing.ts';
