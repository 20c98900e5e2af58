import { sortIssues } from '../findings/index.ts';
import type { MarkEvidence } from './evidence.ts';
import { BIMI_ISSUES, type BimiIssue, warning } from './issues.ts';
import { judgeCarriedLogo, judgeEvidenceFile, judgeLogoFile, type MarkSubject, type Obtained } from './judge-files.ts';
import { judgeRecord } from './judge-record.ts';
import type { LogoFile } from './logo.ts';
import { type BimiPublication, locationsOf } from './record.ts';

/** What is known of a domain's BIMI. A file that the record does not lead to is undefined. */
export interface BimiFindings extends Omit<MarkSubject, 'svg'> {
  publication: BimiPublication;
  logo: Obtained<LogoFile> | undefined;
  evidence: Obtained<MarkEvidence> | undefined;
  /** The logo inside the certificate, where the record leaves it to that. */
  carried: LogoFile | undefined;
  /** Why DMARC keeps receivers from showing a logo; empty when it does not. */
  obstacle: string;
}

/** Judges record, logo and certificate, in the order of `BIMI_ISSUES`. */
export function judgeBimi({ publication, logo, evidence, carried, obstacle, ...subject }: BimiFindings): BimiIssue[] {
  const svg = logo && 'file' in logo ? logo.file.svg : undefined;
  const issues = [
    ...judgeRecord(publication),
    ...judgeDmarcObstacle(publication, obstacle),
    ...(logo ? judgeLogoFile(logo) : []),
    ...(carried ? judgeCarriedLogo(carried) : []),
    ...(evidence ? judgeEvidenceFile(evidence, { ...subject, svg }) : []),
  ];
  return sortIssues(issues, BIMI_ISSUES);
}

/** The record itself may be right all the same, so this is no error of it. */
function judgeDmarcObstacle({ records, lookalikes }: BimiPublication, obstacle: string): BimiIssue[] {
  const record = records[0] ?? lookalikes[0];
  if (obstacle === '' || !record || locationsOf(record.list).declined) return [];
  return [
    warning(
      'DMARC_NOT_ENFORCED',
      `Receivers show no logo: ${obstacle}. They ask for p=quarantine or p=reject at the domain and its organizational domain, no weaker sp=, no t=y, and pct= absent or 100`,
    ),
  ];
}
