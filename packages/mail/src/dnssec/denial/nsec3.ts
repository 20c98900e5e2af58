import { hash as digest } from 'node:crypto';
import type { DnsRecordOf } from '@vedette/contract';
import type { Effort } from '../effort.ts';
import { lastLabels, type Name, nameOf, nameToWire } from '../names.ts';
import { lacks } from './nsec.ts';
import type { Denial, Proof } from '../proof.ts';

type Nsec3 = DnsRecordOf<'NSEC3'>;

interface HashSpan {
  /** Hashes in hex: its order is the order of the octets. */
  owner: string;
  next: string;
  optOut: boolean;
  types: ReadonlySet<string>;
}

/** RFC 9276 §3.2 lets validators call more than this insecure. */
export const MAX_ITERATIONS = 150;

/** Records with another hash or unknown flags are to be ignored (RFC 5155 §8.1–8.2). */
export const isUsableNsec3 = ({ data, rdata }: Nsec3): boolean => data.hashAlgorithm === 1 && (rdata[1]! & 0xfe) === 0;

/**
 * The proofs of one zone's verified NSEC3 records (RFC 5155 §8). All must share salt and iterations (§7.2): those that differ from the
 * first are left out. Hashing draws on `effort`; once that is used up nothing is proven.
 */
export function nsec3Denial(records: readonly Nsec3[], zone: Name, effort: Effort): Denial {
  const { salt, iterations } = records[0]!.data;
  const spans = records
    .filter(({ data }) => data.iterations === iterations && Buffer.compare(data.salt, salt) === 0)
    .flatMap(({ name, data }): HashSpan[] => {
      const owner = fromBase32Hex(nameOf(name)[0] ?? '');
      return owner ? [{ owner, next: Buffer.from(data.nextHash).toString('hex'), optOut: data.optOut, types: new Set(data.types) }] : [];
    });

  const hashes = new Map<string, string | undefined>();
  const hashOf = (name: Name): string | undefined => {
    const wire = nameToWire(name);
    const key = wire.toString('latin1');
    if (!hashes.has(key)) {
      effort.hashes -= iterations + 1;
      hashes.set(key, effort.hashes < 0 ? undefined : nsec3Hash(wire, salt, iterations));
    }
    return hashes.get(key);
  };
  const at = (name: Name) => {
    const hash = hashOf(name);
    return spans.find(({ owner }) => owner === hash);
  };
  const over = (name: Name) => {
    const hash = hashOf(name);
    return hash === undefined ? undefined : spans.find((span) => covers(span, hash));
  };
  const coverage = (span: HashSpan | undefined): Proof => {
    if (!span) return 'unproven';
    return span.optOut ? 'opt_out' : 'proven';
  };
  /** RFC 5155 §8.3: the deepest ancestor that exists, and the span over the name one label below it. */
  const closestEncloser = (name: Name): { encloser: Name; nextCloser: HashSpan } | undefined => {
    for (let labels = name.length - 1; labels >= zone.length; labels--) {
      const encloser = lastLabels(name, labels);
      const match = at(encloser);
      if (!match) continue;
      const foreign = match.types.has('DNAME') || (match.types.has('NS') && !match.types.has('SOA'));
      const nextCloser = foreign ? undefined : over(lastLabels(name, labels + 1));
      return nextCloser && { encloser, nextCloser };
    }
    return undefined;
  };

  return {
    noName(name) {
      const proof = closestEncloser(name);
      return proof && over(['*', ...proof.encloser]) ? coverage(proof.nextCloser) : 'unproven';
    },
    noData(name, type) {
      const own = at(name);
      if (own) return lacks(own, name, type) ? 'proven' : 'unproven';
      const proof = closestEncloser(name);
      if (!proof) return 'unproven';
      const wildcard = at(['*', ...proof.encloser]);
      if (wildcard) return lacks(wildcard, ['*', ...proof.encloser], type) ? coverage(proof.nextCloser) : 'unproven';
      // Only a span that skips unsigned delegations may hide a name that has no record of its own (§8.6).
      return proof.nextCloser.optOut ? 'opt_out' : 'unproven';
    },
    noCloserName: (name, encloser) => coverage(over(lastLabels(name, encloser.length + 1))),
    delegation(name) {
      const own = at(name);
      if (own) {
        if (!lacks(own, name, 'DS')) return 'unproven';
        return own.types.has('NS') ? 'unsigned' : 'no_cut';
      }
      const proof = closestEncloser(name);
      if (!proof) return 'unproven';
      return proof.nextCloser.optOut ? 'opt_out' : 'absent';
    },
  };
}

/** RFC 5155 §5: SHA-1 of name and salt, then of hash and salt, `iterations` times more. In hex. */
export function nsec3Hash(name: Uint8Array, salt: Uint8Array, iterations: number): string {
  let hash = digest('sha1', Buffer.concat([name, salt]), 'buffer');
  for (let i = 0; i < iterations; i++) hash = digest('sha1', Buffer.concat([hash, salt]), 'buffer');
  return hash.toString('hex');
}

function covers({ owner, next }: HashSpan, hash: string): boolean {
  if (owner < next) return owner < hash && hash < next;
  return hash !== owner && (hash > owner || hash < next); // the last span runs past the end to the first hash
}

const BASE32HEX = '0123456789abcdefghijklmnopqrstuv';

/** RFC 4648 §7 without padding, to hex. Undefined when it is not that, or not a SHA-1 hash. */
function fromBase32Hex(text: string): string | undefined {
  if (text.length !== 32) return undefined;
  let bits = 0n;
  for (const digit of text) {
    const value = BASE32HEX.indexOf(digit);
    if (value < 0) return undefined;
    bits = (bits << 5n) | BigInt(value);
  }
  return bits.toString(16).padStart(40, '0');
}
