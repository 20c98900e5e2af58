import { type Certificate, generalNames, URI } from './certificate.ts';
import { dateOf, type Der, derAt, isCritical, oidOf, parseDer, type Span, spanAt, TAG, tagged } from './der.ts';
import { signatureFault } from './signature.ts';

/** The most bytes that are read of a revocation list: the largest of public authorities have some 20 MB. */
export const CRL_MAX_BYTES = 30 * 1024 * 1024;

const ISSUING_DISTRIBUTION_POINT = '2.5.29.28';
const SEQUENCE = 0x30;
const EXTENSIONS = 0xa0;

/** The status of a certificate by a list or a responder; `why` it says nothing. */
export type RevocationVerdict = { state: 'good' | 'revoked' } | { state: 'unknown'; why: string };

/** A list whose signature holds. */
export interface RevocationList {
  thisUpdate: Date;
  nextUpdate: Date | undefined;
  /** Its entries as encoded: SEQUENCE OF { userCertificate, revocationDate, … }. They are searched, never unfolded: there may be a million. */
  entries: Uint8Array;
  scope: Scope;
}

/** The scope of a list (RFC 5280 §5.2.5). */
interface Scope {
  /** It is about other authorities' certificates too, about changes only, or about something that we cannot know. */
  isPartial: boolean;
  /** Where such a list is published; undefined where it is about certificates of every distribution point. */
  points: readonly string[] | undefined;
  only: 'leaves' | 'authorities' | 'attributes' | undefined;
}

const NO_LIST = 'it is not a revocation list in DER';

/** Reads a list that is to be the issuer's (RFC 5280 §5, §6.3.3). A text says why it counts for nothing. */
export async function readCrl(file: Uint8Array, issuer: Certificate): Promise<RevocationList | string> {
  const outer = spanAt(file, 0);
  const tbs = outer && spanAt(file, outer.start, outer.end);
  const algorithm = tbs && outer && spanAt(file, tbs.end, outer.end);
  const signature = algorithm && outer && spanAt(file, algorithm.end, outer.end);
  if (!outer || outer.tag !== SEQUENCE || !tbs || tbs.tag !== SEQUENCE || !algorithm || signature?.tag !== TAG.bitString) return NO_LIST;
  const list = readFields(file, tbs);
  const kind = derAt(file, algorithm);
  if (!list || !kind) return NO_LIST;
  if (!Buffer.from(list.issuer).equals(issuer.subjectName)) return 'it is of another authority';
  if (!issuer.signsLists) return 'its authority may not sign revocation lists';
  const signed = {
    tbs: file.subarray(tbs.from, tbs.end),
    algorithm: kind,
    signature: file.subarray(signature.start, signature.end),
  };
  const fault = await signatureFault(signed, issuer.publicKey);
  return fault === '' ? list : fault;
}

/** TBSCertList, RFC 5280 §5.1: version OPTIONAL, signature, issuer, thisUpdate, nextUpdate OPTIONAL, revoked OPTIONAL, [0] extensions. */
function readFields(file: Uint8Array, tbs: Span): (RevocationList & { issuer: Uint8Array }) | undefined {
  const fields: Span[] = [];
  for (let at = tbs.start; at < tbs.end && fields.length < 8; at = fields.at(-1)!.end) {
    const field = spanAt(file, at, tbs.end);
    if (!field) return undefined;
    fields.push(field);
  }
  if (fields[0]?.tag === TAG.integer) fields.shift();
  const [, issuer, first, second] = fields;
  const thisUpdate = first && dateAt(file, first);
  const nextUpdate = second && dateAt(file, second);
  if (!issuer || !thisUpdate) return undefined;
  const rest = fields.slice(nextUpdate ? 4 : 3);
  const entries = rest.find(({ tag }) => tag === SEQUENCE);
  const extensions = rest.find(({ tag }) => tag === EXTENSIONS);
  return {
    issuer: file.subarray(issuer.from, issuer.end),
    thisUpdate,
    nextUpdate,
    entries: entries ? file.subarray(entries.start, entries.end) : new Uint8Array(),
    scope: scopeOf((extensions && derAt(file, extensions)?.children[0]?.children) ?? []),
  };
}

function dateAt(file: Uint8Array, span: Span): Date | undefined {
  if (span.tag !== TAG.utcTime && span.tag !== TAG.generalizedTime) return undefined;
  const der = derAt(file, span);
  return der && dateOf(der);
}

/** A critical extension changes what the list means (RFC 5280 §5.2); of these only a distribution point of its own is known here. */
function scopeOf(extensions: readonly Der[]): Scope {
  const isPoint = (extension: Der) => oidOf(extension.children[0]) === ISSUING_DISTRIBUTION_POINT;
  const isPartial = extensions.some((extension) => isCritical(extension) && !isPoint(extension));
  const extension = extensions.find(isPoint);
  if (!extension) return { isPartial, points: undefined, only: undefined };
  // IssuingDistributionPoint ::= { [0] point, [1] leaves only, [2] authorities only, [3] some reasons only, [4] indirect, [5] attributes only }
  const point = parseDer(extension.children.at(-1)?.contents ?? new Uint8Array());
  if (!point) return { isPartial: true, points: undefined, only: undefined };
  const says = (context: number) => (tagged(point, context)?.contents[0] ?? 0) !== 0;
  const name = tagged(point, 0);
  return {
    isPartial: isPartial || tagged(point, 3) !== undefined || says(4),
    points: name && generalNames(tagged(name, 0)?.children ?? [], URI),
    only: says(1) ? 'leaves' : says(2) ? 'authorities' : says(5) ? 'attributes' : undefined,
  };
}

/** Looks a certificate up in its issuer's list. */
export function judgeByList(
  { thisUpdate, nextUpdate, entries, scope }: RevocationList,
  certificate: Certificate,
  now: Date,
): RevocationVerdict {
  const unknown = (why: string): RevocationVerdict => ({ state: 'unknown', why });
  if (thisUpdate > now || (nextUpdate !== undefined && nextUpdate < now)) return unknown('it is out of date');
  if (scope.isPartial) return unknown('it is of a kind that is not supported');
  const { points, only } = scope;
  const isElsewhere = points !== undefined && !points.some((point) => certificate.crlUrls.includes(point));
  if (isElsewhere || (only !== undefined && only !== (certificate.x509.ca ? 'authorities' : 'leaves')))
    return unknown('it is about other certificates');
  return { state: isListed(entries, certificate.serial) ? 'revoked' : 'good' };
}

/** Whether an entry begins with the serial number: it is searched as octets, and what stands around it must be an entry. */
function isListed(entries: Uint8Array, serial: Uint8Array): boolean {
  const bytes = Buffer.from(entries.buffer, entries.byteOffset, entries.length);
  const wanted = Buffer.concat([Buffer.of(TAG.integer, serial.length), serial]);
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) {
    const date = bytes[at + wanted.length];
    if ((date === TAG.utcTime || date === TAG.generalizedTime) && [2, 3, 4].some((header) => spanAt(bytes, at - header)?.start === at))
      return true;
  }
  return false;
}
