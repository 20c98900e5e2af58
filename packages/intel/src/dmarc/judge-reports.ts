import { listing } from '../findings/index.ts';
import { type TagList, tagValue } from '../tag-list.ts';
import type { Destinations } from './destinations.ts';
import { type DmarcIssue, error, information, warning } from './issues.ts';
import { parseReportingUris } from './reporting-uri.ts';

const CODES = {
  rua: { chars: 'INVALID_RUA_TAG_CHARS', email: 'RUA_TAG_INVALID_EMAIL', mx: 'RUA_TAG_EMAIL_NO_MX' },
  ruf: { chars: 'INVALID_RUF_TAG_CHARS', email: 'RUF_TAG_INVALID_EMAIL', mx: 'RUF_TAG_EMAIL_NO_MX' },
} as const;

/** Judges `rua` and `ruf`: RFC 9989 §4.7 and §4.8, RFC 9990 §4 (consent of other organisations). */
export const judgeReports = (list: TagList, destinations: Destinations): DmarcIssue[] => [
  ...judgeTag('rua', list, destinations),
  ...judgeTag('ruf', list, destinations),
];

function judgeTag(tag: 'rua' | 'ruf', list: TagList, destinations: Destinations): DmarcIssue[] {
  const value = tagValue(list, tag);
  if (value === undefined) return [];
  const codes = CODES[tag];
  const uris = parseReportingUris(value);
  const of = (state: string) => destinations.list.filter((found) => found.tag === tag && found.mx === state).map(({ domain }) => domain);
  const about = (items: readonly string[], make: (shown: string) => DmarcIssue) => (items.length === 0 ? [] : [make(listing(items))]);
  return [
    ...about(
      uris.filter(({ wellFormed }) => !wellFormed).map(({ text }) => text || 'nothing'),
      (shown) =>
        error(
          codes.chars,
          `${tag}= is a list of URIs with commas between them; this is none: ${shown}. Write it as mailto:reports@example.org`,
        ),
    ),
    ...about(
      uris.filter(({ sizeLimit }) => sizeLimit).map(({ text }) => text),
      (shown) => information(codes.chars, `Size limits have no effect any more (RFC 9989 §4.8): ${shown}. Remove "!" and what follows`),
    ),
    ...about(destinations.skipped, (shown) =>
      warning(codes.chars, `So many addresses are not checked, and receivers need to support two only: ${shown}. Use one or two`),
    ),
    ...about(
      uris.filter(({ wellFormed, mailbox }) => wellFormed && !mailbox).map(({ text }) => text),
      (shown) => error(codes.email, `Reports are only sent to valid mailto: addresses, which this is not: ${shown}. Correct it`),
    ),
    ...about(
      destinations.list.filter((found) => found.tag === tag && !found.agreed).map(({ domain }) => domain),
      (shown) =>
        warning(
          codes.email,
          `Another organisation has not agreed to take these reports (RFC 9990 §4): ${shown}. Have it publish "v=DMARC1" at <this domain>._report._dmarc.<its domain>`,
        ),
    ),
    ...about(of('none'), (shown) =>
      warning(codes.mx, `There is no mail exchange for ${shown}, so reports hardly arrive. Publish MX records, or use another address`),
    ),
    ...about(of('null'), (shown) => error(codes.mx, `${shown} refuses all mail with a null MX (RFC 7505). Use another address`)),
  ];
}
