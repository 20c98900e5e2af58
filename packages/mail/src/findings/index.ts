export { findings, type Issue, type IssueType, judgeCount, sortIssues } from './findings.ts';
export { listing, shown } from './listing.ts';
