import type { X509Certificate } from 'node:crypto';
import { validity } from '@vedette/contract';
import { type Static, Type } from 'typebox';

const TEXT_MAX_CHARS = 4096;
const Text = (description: string) => Type.String({ maxLength: TEXT_MAX_CHARS, description });

/** The verdict on a certificate, as reports print it. */
export const CERTIFICATE_VERDICT = {
  valid: Type.Boolean({ description: 'The certificate is trusted, current and issued for this name' }),
  error: Type.String({ description: 'Reason why the certificate is not valid; empty if valid' }),
  not_before: Type.String({ description: 'Start of validity (RFC 3339)' }),
  not_after: Type.String({ description: 'End of validity (RFC 3339)' }),
};

/** How the last certificate that was shown looks, in the words of blackbox_exporter. */
export const ChainDetail = Type.Object({
  earliest_not_after: Type.Number({ description: 'When the first certificate that the server sent expires, s since 1970' }),
  verified_not_after: Type.Optional(
    Type.Number({ description: 'When the first one of the chain up to a trusted root expires; absent where there is none' }),
  ),
  fingerprint_sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: "Of the server's own certificate" }),
  subject: Text('RFC 2253, the most specific part first'),
  issuer: Text('As subject'),
  subject_alternative: Text('DNS names, joined by commas'),
  serial_number: Text('Hexadecimal, lower case'),
});

/** 0 for a date that cannot be read. */
const seconds = (date: Date): number => (date.getTime() || 0) / 1000;

/** `verified`: the chain up to a trusted root, where it was found to be valid. */
export function chainDetail(leaf: X509Certificate, verified: readonly X509Certificate[] | undefined): Static<typeof ChainDetail> {
  const expiry = (chain: readonly X509Certificate[]) => Math.min(...chain.map((certificate) => seconds(validity(certificate).to)));
  const names = [...(leaf.subjectAltName ?? '').matchAll(/(?:^|, )DNS:("(?:[^"\\]|\\.)*"|[^,]*)/g)].map(([, name = '']) => name);
  const cut = (text: string) => text.slice(0, TEXT_MAX_CHARS);
  return {
    earliest_not_after: expiry(sentWith(leaf)),
    ...(verified && { verified_not_after: expiry(verified) }),
    fingerprint_sha256: leaf.fingerprint256.replaceAll(':', '').toLowerCase(),
    subject: cut(distinguishedName(leaf.subject)),
    issuer: cut(distinguishedName(leaf.issuer)),
    subject_alternative: cut(names.join(',')),
    serial_number: cut(leaf.serialNumber.toLowerCase()),
  };
}

const CHAIN_MAX = 16;

/** The leaf and those that it was sent with, as Node links them. */
export function sentWith(leaf: X509Certificate): X509Certificate[] {
  const chain = [leaf];
  for (let next = leaf.issuerCertificate; next && chain.length < CHAIN_MAX; next = next.issuerCertificate) chain.push(next);
  return chain;
}

/** The order in which Go prints what names are usually made of; values of one kind are joined by a plus sign. */
const ATTRIBUTES = ['serialNumber', 'CN', 'postalCode', 'street', 'ST', 'L', 'OU', 'O', 'C'];

/** A distinguished name, one attribute a line, as RFC 2253 writes it and Go prints it. */
export function distinguishedName(lines: string | undefined): string {
  const attributes = new Map<string, string[]>();
  for (const line of (lines ?? '').split('\n').filter((each) => each.includes('='))) {
    const [kind, value] = [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)];
    const name = ATTRIBUTES.find((known) => known === kind) ?? kind;
    attributes.set(name, [...(attributes.get(name) ?? []), value]);
  }
  const others = [...attributes.keys()].filter((name) => !ATTRIBUTES.includes(name));
  return [...others.toReversed(), ...ATTRIBUTES]
    .flatMap((name) => {
      const values = attributes.get(name);
      const written = name === 'serialNumber' ? 'SERIALNUMBER' : name === 'street' ? 'STREET' : name === 'postalCode' ? 'POSTALCODE' : name;
      return values ? [values.map((value) => `${written}=${value}`).join('+')] : [];
    })
    .join(',');
}
