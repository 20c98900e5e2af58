import type { TraceField } from './believed.ts';
import { forefrontReport, isOfExchange, type Written } from './microsoft.ts';

/** Whether a field says that the message is spam, phishing or malware, by the documentation of the filter that writes it. */
type Verdict = (value: string) => boolean;

const isYes: Verdict = (value) => /^yes\b/i.test(value);
const isTrue: Verdict = (value) => /^(?:1|true|yes)\b/i.test(value);

/** Written by filters of the receiver. Field names in lower case. */
const FILTERS: ReadonlyMap<string, Verdict> = new Map<string, Verdict>([
  // SpamAssassin, amavis, rspamd, and filters with the same fields.
  ['x-spam-flag', isYes],
  ['x-spam-status', isYes],
  ['x-spam', isTrue],
  ['x-spamd-result', (value) => /^[\w-]{1,64}: ?true\b/i.test(value)],
  ['x-rspamd-action', (value) => /^(?:add header|rewrite subject|quarantine|reject)/i.test(value)],
  // Barracuda.
  ['x-barracuda-spam-flag', isYes],
  ['x-barracuda-spam-status', isYes],
  // Proofpoint: the rule that decided, such as inbound_notspam, spam_definite, phish, malware.
  [
    'x-proofpoint-spam-details',
    (value) => !/rule=[\w-]{0,64}notspam/i.test(value) && /rule=[\w-]{0,64}(?:spam|phish|malware|virus|impostor)/i.test(value),
  ],
  // Google Workspace, where routing adds them; Takeout.
  ['x-gm-spam', isTrue],
  ['x-gm-phishy', isTrue],
  ['x-gmail-labels', (value) => /(?:^|,)\s{0,4}"?spam"?\s{0,4}(?:,|$)/i.test(value)],
  // Amazon SES.
  ['x-ses-spam-verdict', (value) => /^fail\b/i.test(value)],
  ['x-ses-virus-verdict', (value) => /^fail\b/i.test(value)],
  // Yahoo, Apple, Proton, GMX and web.de, OVH and others with Vade, Telekom and others with eXpurgate.
  ['x-yahoofilteredbulk', (value) => value !== ''],
  ['x-suspected-spam', isTrue],
  ['x-apple-movetofolder', (value) => /^junk\b/i.test(value)],
  ['x-pm-spam-action', (value) => /^(?:spam|phishing)\b/i.test(value)],
  ['x-ui-filterresults', (value) => /^junk\b/i.test(value)],
  ['x-vade-spamstate', (value) => /^(?:spam|phishing|scam|malware|virus)/i.test(value)],
  ['x-vr-spamstate', (value) => /^(?:spam|phishing|scam|malware|virus)/i.test(value)],
  ['x-ovh-spam-status', (value) => /^(?:spam|phishing)/i.test(value)],
  ['x-purgate-type', (value) => /^(?:spam|phishing|virus|dangerous)/i.test(value)],
]);

/** A message gets this confidence level of Exchange, or more, that goes to the junk folder. */
const SCL_SPAM = 5;
const FOREFRONT_SPAM = new Set(['SPM', 'SKB', 'SKS', 'BLK']);
const FOREFRONT_CATEGORIES = new Set([
  'AMP',
  'DIMP',
  'GIMP',
  'HPHSH',
  'HPHISH',
  'HSPM',
  'INTOS',
  'MALW',
  'OSPM',
  'PHSH',
  'SAP',
  'SPM',
  'SPOOF',
  'UIMP',
]);

/**
 * Whether the receiver says that the message is spam, phishing or malware: by fields that stand where only the receiver can have put them,
 * that Exchange removes from mail of others, or that name the receiver's own queue. Fields elsewhere may come from the sender's side.
 */
export const hasAntispamVerdict = (written: Written): boolean =>
  [...written.fields.slice(0, written.evidence.fields), ...writtenByMilter(written)].some(isVerdict) || isSpamToExchange(written);

const VALUE_MAX_CHARS = 2_000;

const isVerdict = ({ key, raw }: TraceField): boolean => FILTERS.get(key)?.(raw.slice(0, VALUE_MAX_CHARS).trim()) === true;

const OF_RSPAMD = /^x-(?:rspamd-|spamd-)/;

/**
 * rspamd has its fields appended at the very end, one after another, with the message's queue id at the border server. The sender cannot
 * know that id in advance.
 */
function writtenByMilter({ fields, hops }: Written): readonly TraceField[] {
  const id = hops.at(-1)?.id ?? '';
  const at = id === '' ? -1 : fields.findIndex(({ key, raw }) => key === 'x-rspamd-queue-id' && raw.trim() === id);
  if (at < 0) return [];
  let [start, end] = [at, at + 1];
  while (start > 0 && OF_RSPAMD.test(fields[start - 1]!.key)) start--;
  while (end < fields.length && OF_RSPAMD.test(fields[end]!.key)) end++;
  return [...new Map(fields.slice(start, end).map((field) => [field.key, field])).values()]; // another server's may stand before it
}

function isSpamToExchange(written: Written): boolean {
  const report = forefrontReport(written);
  const scl = isOfExchange(written) ? written.fields.find(({ key }) => key === 'x-ms-exchange-organization-scl')?.raw : undefined;
  if ([report.get('SCL'), scl].some((level) => Number(level?.trim() || NaN) >= SCL_SPAM)) return true;
  if (FOREFRONT_SPAM.has(report.get('SFV') ?? '') || FOREFRONT_CATEGORIES.has(report.get('CAT') ?? '')) return true;
  return (
    isOfExchange(written) &&
    written.fields.some(
      ({ key, raw }) => key === 'x-microsoft-antispam-mailbox-delivery' && /\bdest:J;/.test(raw.slice(0, VALUE_MAX_CHARS)),
    )
  );
}
