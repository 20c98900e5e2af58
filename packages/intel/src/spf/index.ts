export { checkHost, SPF_RESULTS, type SpfQuestion, type SpfResult, type SpfVerdict } from './check-host.ts';
export { judgeSpf, SPF_ISSUES, type SpfIssue } from './issues.ts';
export { countLookups } from './lookup-count.ts';
export { isSpfRecord, parseSpfRecord, type SpfRecord } from './record.ts';
export { authorizedNetworks, describeNode, namedDomains, type SpfRecordEntry, type SpfSyntaxProblem, syntaxProblems } from './report.ts';
export { spfSource } from './source.ts';
export { type SpfNode, type SpfTree, walkSpf } from './tree.ts';
