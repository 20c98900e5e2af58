import type { DnsRecord, DnsRecordOf } from '@vedette/contract';
import { type Effort, MAX_TRIES_PER_RRSET } from './effort.ts';
import { algorithmText, type Dnskey, keyTag, supportsAlgorithm, unfitnessOfKey, verifies } from './keys.ts';
import { lastLabels, type Name, nameOf, nameText, nameToWire, sameName } from './names.ts';
import { linkText, type RRset } from './rrsets.ts';
import { type DnssecReason, type Flaw, flaw } from './verdict.ts';

type Rrsig = DnsRecordOf<'RRSIG'>;

/** A zone whose keys are trusted, by algorithm and key tag. */
export interface Zone {
  name: Name;
  keys: ReadonlyMap<string, readonly Dnskey[]>;
}

const keyId = (algorithm: number, tag: number): string => `${algorithm}/${tag}`;

/** Indexes those keys that may sign zone data. */
export function keysByTag(records: readonly Dnskey[]): Map<string, Dnskey[]> {
  return Map.groupBy(
    records.filter((key) => unfitnessOfKey(key) === undefined),
    (key) => keyId(key.data.algorithm, keyTag(key.rdata)),
  );
}

export const keysNamed = (keys: Zone['keys'], { algorithm, keyTag: tag }: { algorithm: number; keyTag: number }): readonly Dnskey[] =>
  keys.get(keyId(algorithm, tag)) ?? [];

/** The inputs of a validation besides the data: time in epoch seconds, and the allowed effort. */
export interface Bench {
  now: number;
  effort: Effort;
}

/** Verified; `encloser` is the closest encloser when the set was made from the wildcard below it. */
export interface Verified {
  encloser?: Name;
}

/** Verifies one record set with the keys of its zone (RFC 4035 §5.3). If several signatures fail, the one that came furthest is reported. */
export function verifyRrset(set: RRset, zone: Zone, bench: Bench): Verified | Flaw {
  const link = linkText(set.name, set.type);
  let flawed = flaw('missing_signature', link, `the zone ${nameText(zone.name)} is signed but this has no signature`);
  let tries = 0;
  const sorted = canonicalRecords(set.records);
  for (const signature of set.signatures) {
    const unfit = unfitness(set, signature, zone, bench.now);
    if (unfit) {
      flawed = furthest(flawed, flaw(unfit.code, link, unfit.what));
      continue;
    }
    const bytes = signedBytes(set.name, sorted, signature);
    for (const key of keysNamed(zone.keys, signature.data)) {
      if (tries++ >= MAX_TRIES_PER_RRSET || bench.effort.signatures-- <= 0)
        return flaw('validation_limit', link, 'too many signatures and keys to try');
      if (verifies(key, bytes, signature.data.signature))
        return isExpanded(set.name, signature) ? { encloser: lastLabels(set.name, signature.data.labels) } : {};
    }
    flawed = furthest(flawed, flaw('signature_invalid', link, `the signature by key ${signature.data.keyTag} does not fit the data`));
  }
  return flawed;
}

// Records that stand for a name of their own: a copy made from a wildcard would prove things about names it was never signed for.
const NEVER_EXPANDED = new Set(['DS', 'DNSKEY', 'NSEC', 'NSEC3']);

/** Why this signature cannot count, before any cryptography (RFC 4035 §5.3.1). */
function unfitness(set: RRset, { name, data }: Rrsig, zone: Zone, now: number): { code: DnssecReason; what: string } | undefined {
  if (!sameName(nameOf(data.signerName), zone.name))
    return { code: 'wrong_signer', what: `signed by ${data.signerName}, not by its zone ${nameText(zone.name)}` };
  if (!supportsAlgorithm(data.algorithm))
    return {
      code: 'unsupported_signature',
      what: `signed only with algorithm ${data.algorithm}, though the zone promises a supported one`,
    };
  if (
    data.labels > ownLabels(set.name) ||
    data.labels < zone.name.length ||
    (NEVER_EXPANDED.has(set.type) && isExpanded(set.name, { name, data }))
  )
    return { code: 'signature_invalid', what: `the signature says ${data.labels} labels, which this owner cannot have` };
  if (serialBefore(data.expiration, now))
    return { code: 'signature_expired', what: `the signature expired at ${instant(data.expiration)}` };
  if (serialBefore(now, data.inception))
    return { code: 'signature_not_yet_valid', what: `the signature is not valid before ${instant(data.inception)}` };
  if (keysNamed(zone.keys, data).length === 0)
    return {
      code: 'unknown_key',
      what: `signed by key ${data.keyTag} of algorithm ${algorithmText(data.algorithm)}, which is not trusted here`,
    };
  return undefined;
}

// How far a signature came before it failed.
const PROGRESS: readonly DnssecReason[] = [
  'missing_signature',
  'wrong_signer',
  'unsupported_signature',
  'unknown_key',
  'signature_not_yet_valid',
  'signature_expired',
  'signature_invalid',
];
const furthest = (a: Flaw, b: Flaw): Flaw => (PROGRESS.indexOf(b.code) > PROGRESS.indexOf(a.code) ? b : a);

/** Labels as RRSIG counts them: without the root and a leading asterisk (RFC 4034 §3.1.3). */
const ownLabels = (name: Name): number => (name[0] === '*' ? name.length - 1 : name.length);

const isExpanded = (name: Name, { data }: Pick<Rrsig, 'name' | 'data'>): boolean => data.labels < ownLabels(name);

/** RFC 1982 order of 32-bit times, so that 2106 passes without a failure (RFC 4034 §3.1.5). */
const serialBefore = (a: number, b: number): boolean => ((a - b) | 0) < 0;

const instant = (epochSeconds: number): string => new Date(epochSeconds * 1000).toISOString();

/** Canonical order, duplicates dropped (RFC 4034 §6.3). */
function canonicalRecords(records: readonly DnsRecord[]): Uint8Array[] {
  const sorted = records.map(({ rdata }) => rdata).sort((a, b) => Buffer.compare(a, b));
  return sorted.filter((rdata, i) => i === 0 || Buffer.compare(rdata, sorted[i - 1]!) !== 0);
}

/** The signed data, RFC 4034 §3.1.8.1: RRSIG RDATA without the signature, then each record with its original TTL. */
function signedBytes(owner: Name, rdatas: readonly Uint8Array[], signature: Rrsig): Buffer {
  const { rdata, data } = signature;
  const name = nameToWire(isExpanded(owner, signature) ? ['*', ...lastLabels(owner, data.labels)] : owner);
  const head = rdata.subarray(0, rdata.length - data.signature.length);
  const fixed = Buffer.alloc(8);
  fixed.set(rdata.subarray(0, 2)); // the type covered is the type of each record
  fixed.writeUInt16BE(1, 2); // class IN
  fixed.writeUInt32BE(data.originalTtl, 4);
  const records = rdatas.flatMap((record) => [name, fixed, Buffer.from([record.length >> 8, record.length & 0xff]), record]);
  return Buffer.concat([head, ...records]);
}
