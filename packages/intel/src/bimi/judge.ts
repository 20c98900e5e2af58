import { sortIssues } from '../findings/index.ts';
import type { MarkEvidence } from './evidence.ts';
import { BIMI_ISSUES, type BimiIssue } from './issues.ts';
import { judgeEvidenceFile, judgeLogoFile, type MarkSubject, type Obtained } from './judge-files.ts';
import { judgeRecord } from './judge-record.ts';
import type { LogoFile } from './logo.ts';
import type { BimiPublication } from './record.ts';

/** What is known of a domain's BIMI. A file that the record does not lead to is undefined. */
export interface BimiFindings extends Omit<MarkSubject, 'svg'> {
  publication: BimiPublication;
  logo: Obtained<LogoFile> | undefined;
  evidence: Obtained<MarkEvidence> | undefined;
}

/** Judges record, logo and certificate, in the order of `BIMI_ISSUES`. */
export function judgeBimi({ publication, logo, evidence, ...subject }: BimiFindings): BimiIssue[] {
  const svg = logo && 'file' in logo ? logo.file.svg : undefined;
  const issues = [
    ...judgeRecord(publication),
    ...(logo ? judgeLogoFile(logo) : []),
    ...(evidence ? judgeEvidenceFile(evidence, { ...subject, svg }) : []),
  ];
  return sortIssues(issues, BIMI_ISSUES);
}
