import { type Certificate, KEY_USAGE } from './certificate.ts';
import { parseDer } from './der.ts';

/** Bits of KeyUsage, RFC 5280 §4.2.1.3, from the first. */
const KEY_USAGES = [
  'digitalSignature', 'nonRepudiation', 'keyEncipherment', 'dataEncipherment', 'keyAgreement', 'keyCertSign', 'cRLSign', 'encipherOnly', 'decipherOnly',
] as const; // prettier-ignore

/** Purposes of ExtKeyUsage that have a name in RFC 5280 §4.2.1.12. */
const PURPOSES: Readonly<Record<string, string>> = {
  '1.3.6.1.5.5.7.3.1': 'serverAuth',
  '1.3.6.1.5.5.7.3.2': 'clientAuth',
  '1.3.6.1.5.5.7.3.3': 'codeSigning',
  '1.3.6.1.5.5.7.3.4': 'emailProtection',
  '1.3.6.1.5.5.7.3.8': 'timeStamping',
  '1.3.6.1.5.5.7.3.9': 'OCSPSigning',
  '2.5.29.37.0': 'anyExtendedKeyUsage',
};

/** Uses of the key by name; empty where the certificate names none. */
export function keyUsageOf({ extensions }: Pick<Certificate, 'extensions'>): string[] {
  const extension = extensions.get(KEY_USAGE);
  // The first octet of a BIT STRING counts its unused bits.
  const octets = (extension && parseDer(extension)?.contents.subarray(1)) ?? new Uint8Array();
  return KEY_USAGES.filter((_, bit) => ((octets[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0);
}

/** Purposes of the certificate by name, or as object identifiers; empty where it names none. */
export const purposesOf = ({ x509 }: Pick<Certificate, 'x509'>): string[] => (x509.keyUsage ?? []).map((oid) => PURPOSES[oid] ?? oid);
