import { judgeCount, sortIssues } from '../findings/index.ts';
import { type TagList, tagValue, versionFault } from '../tag-list/index.ts';
import { DMARC_ISSUES, type DmarcIssue, error, information, warning } from './issues.ts';
import { judgeReports } from './judge-reports.ts';
import { judgeTags } from './judge-tags.ts';
import { type DmarcPublication, policyOf } from './record.ts';
import type { DmarcReport } from './report.ts';

/** Judges what is published for a host (RFC 9989), in the order of `DMARC_ISSUES`. An unanswered question raises no finding. */
export function judgeDmarc(report: DmarcReport): DmarcIssue[] {
  const { publication, destinations } = report;
  const { records, lookalikes } = publication;
  const record = records[0] ?? lookalikes[0];
  if (!record) return judgeAbsence(publication);
  const version = records.length === 0 ? [judgeVersion(record.list)] : [];
  return sortIssues(
    [
      ...judgeOrganization(report),
      ...judgeDuplicates(publication),
      ...version,
      ...judgeTags(record.list),
      ...judgeReports(record.list, destinations),
    ],
    DMARC_ISSUES,
  );
}

/** The letter of RFC 9989 §4.10.2, which knows public suffixes by `psd=y` alone, and what most receivers still do. */
function judgeOrganization({ orgDomain, otherReading }: DmarcReport): DmarcIssue[] {
  if (!otherReading) return [];
  const { applied } = otherReading;
  const policy = applied && policyOf(applied.record)?.sp;
  const others = applied ? `apply the record at ${applied.dmarcHost}${policy ? ` (${policy})` : ''}` : 'find no record to apply';
  const advice = applied ? 'Add psd=n there' : `Publish one with psd=n at _dmarc.${otherReading.orgDomain}`;
  return [
    information(
      'ORGANIZATION_IS_PUBLIC_SUFFIX',
      `Under ${orgDomain} names are given to others, but its record does not say psd=y, so by RFC 9989 (§4.10.2) it counts as that of the organizational domain. Receivers that go by the Public Suffix List (RFC 7489) never look at it, and ${others}. ${advice}, and all apply the same`,
    ),
  ];
}

const judgeDuplicates = (publication: DmarcPublication): DmarcIssue[] =>
  judgeCount(publication, {
    skipped: warning(
      'DUPLICATE_DMARC_RECORDS',
      `${publication.dmarcHost} has another record, which receivers skip since it does not start with "v=DMARC1". Remove it`,
    ),
    several: error(
      'DUPLICATE_DMARC_RECORDS',
      `More than one record is published at ${publication.dmarcHost}, so receivers use none (RFC 9989 §4.10). Keep one`,
    ),
  });

function judgeAbsence({ dmarcHost, strays, error: dnsError }: DmarcPublication): DmarcIssue[] {
  if (dnsError !== '') return [];
  return strays.length > 0
    ? [error('NO_DMARC_TAGS_FOUND', `The TXT record at ${dmarcHost} has no DMARC tag. Publish "v=DMARC1; p=reject; rua=mailto:…" there`)]
    : [
        error(
          'DMARC_NOT_FOUND',
          `There is no record at ${dmarcHost}, nor at a domain above it. Publish "v=DMARC1; p=none; rua=mailto:…" as a start`,
        ),
      ];
}

/** RFC 9989 §4.8: receivers recognise a record by its first tag alone. */
function judgeVersion(list: TagList): DmarcIssue {
  const version = tagValue(list, 'v') ?? tagValue(list, 'V') ?? '';
  const { isMisplaced, sentence } = versionFault(version, 'DMARC1');
  return error(isMisplaced ? 'V_TAG_NOT_FIRST' : 'V_TAG_NOT_FOUND', sentence);
}
