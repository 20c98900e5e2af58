import { Reader } from './reader.ts';
import { quoteText } from './text.ts';

// IANA "Service Parameter Keys (SvcParamKeys)".
const KEYS = ['mandatory', 'alpn', 'no-default-alpn', 'port', 'ipv4hint', 'ech', 'ipv6hint', 'dohpath', 'ohttp'] as const;
type Key = (typeof KEYS)[number];

/** Service parameters in presentation form, RFC 9460 §2.1 and appendix A: `alpn="h3,h2" port=8443`. */
export function readServiceParams(reader: Reader): string {
  const params: string[] = [];
  while (reader.left > 0) {
    const key = reader.u16();
    params.push(presentParam(key, reader.take(reader.u16())));
  }
  return params.join(' ');
}

function presentParam(code: number, value: Buffer): string {
  const key = KEYS[code];
  const text = key && PRESENT[key](new Reader(value));
  if (text !== undefined) return text === '' ? key! : `${key}=${text}`;
  // Unknown keys, and values that are not what their key asks for: shown as they are.
  return value.length === 0 ? `key${code}` : `key${code}=${quoteText(value)}`;
}

/** The value's text; empty for a key without value; undefined when the octets do not fit the key. */
const PRESENT: Record<Key, (value: Reader) => string | undefined> = {
  mandatory: (value) => listOf(value, 2, () => keyName(value.u16())),
  alpn(value) {
    const ids: string[] = [];
    while (value.left > 0) {
      if (value.octets[value.at]! + 1 > value.left) return undefined;
      ids.push(
        value
          .characterString()
          .toString('latin1')
          .replaceAll(/[\\,]/g, String.raw`\$&`),
      );
    }
    return ids.length === 0 ? undefined : quoteText(Buffer.from(ids.join(','), 'latin1'));
  },
  'no-default-alpn': (value) => (value.left === 0 ? '' : undefined),
  port: (value) => (value.left === 2 ? String(value.u16()) : undefined),
  ipv4hint: (value) => listOf(value, 4, () => value.ipv4()),
  ech: (value) => (value.left > 0 ? value.rest().toString('base64') : undefined),
  ipv6hint: (value) => listOf(value, 16, () => value.ipv6()),
  dohpath: (value) => quoteText(value.rest()),
  ohttp: (value) => (value.left === 0 ? '' : undefined),
};

function listOf(value: Reader, itemOctets: number, item: () => string): string | undefined {
  if (value.left === 0 || value.left % itemOctets !== 0) return undefined;
  return Array.from({ length: value.left / itemOctets }, item).join(',');
}

const keyName = (code: number): string => KEYS[code] ?? `key${code}`;
