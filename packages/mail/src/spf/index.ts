export { checkHost, SPF_RESULTS, type SpfResult } from './check-host.ts';
export { SPF_ISSUES, type SpfIssue } from './judge/issues.ts';
export { isValidSpf, judgeSpf } from './judge/judge.ts';
export { countLookups } from './judge/lookup-count.ts';
export { authorizedNetworks, describeNode, namedDomains, syntaxProblems } from './report.ts';
export { spfSource } from './source.ts';
export { walkSpf } from './tree.ts';
export { judgeUnnamedSenders, type UnnamedSenders } from './judge/unnamed-senders.ts';
