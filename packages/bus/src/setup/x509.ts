import { createPublicKey, generateKeyPairSync, hash, type KeyObject, randomBytes, sign, type X509Certificate } from 'node:crypto';
import { parseIp } from '@vedette/contract';
import {
  type BaseBlock,
  BitString,
  Boolean as DerBoolean,
  Constructed,
  fromBER,
  GeneralizedTime,
  Integer,
  Null,
  ObjectIdentifier,
  OctetString,
  Primitive,
  Sequence,
  Set as DerSet,
  UTCTime,
  Utf8String,
} from 'asn1js';

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
/** The class of tags whose meaning a structure gives, and such tags: version and extensions of a certificate, and the names of RFC 5280 §4.2.1.6. */
const CONTEXT_CLASS = 3;
const [VERSION, EXTENSIONS, KEY_IDENTIFIER, DNS_NAME, IP_ADDRESS] = [0, 3, 0, 2, 7];
const ID = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
};
/** Signature algorithms with SHA-256 by the type of the signing key: RFC 5758 §3.2, RFC 8017 §A.2.4, RFC 8410 §3. */
const ALGORITHMS: Readonly<Record<string, string>> = { ec: '1.2.840.10045.4.3.2', rsa: '1.2.840.113549.1.1.11', ed25519: '1.3.101.112' };
const NAME = 'Vedette message bus';

/** A new key on P-256, as PEM. */
export const newKey = (): string => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });

/** Makes a certificate, as PEM. Throws an Error for a signing key that is neither EC, RSA nor Ed25519. */
export function makeCertificate({ signer, issuer, key, names, now, days }: CertificateOptions): string {
  const type = signer.asymmetricKeyType ?? '';
  const algorithm = ALGORITHMS[type];
  if (algorithm === undefined) throw new Error(`an authority's key is EC, RSA or Ed25519, and not ${type}`);
  const signature = sequence(oid(algorithm), ...(type === 'rsa' ? [new Null()] : []));
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const subject = issuer ? named(ID.organization) : named(ID.commonName);
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(15)]); // positive, whatever the random bits
  const tbs = sequence(
    tagged(VERSION, new Integer({ value: 2 })),
    new Integer({ valueHex: serial }),
    signature,
    issuer ? subjectOf(issuer) : subject,
    sequence(time(new Date(now.getTime() - DAY_MS)), time(new Date(now.getTime() + days * DAY_MS))),
    subject,
    fromBER(publicKey).result,
    tagged(EXTENSIONS, sequence(...(issuer ? serverExtensions(names, issuer) : authorityExtensions(publicKey)))),
  );
  const signed = sign(type === 'ed25519' ? null : 'sha256', encoded(tbs), signer);
  const whole = encoded(sequence(tbs, signature, bits(0, signed)));
  return `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').replaceAll(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
}

const authorityExtensions = (publicKey: Buffer): BaseBlock[] => [
  extension(ID.basicConstraints, sequence(new DerBoolean({ value: true }), new Integer({ value: 0 })), true),
  extension(ID.keyUsage, bits(1, Buffer.from([0x06])), true), // keyCertSign, cRLSign
  extension(ID.subjectKeyIdentifier, new OctetString({ valueHex: keyIdentifier(publicKey) })),
];

const serverExtensions = (names: readonly string[], issuer: X509Certificate): BaseBlock[] => [
  extension(ID.basicConstraints, sequence(), true),
  extension(ID.keyUsage, bits(7, Buffer.from([0x80])), true), // digitalSignature
  extension(ID.extKeyUsage, sequence(oid(ID.serverAuth), oid(ID.clientAuth))),
  extension(ID.subjectAltName, sequence(...names.map(alternativeName))),
  extension(ID.authorityKeyIdentifier, sequence(primitive(KEY_IDENTIFIER, subjectKeyOf(issuer)))), // RFC 5280 §4.2.1.1
];

/** RFC 7093 §2, method 1, over the whole SubjectPublicKeyInfo. */
const keyIdentifier = (publicKey: Buffer): Buffer => hash('sha256', publicKey, 'buffer').subarray(0, 20);

function alternativeName(name: string): BaseBlock {
  const ip = parseIp(name);
  if (ip === undefined) return primitive(DNS_NAME, Buffer.from(name, 'latin1'));
  return primitive(IP_ADDRESS, Buffer.from(ip.value.toString(16).padStart(ip.version === 4 ? 8 : 32, '0'), 'hex'));
}

const extension = (id: string, value: BaseBlock, critical = false): BaseBlock =>
  sequence(oid(id), ...(critical ? [new DerBoolean({ value: true })] : []), new OctetString({ valueHex: encoded(value) }));

const named = (attribute: string): BaseBlock =>
  sequence(new DerSet({ value: [sequence(oid(attribute), new Utf8String({ value: NAME }))] }));

/** UTCTime through 2049, as RFC 5280 §4.1.2.5 wants it. */
const time = (date: Date): BaseBlock =>
  date.getUTCFullYear() < 2050 ? new UTCTime({ valueDate: date }) : new GeneralizedTime({ valueDate: date });

const partsOf = (block: BaseBlock | undefined): BaseBlock[] => (block as Sequence).valueBlock.value;
const isTagged = ({ idBlock: { tagClass, tagNumber } }: BaseBlock, tag: number): boolean => tagClass === CONTEXT_CLASS && tagNumber === tag;
/** The fields of a certificate that its issuer signs. */
const fieldsOf = ({ raw }: X509Certificate): BaseBlock[] => partsOf(partsOf(fromBER(raw).result)[0]);

/** The subject of a certificate as it is encoded there: what it issues must repeat it. */
function subjectOf(certificate: X509Certificate): BaseBlock {
  const fields = fieldsOf(certificate);
  return fields[isTagged(fields[0]!, VERSION) ? 5 : 4]!; // serial, signature, issuer, validity, subject
}

/** The subjectKeyIdentifier of a certificate; one is made of its key where it has none. */
function subjectKeyOf(certificate: X509Certificate): Buffer {
  const tail = fieldsOf(certificate).find((field) => isTagged(field, EXTENSIONS));
  const extensions = tail ? partsOf(partsOf(tail)[0]) : [];
  const value = extensions
    .map(partsOf)
    .find(([id]) => (id as ObjectIdentifier).getValue() === ID.subjectKeyIdentifier)
    ?.at(-1);
  if (value === undefined) return keyIdentifier(certificate.publicKey.export({ type: 'spki', format: 'der' }));
  return Buffer.from((fromBER((value as OctetString).getValue()).result as OctetString).getValue());
}

const encoded = (block: BaseBlock): Buffer => Buffer.from(block.toBER());
const sequence = (...value: BaseBlock[]): Sequence => new Sequence({ value });
const oid = (value: string): ObjectIdentifier => new ObjectIdentifier({ value });
const bits = (unusedBits: number, valueHex: Buffer): BitString => new BitString({ unusedBits, valueHex });
const idBlock = (tagNumber: number) => ({ tagClass: CONTEXT_CLASS, tagNumber });
const tagged = (tag: number, value: BaseBlock): BaseBlock => new Constructed({ idBlock: idBlock(tag), value: [value] });
const primitive = (tag: number, valueHex: Buffer): BaseBlock => new Primitive({ idBlock: idBlock(tag), valueHex });
