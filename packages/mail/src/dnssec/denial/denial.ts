import type { DnsRecord, DnsRecordOf } from '@vedette/contract';
import { isUnder, nameText } from '../names.ts';
import { isUsableNsec3, MAX_ITERATIONS, nsec3Denial } from './nsec3.ts';
import { nsecDenial } from './nsec.ts';
import type { Denial } from '../proof.ts';
import { type RRset, rrsetsOf } from '../rrsets.ts';
import { type Bench, verifyRrset, type Zone } from '../signatures.ts';
import { type Flaw, flaw, isFlaw } from '../verdict.ts';

// A denial needs three records; the rest of a larger authority section is not worth its signatures.
const MAX_DENIAL_SETS = 8;

/** Verifies the denial records that `zone` signed. A flaw when none holds, at `link`: what they should deny. */
export function denialOf(authorities: readonly DnsRecord[], zone: Zone, link: string, bench: Bench): Denial | Flaw {
  const sets = rrsetsOf(authorities).filter(
    (set) => (set.type === 'NSEC' || set.type === 'NSEC3') && isUnder(set.name, zone.name) && set.signatures.length > 0,
  );
  let firstFlaw: Flaw | undefined;
  const verified: RRset[] = [];
  for (const set of sets.slice(0, MAX_DENIAL_SETS)) {
    const result = verifyRrset(set, zone, bench);
    if (isFlaw(result)) firstFlaw ??= result;
    else verified.push(set);
  }
  const nsec = ofType(verified, 'NSEC');
  if (nsec.length > 0) return nsecDenial(nsec);
  const nsec3 = ofType(verified, 'NSEC3').filter(isUsableNsec3);
  if (nsec3.length === 0) return firstFlaw ?? flaw('missing_denial', link, 'the absence of data is not proven by NSEC or NSEC3');
  if (nsec3.some(({ data }) => data.iterations > MAX_ITERATIONS))
    return flaw('nsec3_iterations', nameText(zone.name), `its NSEC3 records ask for more than ${MAX_ITERATIONS} iterations`);
  return nsec3Denial(nsec3, zone.name, bench.effort);
}

const ofType = <T extends 'NSEC' | 'NSEC3'>(sets: readonly RRset[], type: T): DnsRecordOf<T>[] =>
  sets.flatMap((set) => (set.type === type ? (set.records as unknown as DnsRecordOf<T>[]) : []));
