export { type Cookie, breaksPrefix, readCookies } from './cookies.ts';
export { FINDINGS, type FindingCode, findHeaderFaults, type HeaderFindings } from './findings/index.ts';
export { type AnswerFields, type HeaderEvidence, judgedFields, judgedVisit, type SeenHop, type SeenVisit } from './evidence.ts';
export { type PageSecurity, readPageSecurity } from './page-security.ts';
export { type Result, type ResultRow, RESULTS, type Test, TESTS } from './results.ts';
export { JUDGED_POLICIES_MAX, JUDGED_POLICIES_MAX_CHARS } from './policy-result.ts';
export { GRADES, gradeOf, type HeaderScore, scoreHeaders } from './score.ts';
export { readHsts } from './transport.ts';
