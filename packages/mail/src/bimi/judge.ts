import { sortIssues } from '../findings/index.ts';
import type { DmarcOfLogo } from './discover.ts';
import type { MarkEvidence } from './evidence.ts';
import { BIMI_ISSUES, type BimiIssue, warning } from './issues.ts';
import { judgeCarriedLogo, judgeEvidenceFile, judgeLogoFile, type MarkSubject, type Obtained } from './judge-files.ts';
import { judgeRecord } from './judge-record.ts';
import type { LogoFile } from './logo/logo.ts';
import { type BimiPublication, locationsOf } from './record.ts';

/** The facts about a domain's BIMI. A file that the record does not lead to is undefined. */
export interface BimiFindings extends Omit<MarkSubject, 'svg'> {
  publication: BimiPublication;
  logo: Obtained<LogoFile> | undefined;
  evidence: Obtained<MarkEvidence> | undefined;
  /** The logo inside the certificate, where the record leaves it to that. */
  carried: LogoFile | undefined;
  dmarc: DmarcOfLogo;
}

/** Judges record, logo and certificate, in the order of `BIMI_ISSUES`. */
export function judgeBimi({ publication, logo, evidence, carried, dmarc, ...subject }: BimiFindings): BimiIssue[] {
  const svg = logo && 'file' in logo ? logo.file.svg : undefined;
  const issues = [
    ...judgeRecord(publication),
    ...judgeDmarcOfLogo(publication, dmarc),
    ...(logo ? judgeLogoFile(logo) : []),
    ...(carried ? judgeCarriedLogo(carried) : []),
    ...(evidence ? judgeEvidenceFile(evidence, { ...subject, svg }) : []),
  ];
  return sortIssues(issues, BIMI_ISSUES);
}

/** The record itself may still be right, so this is not an error of the record. */
function judgeDmarcOfLogo({ records, lookalikes }: BimiPublication, { state, why }: DmarcOfLogo): BimiIssue[] {
  const record = records[0] ?? lookalikes[0];
  if (state === 'enforced' || !record || locationsOf(record.list).declined) return [];
  if (state === 'unknown')
    return [
      warning(
        'DMARC_NOT_ANSWERED',
        `Whether DMARC lets receivers show a logo is not known, since the DNS did not answer: ${why}. Receivers that get no answer either show none; ask again, and if it lasts mend the name servers`,
      ),
    ];
  return [
    warning(
      'DMARC_NOT_ENFORCED',
      `Receivers show no logo: ${why}. They ask for p=quarantine or p=reject at the domain and its organizational domain, no weaker sp=, no t=y, and pct= absent or 100`,
    ),
  ];
}
