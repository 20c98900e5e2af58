import { createPublicKey, generateKeyPairSync, hash, type KeyObject, randomBytes, sign, type X509Certificate } from 'node:crypto';
import { parseIp } from '@vedette/contract';

/** A certificate to be made: RFC 5280 §4.1, with the fields that servers of a bus need. */
export interface CertificateOptions {
  /** The issuer's key. */
  signer: KeyObject;
  /** The issuer's certificate; absent: the new certificate is an authority's and signs itself. */
  issuer?: X509Certificate;
  /** The private key whose public half it is for. */
  key: KeyObject;
  /** DNS names and addresses of a server. */
  names: readonly string[];
  /** It is valid from a day before, since the clocks of two machines differ. */
  now: Date;
  days: number;
}

const DAY_MS = 86_400_000;
const [SEQUENCE, SET, OID, UTF8_STRING, BIT_STRING, OCTET_STRING, BOOLEAN, INTEGER] = [0x30, 0x31, 0x06, 0x0c, 0x03, 0x04, 0x01, 0x02];
const [UTC_TIME, GENERALIZED_TIME] = [0x17, 0x18];
/** Context-specific tags: version and extensions of a certificate, and the names of RFC 5280 §4.2.1.6. */
const [VERSION, EXTENSIONS, DNS_NAME, IP_ADDRESS] = [0xa0, 0xa3, 0x82, 0x87];
/** Object identifiers, encoded. */
const ID = {
  commonName: '550403',
  organization: '55040a',
  subjectKeyIdentifier: '551d0e',
  keyUsage: '551d0f',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
  extKeyUsage: '551d25',
  serverAuth: '2b06010505070301',
  clientAuth: '2b06010505070302',
};
/** Signature algorithms with SHA-256 by the type of the signing key: RFC 5758 §3.2, RFC 8017 §A.2.4, RFC 8410 §3. */
const ALGORITHMS: Readonly<Record<string, string>> = { ec: '2a8648ce3d040302', rsa: '2a864886f70d01010b', ed25519: '2b6570' };
const NAME = 'Vedette message bus';

/** A new key on P-256, as PEM. */
export const newKey = (): string => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });

/** Makes a certificate, as PEM. Throws an Error for a signing key that is neither EC, RSA nor Ed25519. */
export function makeCertificate({ signer, issuer, key, names, now, days }: CertificateOptions): string {
  const type = signer.asymmetricKeyType ?? '';
  const algorithm = ALGORITHMS[type];
  if (algorithm === undefined) throw new Error(`an authority's key is EC, RSA or Ed25519, and not ${type}`);
  const signature = sequence(oid(algorithm), ...(type === 'rsa' ? [Buffer.from([0x05, 0])] : []));
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const subject = issuer ? named(ID.organization) : named(ID.commonName);
  const tbs = sequence(
    der(VERSION, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(15)])), // positive, whatever the random bits
    signature,
    issuer ? subjectOf(issuer) : subject,
    sequence(time(new Date(now.getTime() - DAY_MS)), time(new Date(now.getTime() + days * DAY_MS))),
    subject,
    publicKey,
    der(EXTENSIONS, sequence(...(issuer ? serverExtensions(names) : authorityExtensions(publicKey)))),
  );
  const signed = sign(type === 'ed25519' ? null : 'sha256', tbs, signer);
  const whole = sequence(tbs, signature, bits(0, signed));
  return `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').replaceAll(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
}

const authorityExtensions = (publicKey: Buffer): Buffer[] => [
  extension(ID.basicConstraints, sequence(der(BOOLEAN, Buffer.from([0xff])), der(INTEGER, Buffer.from([0]))), true),
  extension(ID.keyUsage, bits(1, Buffer.from([0x06])), true), // keyCertSign, cRLSign
  extension(ID.subjectKeyIdentifier, der(OCTET_STRING, hash('sha256', publicKey, 'buffer').subarray(0, 20))), // RFC 7093 §2
];

const serverExtensions = (names: readonly string[]): Buffer[] => [
  extension(ID.basicConstraints, sequence(), true),
  extension(ID.keyUsage, bits(7, Buffer.from([0x80])), true), // digitalSignature
  extension(ID.extKeyUsage, sequence(oid(ID.serverAuth), oid(ID.clientAuth))),
  extension(ID.subjectAltName, sequence(...names.map(alternativeName))),
];

function alternativeName(name: string): Buffer {
  const ip = parseIp(name);
  if (ip === undefined) return der(DNS_NAME, Buffer.from(name, 'latin1'));
  return der(IP_ADDRESS, Buffer.from(ip.value.toString(16).padStart(ip.version === 4 ? 8 : 32, '0'), 'hex'));
}

const extension = (id: string, value: Buffer, critical = false): Buffer =>
  sequence(oid(id), ...(critical ? [der(BOOLEAN, Buffer.from([0xff]))] : []), der(OCTET_STRING, value));

const named = (attribute: string): Buffer => sequence(der(SET, sequence(oid(attribute), der(UTF8_STRING, Buffer.from(NAME)))));

/** UTCTime through 2049, as RFC 5280 §4.1.2.5 wants it. */
function time(date: Date): Buffer {
  const text = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050 ? der(UTC_TIME, Buffer.from(text.slice(2))) : der(GENERALIZED_TIME, Buffer.from(text));
}

/** The subject of a certificate as it is encoded there: what it issues must repeat it. */
function subjectOf({ raw }: X509Certificate): Buffer {
  const tbs = contentOf(contentOf(raw));
  const fields: Buffer[] = [];
  for (let at = 0; at < tbs.length;) {
    const field = elementAt(tbs, at);
    fields.push(field);
    at += field.length;
  }
  const versioned = fields[0]![0] === VERSION ? 1 : 0;
  return fields[versioned + 4]!; // serial, signature, issuer, validity, subject
}

const contentOf = (element: Buffer): Buffer => {
  const { head, length } = headOf(element, 0);
  return element.subarray(head, head + length);
};

function elementAt(bytes: Buffer, at: number): Buffer {
  const { head, length } = headOf(bytes, at);
  return bytes.subarray(at, at + head + length);
}

/** The sizes of an element's tag and length, and of its content. */
function headOf(bytes: Buffer, at: number): { head: number; length: number } {
  const first = bytes[at + 1]!;
  if (first < 0x80) return { head: 2, length: first };
  const more = first & 0x7f;
  return { head: 2 + more, length: bytes.readUIntBE(at + 2, more) };
}

const sequence = (...parts: Buffer[]): Buffer => der(SEQUENCE, ...parts);
const oid = (id: string): Buffer => der(OID, Buffer.from(id, 'hex'));
const bits = (unused: number, value: Buffer): Buffer => der(BIT_STRING, Buffer.from([unused]), value);

/** One element: tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}
