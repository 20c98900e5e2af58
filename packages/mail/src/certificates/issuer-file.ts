import { X509Certificate } from 'node:crypto';
import { oidOf, parseDer, tagged } from './der.ts';

/** The most bytes that are read of the file with an issuer's certificate. */
export const ISSUER_MAX_BYTES = 64 * 1024;

const SIGNED_DATA = '1.2.840.113549.1.7.2';
const CERTIFICATES_MAX = 8;

/** The certificates in a file that caIssuers names: one in DER or PEM, or several in PKCS #7 (RFC 5280 §4.2.2.1). Empty where there are none. */
export function readIssuers(file: Uint8Array): X509Certificate[] {
  const alone = open(file);
  if (alone) return [alone];
  const [type, content] = parseDer(file)?.children ?? [];
  if (oidOf(type) !== SIGNED_DATA) return [];
  const signed = content?.children[0];
  const listed = (signed && tagged(signed, 0)?.children) ?? [];
  return listed.slice(0, CERTIFICATES_MAX).flatMap(({ encoded }) => open(encoded) ?? []);
}

function open(octets: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(octets);
  } catch {
    return undefined; // OpenSSL's word that these octets are no certificate
  }
}
