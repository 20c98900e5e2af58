import { judgeCount, sortIssues } from '../findings/index.ts';
import { strayCharacter, type TagList, tagValue } from '../tag-list.ts';
import type { Destinations } from './destinations.ts';
import { DMARC_ISSUES, type DmarcIssue, error, warning } from './issues.ts';
import { judgeReports } from './judge-reports.ts';
import { judgeTags } from './judge-tags.ts';
import type { DmarcPublication } from './record.ts';

/** Judges what is published at one name (RFC 9989), in the order of `DMARC_ISSUES`. Where nobody knows, nothing is found. */
export function judgeDmarc(publication: DmarcPublication, destinations: Destinations): DmarcIssue[] {
  const { records, lookalikes } = publication;
  const record = records[0] ?? lookalikes[0];
  if (!record) return judgeAbsence(publication);
  const version = records.length === 0 ? [judgeVersion(record.list)] : [];
  return sortIssues(
    [...judgeDuplicates(publication), ...version, ...judgeTags(record.list), ...judgeReports(record.list, destinations)],
    DMARC_ISSUES,
  );
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
  if (version === 'DMARC1')
    return error('V_TAG_NOT_FIRST', 'The version has to be the first tag, else receivers ignore the record. Move "v=DMARC1" to the start');
  const stray = strayCharacter(version);
  const why = stray === '' ? '' : `: ${stray} in v= is not a plain ASCII character`;
  return error(
    'V_TAG_NOT_FOUND',
    `The record does not start with "v=DMARC1" in exactly this way, so receivers ignore it${why}. Write it there anew`,
  );
}
