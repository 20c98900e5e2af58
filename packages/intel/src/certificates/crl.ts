import { verify } from 'node:crypto';
import type { Certificate } from './certificate.ts';
import { type Der, isCritical, oidOf, parseDer, stringOf, TAG } from './der.ts';

/** What is read of a revocation list. */
export const CRL_MAX_BYTES = 512 * 1024;
/** Some 3,000 revoked certificates; mark verifying authorities have issued few more in all. */
const CRL_NODES_MAX = 20_000;

const ISSUING_DISTRIBUTION_POINT = '2.5.29.28';
const INDIRECT_CRL = 4;

/** Hash and kind of key of a signature, by its object identifier. */
const SIGNATURES: ReadonlyMap<string, { hash: string; key: string }> = new Map([
  ['1.2.840.113549.1.1.11', { hash: 'sha256', key: 'rsa' }],
  ['1.2.840.113549.1.1.12', { hash: 'sha384', key: 'rsa' }],
  ['1.2.840.113549.1.1.13', { hash: 'sha512', key: 'rsa' }],
  ['1.2.840.10045.4.3.2', { hash: 'sha256', key: 'ec' }],
  ['1.2.840.10045.4.3.3', { hash: 'sha384', key: 'ec' }],
  ['1.2.840.10045.4.3.4', { hash: 'sha512', key: 'ec' }],
]);

/** `unknown` says why the list tells nothing about the certificate. */
export type CrlVerdict = { state: 'good' | 'revoked' } | { state: 'unknown'; why: string };

/** Looks a certificate up in a revocation list of its issuer (RFC 5280 §5, §6.3). A list that does not verify tells nothing. */
export function judgeCrl(file: Uint8Array, { issuerName, serial }: Certificate, issuer: Certificate, now: Date): CrlVerdict {
  const unknown = (why: string): CrlVerdict => ({ state: 'unknown', why });
  const [tbs, algorithm, signature] = parseDer(file, CRL_NODES_MAX)?.children ?? [];
  if (!tbs || !algorithm || signature?.universal !== TAG.bitString) return unknown('it is not a revocation list in DER, or too long a one');
  const list = readList(tbs);
  if (!list) return unknown('it is not a revocation list in DER, or too long a one');
  if (!Buffer.from(list.issuer).equals(issuerName)) return unknown('it is of another authority');
  const kind = SIGNATURES.get(oidOf(algorithm.children[0]));
  if (!kind || kind.key !== issuer.publicKey.asymmetricKeyType) return unknown('it is signed in a way that is not supported');
  // The first octet of a BIT STRING counts its unused bits.
  if (!verify(kind.hash, tbs.encoded, issuer.publicKey, signature.contents.subarray(1))) return unknown('its signature does not verify');
  if (list.thisUpdate > now || (list.nextUpdate !== undefined && list.nextUpdate < now)) return unknown('it is out of date');
  if (list.isPartial) return unknown('it is of a kind that is not supported');
  return { state: list.revoked.some((other) => Buffer.from(other).equals(serial)) ? 'revoked' : 'good' };
}

interface RevocationList {
  issuer: Uint8Array;
  thisUpdate: Date;
  nextUpdate: Date | undefined;
  revoked: readonly Uint8Array[];
  /** It is about other certificates too, or about changes only, or about something that we cannot know. */
  isPartial: boolean;
}

/** TBSCertList, RFC 5280 §5.1: version OPTIONAL, signature, issuer, thisUpdate, nextUpdate OPTIONAL, revoked OPTIONAL, [0] extensions. */
function readList({ children }: Der): RevocationList | undefined {
  const fields = children[0]?.universal === TAG.integer ? children.slice(1) : children;
  const [, issuer, first, second] = fields;
  const thisUpdate = first && dateOf(first);
  const nextUpdate = second && dateOf(second);
  if (!issuer || !thisUpdate) return undefined;
  const rest = fields.slice(nextUpdate ? 4 : 3);
  const entries = rest.find(({ context }) => context === undefined)?.children ?? [];
  const extensions = rest.find(({ context }) => context === 0)?.children[0]?.children ?? [];
  return {
    issuer: issuer.encoded,
    thisUpdate,
    nextUpdate,
    revoked: entries.flatMap((entry) => entry.children[0]?.contents ?? []),
    isPartial: extensions.some(isLimiting),
  };
}

/** A critical extension changes what the list means (RFC 5280 §5.2); of these only a distribution point of its own is known here. */
function isLimiting(extension: Der): boolean {
  if (oidOf(extension.children[0]) !== ISSUING_DISTRIBUTION_POINT) return isCritical(extension);
  const value = extension.children.at(-1);
  return parseDer(value?.contents ?? new Uint8Array())?.children.some(({ context }) => context === INDIRECT_CRL) ?? true;
}

/** UTCTime and GeneralizedTime in the form that RFC 5280 §4.1.2.5 asks for. */
function dateOf(der: Der): Date | undefined {
  if (der.universal !== TAG.utcTime && der.universal !== TAG.generalizedTime) return undefined;
  const text = stringOf(der);
  const century = der.universal === TAG.generalizedTime ? '' : Number(text.slice(0, 2)) < 50 ? '20' : '19';
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(century + text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second] = match;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
