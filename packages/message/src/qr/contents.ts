import type { CodeFacts, ContentType } from '../report/index.ts';
import { percentDecoded } from '@vedette/web/links';
import { isBareAddress } from '../indicators/index.ts';

export type Content = Pick<CodeFacts, 'content_type' | 'details'>;

const DETAIL_MAX_CHARS = 2_000;
const LINES_MAX = 200;

/** Reads the text of a code: the first reader that knows it counts. In time linear in the text. */
export function contentOf(text: string): Content {
  for (const [content_type, read] of READERS) {
    const details = read(text.trim());
    if (details) return { content_type, details: shortened(details) };
  }
  return { content_type: 'text', details: {} };
}

type Details = Record<string, string | undefined>;

const shortened = (details: Details): Record<string, string> =>
  Object.fromEntries(
    Object.entries(details).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value.slice(0, DETAIL_MAX_CHARS)]],
    ),
  );

const READERS: readonly (readonly [ContentType, (text: string) => Details | undefined])[] = [
  ['url', (text) => (/^https?:\/\/\S+$/i.test(text) || isBareAddress(text) ? {} : undefined)],
  ['email', (text) => mailto(text) ?? matmsg(text) ?? smtp(text)],
  ['phone', (text) => /^(?:tel|facetime|facetime-audio|callto):(?<number>.+)$/i.exec(text)?.groups],
  ['sms', sms],
  ['wifi', wifi],
  ['vcard', (text) => vcard(text) ?? mecard(text)],
  ['event', event],
  ['geo', geo],
  ['payment', epc],
  ['otp', otp],
  ['crypto', crypto],
  ['uri', (text) => /^(?<scheme>[a-z][a-z\d+.-]{1,30}):[^\s]+$/i.exec(text)?.groups],
];

/** The query of an address as its fields; the first of each name counts. */
function fieldsOf(query: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const pair of query.split('&', LINES_MAX)) {
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2);
    fields[name.toLowerCase()] ??= percentDecoded(value.replaceAll('+', ' '));
  }
  return fields;
}

/** RFC 6068. */
function mailto(text: string): Details | undefined {
  const [, to = '', query = ''] = /^mailto:([^?]*)(?:\?(.*))?$/is.exec(text) ?? [];
  if (!/^mailto:/i.test(text)) return undefined;
  const { subject, body, to: more = '' } = fieldsOf(query);
  return { to: [percentDecoded(to), more].filter((one) => one !== '').join(','), subject, body };
}

function matmsg(text: string): Details | undefined {
  if (!/^MATMSG:/i.test(text)) return undefined;
  const { TO: to, SUB: subject, BODY: body } = escaped(text.slice('MATMSG:'.length));
  return { to, subject, body };
}

function smtp(text: string): Details | undefined {
  const [, to, subject, body] = /^SMTP:([^:]+)(?::([^:]*))?(?::(.*))?$/is.exec(text) ?? [];
  return to === undefined ? undefined : { to, subject, body };
}

/** RFC 5724, and the older `smsto:number:text`. */
function sms(text: string): Details | undefined {
  const [, number, , query = '', body] = /^(?:sms|smsto|mms|mmsto):([^?:]+)((?:\?(.*))|(?::(.*)))?$/is.exec(text) ?? [];
  return number === undefined ? undefined : { number: percentDecoded(number), body: body ?? fieldsOf(query)['body'] };
}

/** Fields `NAME:value;`, in which a backslash takes the meaning of what follows. The first of each name counts. */
function escaped(text: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/([A-Za-z]{1,20}):((?:\\.|[^;\\])*)(?:;|$)/gs))
    fields[name.toUpperCase()] ??= value.replaceAll(/\\(.)/gs, '$1').replace(/^"(.*)"$/s, '$1');
  return fields;
}

function wifi(text: string): Details | undefined {
  if (!/^WIFI:/i.test(text)) return undefined;
  const { S: ssid, T: security, P: password, H: hidden } = escaped(text.slice('WIFI:'.length));
  return { ssid, security: security ?? 'nopass', password, hidden };
}

function mecard(text: string): Details | undefined {
  if (!/^MECARD:/i.test(text)) return undefined;
  const {
    N: name,
    ORG: organization,
    TITLE: title,
    TEL: phone,
    EMAIL: email,
    URL: url,
    ADR: address,
  } = escaped(text.slice('MECARD:'.length));
  return { name, organization, title, phone, email, url, address };
}

/** The properties of a vCard or an iCalendar object, unfolded; the first of each name counts. */
function properties(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const line of text.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n|\r/, LINES_MAX)) {
    const [, name = '', value = ''] = /^(?:[\w-]{1,50}\.)?([\w-]{1,50})(?:;[^:]{0,500})?:(.*)$/s.exec(line) ?? [];
    if (name !== '')
      found[name.toUpperCase()] ??= value
        .replaceAll(/\\n/gi, '\n')
        .replaceAll(/\\([,;\\])/g, '$1')
        .trim();
  }
  return found;
}

/** RFC 6350, and its predecessors. */
function vcard(text: string): Details | undefined {
  if (!/^BEGIN:VCARD\b/i.test(text)) return undefined;
  const { FN, N, ORG: organization, TITLE: title, TEL: phone, EMAIL: email, URL: url, ADR } = properties(text);
  return { name: FN ?? inOne(N), organization, title, phone: phone?.replace(/^tel:/i, ''), email, url, address: inOne(ADR) };
}

const inOne = (parts: string | undefined): string | undefined =>
  parts
    ?.split(';')
    .filter((part) => part.trim() !== '')
    .join(', ');

/** RFC 5545. */
function event(text: string): Details | undefined {
  if (!/^BEGIN:V(?:EVENT|CALENDAR)\b/i.test(text)) return undefined;
  const { SUMMARY: summary, DTSTART: start, DTEND: end, LOCATION: location, URL: url } = properties(text);
  return { summary, start, end, location, url };
}

/** RFC 5870. */
function geo(text: string): Details | undefined {
  const [, latitude, longitude, query = ''] =
    /^geo:(-?\d{1,3}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)(?:[,;][^?]*)?(?:\?(.*))?$/is.exec(text) ?? [];
  return latitude === undefined ? undefined : { latitude, longitude, query: fieldsOf(query)['q'] };
}

/** A SEPA credit transfer (EPC069-12), line by line. */
function epc(text: string): Details | undefined {
  const lines = text.split(/\r?\n/, 20).map((line) => line.trim());
  const [tag, version, , identification, bic, name, iban = '', amount = '', purpose, reference, remittance] = lines;
  if (tag !== 'BCD' || !/^00[12]$/.test(version ?? '') || identification !== 'SCT') return undefined;
  return { bic, name, iban, iban_valid: String(isIban(iban)), amount, purpose, reference, text: remittance };
}

/** ISO 13616: the remainder by 97 of the digits, with letters as numbers, is 1. */
function isIban(written: string): boolean {
  const iban = written.replaceAll(' ', '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban)) return false;
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4))
    for (const digit of Number.parseInt(character, 36).toString()) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}

function otp(text: string): Details | undefined {
  const [, method, label = '', query = ''] = /^otpauth(?:-migration)?:\/\/([\w-]+)\/?([^?]*)(?:\?(.*))?$/is.exec(text) ?? [];
  if (method === undefined) return undefined;
  const [issuerOfLabel, account] = percentDecoded(label).split(/:(.*)/s, 2);
  const { issuer, secret, algorithm, digits, period, counter } = fieldsOf(query);
  return {
    method: method.toLowerCase(),
    account: (account ?? issuerOfLabel)?.trim(),
    issuer: issuer ?? (account === undefined ? undefined : issuerOfLabel),
    secret,
    algorithm,
    digits,
    period,
    counter,
  };
}

const CURRENCIES =
  /^(bitcoin|bitcoincash|litecoin|ethereum|dogecoin|dash|zcash|monero|ripple|solana|tron|cardano|stellar|ton|lightning):(?:\/\/)?([\w.@:-]+)(?:\/[\w-]+)?(?:\?(.*))?$/is;

/** BIP 21, and what others made of it. */
function crypto(text: string): Details | undefined {
  const [, currency, address, query = ''] = CURRENCIES.exec(text) ?? [];
  if (currency === undefined) return /^(?:bc1[02-9ac-hj-np-z]{11,87}|[13][1-9A-HJ-NP-Za-km-z]{25,34})$/.test(text)
      ? { currency: 'bitcoin', address: text }
      : undefined; // prettier-ignore
  const { amount, value, label } = fieldsOf(query);
  return { currency: currency.toLowerCase(), address, amount: amount ?? value, label };
}
