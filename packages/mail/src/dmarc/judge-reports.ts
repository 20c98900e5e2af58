import { listing } from '../findings/index.ts';
import { quoted, type TagList, tagValue } from '../tag-list/index.ts';
import type { Destinations } from './destinations.ts';
import { type DmarcIssue, error, information, warning } from './issues.ts';
import { parseReportingUris } from './reporting-uri.ts';

const CODES = {
  rua: {
    chars: 'INVALID_RUA_TAG_CHARS',
    sizeLimit: 'RUA_TAG_SIZE_LIMIT',
    tooMany: 'RUA_TAG_TOO_MANY_DOMAINS',
    email: 'RUA_TAG_INVALID_EMAIL',
    consent: 'RUA_TAG_NO_CONSENT',
    mx: 'RUA_TAG_EMAIL_NO_MX',
  },
  ruf: {
    chars: 'INVALID_RUF_TAG_CHARS',
    sizeLimit: 'RUF_TAG_SIZE_LIMIT',
    tooMany: 'RUF_TAG_TOO_MANY_DOMAINS',
    email: 'RUF_TAG_INVALID_EMAIL',
    consent: 'RUF_TAG_NO_CONSENT',
    mx: 'RUF_TAG_EMAIL_NO_MX',
  },
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
  if (value === '') return [warning(codes.chars, `${tag}= is empty, so no reports are asked for. Add an address, or remove the tag`)];
  const uris = parseReportingUris(value);
  // Receivers skip what they cannot use, and send to the rest.
  const unusable = uris.some(({ mailbox }) => mailbox) ? warning : error;
  const of = (state: string) => destinations.list.filter((found) => found.tag === tag && found.mx === state).map(({ domain }) => domain);
  const about = (items: readonly string[], make: (shown: string) => DmarcIssue) => (items.length === 0 ? [] : [make(listing(items))]);
  return [
    ...about(
      uris.filter(({ wellFormed }) => !wellFormed).map(({ text }) => (text ? quoted(text) : 'nothing')),
      (shown) =>
        unusable(
          codes.chars,
          `${tag}= is a list of URIs with commas between them; this is none: ${shown}. Write it as mailto:reports@example.org`,
        ),
    ),
    ...about(
      uris.filter(({ sizeLimit }) => sizeLimit).map(({ text }) => text),
      (shown) => information(codes.sizeLimit, `Size limits have no effect any more (RFC 9989 §4.8): ${shown}. Remove "!" and what follows`),
    ),
    ...about(
      destinations.skipped.filter((skipped) => skipped.tag === tag).map(({ email }) => email),
      (shown) =>
        warning(
          codes.tooMany,
          `Receivers need to support two addresses only, and those of so many domains are not checked: ${shown}. Use one or two`,
        ),
    ),
    ...about(
      uris.filter(({ wellFormed, mailbox }) => wellFormed && !mailbox).map(({ text }) => text),
      (shown) => unusable(codes.email, `Reports are only sent to valid mailto: addresses, which this is not: ${shown}. Correct it`),
    ),
    ...about(
      destinations.list.filter((found) => found.tag === tag && !found.agreed).map(({ consentName }) => consentName),
      (shown) =>
        warning(
          codes.consent,
          `Another organisation has not agreed to take these reports, so none are sent there (RFC 9990 §4). It agrees by a TXT record "v=DMARC1" at ${shown}. Ask it to publish that, or remove the address`,
        ),
    ),
    ...about(of('none'), (shown) =>
      warning(
        codes.mx,
        `There is no mail exchange for ${shown}, so reports arrive only if a mail server is at the domain's own address (RFC 5321 §5.1). Publish MX records, or use another address`,
      ),
    ),
    ...about(of('null'), (shown) => error(codes.mx, `${shown} refuses all mail with a null MX (RFC 7505). Use another address`)),
  ];
}
