import { judgeCount, shown } from '../findings/index.ts';
import { isMisnamed, quoted, type TagList, tagListFaults, type TagListUse, tagValue, versionFault } from '../tag-list/index.ts';
import { type BimiIssue, error, information, warning } from './issues.ts';
import { BIMI_TAGS, type BimiPublication, locationsOf } from './record.ts';

/**
 * Judges the Assertion Record itself (draft-brand-indicators-for-message-identification §4.2). An unanswered question never counts as a
 * missing record.
 */
export function judgeRecord(publication: BimiPublication): BimiIssue[] {
  const { bimiHost, cname, records, lookalikes, error: dnsError } = publication;
  const alias =
    cname === ''
      ? []
      : [information('BIMI_VIA_CNAME', `${bimiHost} is an alias of ${shown(cname)}, which decides about the record. It needs no change`)];
  const record = records[0] ?? lookalikes[0];
  if (!record) return [...alias, dnsError === '' ? absence(bimiHost) : silence(dnsError)];
  const version = records.length === 0 ? [judgeVersion(record.list)] : [];
  const { declined } = locationsOf(record.list);
  const locations = declined ? [] : [...judgeLogo(record.list), ...judgeEvidence(record.list)];
  return [...alias, ...judgeDuplicates(publication), ...version, ...locations, ...judgeTags(record.list)];
}

const absence = (bimiHost: string): BimiIssue =>
  error(
    'BIMI_NOT_FOUND',
    `There is no record at ${bimiHost}, nor at the organizational domain. Publish "v=BIMI1; l=https://…/logo.svg; a=https://…/vmc.pem"`,
  );

const silence = (dnsError: string): BimiIssue =>
  error(
    'RECORD_NOT_ANSWERED',
    `Whether there is a record is not known, since the DNS did not answer: ${shown(dnsError)}. Receivers that get no answer either show no logo; ask again, and if it lasts mend the name servers`,
  );

const judgeDuplicates = (publication: BimiPublication): BimiIssue[] =>
  judgeCount(publication, {
    skipped: warning(
      'DUPLICATE_BIMI_RECORDS',
      `${publication.bimiHost} has another record, which receivers skip since it does not start with "v=BIMI1". Remove it`,
    ),
    several: error(
      'DUPLICATE_BIMI_RECORDS',
      `More than one record is published at ${publication.bimiHost}, so receivers use none. Keep one`,
    ),
  });

/** §7.2: receivers discard a record that does not start with the version. */
function judgeVersion(list: TagList): BimiIssue {
  const version = tagValue(list, 'v') ?? '';
  const { isMisplaced, sentence } = versionFault(version, 'BIMI1');
  return error(isMisplaced ? 'V_TAG_NOT_FIRST' : 'V_TAG_NOT_FOUND', sentence);
}

function judgeLogo(list: TagList): BimiIssue[] {
  const value = tagValue(list, 'l');
  const { logo, isLogoCarried } = locationsOf(list);
  if (isLogoCarried)
    return [
      warning(
        'MISSING_L_TAG',
        'l= is empty, so the logo inside the certificate is meant. Google takes it from there; others show none (BIMI §4.3). Add the https URL of the same logo',
      ),
    ];
  if (value === undefined && isMisnamed(list, 'l')) return []; // said of all such tags
  if (value === undefined || value === '')
    return [error('MISSING_L_TAG', 'The address of the logo is missing. Add l= with an https URL; "l=; a=;" says that there is none')];
  return logo
    ? []
    : [error('INVALID_L_TAG_CHARS', `l= is not one https URL: ${quoted(value)}. Correct it; write "," and ";" as %2C and %3B`)];
}

function judgeEvidence(list: TagList): BimiIssue[] {
  const value = tagValue(list, 'a');
  if (value === undefined && isMisnamed(list, 'a')) return []; // said of all such tags
  if (value === undefined || value === '')
    return [
      warning(
        'MISSING_A_TAG',
        'There is no mark certificate, and without one most mailbox providers show no logo. Add a= with the https URL of a VMC or CMC',
      ),
    ];
  const { evidence } = locationsOf(list);
  return evidence
    ? []
    : [error('INVALID_A_TAG_CHARS', `a= is not one https URL: ${quoted(value)}. Correct it; write "," and ";" as %2C and %3B`)];
}

const USE: TagListUse = { standard: 'BIMI', readers: 'Receivers', known: BIMI_TAGS, judged: new Set(['v', 'l', 'a', 'avp']) };

/** The tag-list, and `avp` (§4.2: brand or personal). */
function judgeTags(list: TagList): BimiIssue[] {
  const avp = tagValue(list, 'avp');
  const isOther = avp !== undefined && !/^(brand|personal)$/i.test(avp);
  const { invalid, unknown } = tagListFaults(list, USE, isOther ? [`${quoted(`avp=${avp}`)} (it is brand or personal)`] : []);
  return [
    ...invalid.map((message) => error('INVALID_BIMI_TAG_FOUND', message)),
    ...unknown.map((message) => warning('UNKNOWN_BIMI_TAG_FOUND', message)),
  ];
}
