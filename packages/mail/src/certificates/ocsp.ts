import { createHash, type KeyObject } from 'node:crypto';
import { validity } from '@vedette/contract';
import { type Certificate, readCertificate } from './certificate.ts';
import type { RevocationVerdict } from './crl.ts';
import { dateOf, type Der, encodeDer, oidOf, parseDer, TAG, tagged } from './der.ts';
import { readSctList, type Sct } from './sct.ts';
import { type Signed, signatureFault } from './signature.ts';

/** The most bytes that are read of a response: one with the certificates of its responder has 2 KB. */
export const OCSP_MAX_BYTES = 64 * 1024;

const SHA_1 = '1.3.14.3.2.26';
/** Hashes by which a response may name a certificate. */
const HASHES: ReadonlyMap<string, string> = new Map([
  [SHA_1, 'sha1'],
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
]);
const BASIC_RESPONSE = '1.3.6.1.5.5.7.48.1.1';
const STAPLED_SCT_LIST = '1.3.6.1.4.1.11129.2.4.5';
const SINGLE_EXTENSIONS = 1;
const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9';
const ENUMERATED = 10;
const RESPONSES_MAX = 16;
const RESPONDERS_MAX = 4;
/** Clocks of responders may be ahead of ours. */
const SKEW_MS = 5 * 60_000;
/** A response that says nothing of the next one counts for so long. */
const UNDATED_MS = 24 * 60 * 60_000;
/** OCSPResponseStatus, RFC 6960 §4.2.1. */
const REFUSALS: Record<number, string> = { 1: 'malformedRequest', 2: 'internalError', 3: 'tryLater', 5: 'sigRequired', 6: 'unauthorized' };

/**
 * Where a responder answers about a certificate: the request goes into the path, so that caches can keep the answer (RFC 6960 A.1, RFC 5019
 * §5). It has no nonce for the same reason, and less than the 255 octets above which a POST would be needed.
 */
export function ocspUrl(responder: string, certificate: Certificate, issuer: Certificate): string {
  const request = encodeDer(0x30, encodeDer(0x30, encodeDer(0x30, encodeDer(0x30, certId(certificate, issuer)))));
  return `${responder.replace(/\/$/, '')}/${encodeURIComponent(request.toString('base64'))}`;
}

/** CertID ::= SEQUENCE { hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber }, RFC 6960 §4.1.1. */
function certId({ serial }: Certificate, { subjectName, keyBits }: Certificate): Buffer {
  const algorithm = encodeDer(0x30, Buffer.from('06052b0e03021a0500', 'hex'));
  return encodeDer(
    0x30,
    algorithm,
    encodeDer(TAG.octetString, hashOf('sha1', subjectName)),
    encodeDer(TAG.octetString, hashOf('sha1', keyBits)),
    encodeDer(TAG.integer, serial),
  );
}

const hashOf = (hash: string, bytes: Uint8Array): Buffer => createHash(hash).update(bytes).digest();

/** Reads what a responder says of a certificate (RFC 6960 §3.2), asked for now or stapled by the server. `until`: when it counts no more. */
export async function judgeOcsp(
  response: Uint8Array,
  certificate: Certificate,
  issuer: Certificate,
  now: Date,
): Promise<RevocationVerdict & { until?: Date }> {
  const unknown = (why: string): RevocationVerdict => ({ state: 'unknown', why });
  const basic = readBasic(response);
  if (typeof basic === 'string') return unknown(basic);
  const fault = await responderFault(basic, issuer, now);
  if (fault !== '') return unknown(fault);
  const single = singleOf(basic, certificate, issuer);
  if (!single) return unknown('it is about another certificate');
  // SingleResponse ::= { certID, certStatus, thisUpdate, [0] nextUpdate, … }, where a status may be [0], too.
  const [, status, first, ...rest] = single.children;
  const thisUpdate = first && dateOf(first);
  const next = rest.find(({ context }) => context === 0)?.children[0];
  if (!status || !thisUpdate) return unknown(NO_RESPONSE);
  const until = (next && dateOf(next)) ?? new Date(thisUpdate.getTime() + UNDATED_MS);
  if (thisUpdate.getTime() > now.getTime() + SKEW_MS || until < now) return unknown('it is out of date');
  // CertStatus ::= CHOICE { [0] good, [1] revoked, [2] unknown }
  if (status.context === 0 || status.context === 1) return { state: status.context === 0 ? 'good' : 'revoked', until };
  return unknown('its responder does not know the certificate');
}

/** SCTs in the response about a certificate (RFC 6962 §3.3), signed or not: a log's signature is its own. Undefined for a malformed list. */
export function stapledSctsOf(response: Uint8Array, certificate: Certificate, issuer: Certificate): Sct[] | undefined {
  const basic = readBasic(response);
  const single = typeof basic === 'string' ? undefined : singleOf(basic, certificate, issuer);
  const extensions = single && tagged(single, SINGLE_EXTENSIONS)?.children[0]?.children;
  const list = extensions?.find(({ children: [oid] }) => oidOf(oid) === STAPLED_SCT_LIST)?.children.at(-1);
  if (!list) return [];
  const value = parseDer(list.contents);
  return value?.universal === TAG.octetString ? readSctList(value.contents) : undefined;
}

const singleOf = ({ responses }: BasicResponse, certificate: Certificate, issuer: Certificate): Der | undefined =>
  responses.find(({ children: [id] }) => id && isOf(id, certificate, issuer));

const NO_RESPONSE = 'it is not an OCSP response';

interface BasicResponse extends Signed {
  responder: Der;
  responses: readonly Der[];
  /** Sent along, DER: a delegated responder's own is among them. */
  certificates: readonly Uint8Array[];
}

/** OCSPResponse ::= { status, [0] { type, OCTET STRING of { ResponseData, signatureAlgorithm, signature, [0] certs } } } */
function readBasic(response: Uint8Array): BasicResponse | string {
  const [status, bytes] = parseDer(response)?.children ?? [];
  if (status?.universal !== ENUMERATED) return NO_RESPONSE;
  const refusal = status.contents[0] ?? 0;
  if (refusal !== 0) return `its responder says ${REFUSALS[refusal] ?? refusal}`;
  const [type, octets] = bytes?.children[0]?.children ?? [];
  if (oidOf(type) !== BASIC_RESPONSE || octets?.universal !== TAG.octetString) return NO_RESPONSE;
  const basic = parseDer(octets.contents);
  const [data, algorithm, signature] = basic?.children ?? [];
  if (!basic || !data || !algorithm || signature?.universal !== TAG.bitString) return NO_RESPONSE;
  // ResponseData ::= { [0] version, responderID, producedAt, responses, [1] extensions }: the responder is tagged as well.
  const fields = data.children[0]?.context === 0 ? data.children.slice(1) : data.children;
  const [responder, , responses] = fields;
  if (!responder || !responses) return NO_RESPONSE;
  return {
    tbs: data.encoded,
    algorithm,
    signature: signature.contents,
    responder,
    responses: responses.children.slice(0, RESPONSES_MAX),
    certificates: (tagged(basic, 0)?.children[0]?.children ?? []).slice(0, RESPONDERS_MAX).map(({ encoded }) => encoded),
  };
}

/** Why it is not of the issuer, or of one whom that has given the task (RFC 6960 §4.2.2.2); empty where it is. */
async function responderFault(basic: BasicResponse, issuer: Certificate, now: Date): Promise<string> {
  const keys: KeyObject[] = isBy(basic.responder, issuer) ? [issuer.publicKey] : [];
  for (const encoded of basic.certificates) {
    const delegate = readCertificate(encoded);
    if (delegate && isBy(basic.responder, delegate) && isDelegate(delegate, issuer, now)) keys.push(delegate.publicKey);
  }
  let fault = 'its responder is not the one that the issuer has named';
  for (const key of keys) if ((fault = await signatureFault(basic, key)) === '') return '';
  return fault;
}

/** ResponderID ::= CHOICE { [1] name, [2] SHA-1 of the key } */
const isBy = ({ context, children: [value] }: Der, { subjectName, keyBits }: Certificate): boolean =>
  context === 1
    ? value !== undefined && Buffer.from(value.encoded).equals(subjectName)
    : context === 2 && value !== undefined && hashOf('sha1', keyBits).equals(value.contents);

function isDelegate({ x509 }: Certificate, issuer: Certificate, now: Date): boolean {
  const { from, to } = validity(x509);
  if (from > now || to < now || !x509.keyUsage?.includes(OCSP_SIGNING)) return false;
  return x509.checkIssued(issuer.x509) && x509.verify(issuer.publicKey);
}

function isOf({ children: [algorithm, nameHash, keyHash, serial] }: Der, certificate: Certificate, issuer: Certificate): boolean {
  const hash = HASHES.get(oidOf(algorithm?.children[0]));
  if (hash === undefined || !nameHash || !keyHash || !serial) return false;
  return (
    hashOf(hash, issuer.subjectName).equals(nameHash.contents) &&
    hashOf(hash, issuer.keyBits).equals(keyHash.contents) &&
    Buffer.from(certificate.serial).equals(serial.contents)
  );
}
