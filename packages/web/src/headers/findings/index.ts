export { FINDINGS, type Finding, type FindingCode, type FindingRow } from './codes.ts';
export { findHeaderFaults, type HeaderFindings } from './header-findings.ts';
