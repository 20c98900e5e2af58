import type { DnsRecordOf } from '@vedette/contract';

/** A TXT record's character-strings, joined without a space (RFC 7208 §3.3, RFC 6376 §3.6.2.2). Not UTF-8 is read as Latin-1. */
export function textOf({ data }: DnsRecordOf<'TXT'>): string {
  const bytes = Buffer.concat(data);
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}
