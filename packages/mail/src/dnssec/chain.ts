import type { DnsAnswer, DnsRecordOf, TrustAnchor } from '@vedette/contract';
import { denialOf } from './denial/denial.ts';
import { algorithmText, asZoneKey, type Dnskey, dsMatches, keyTag, unfitnessOfKey, usableDs } from './keys.ts';
import { isUnder, lastLabels, type Name, nameOf, nameText } from './names.ts';
import type { Questions } from './questions.ts';
import { findSet, linkText, type RRset, rrsetsOf } from './rrsets.ts';
import { type Bench, keysByTag, keysNamed, verifyRrset, type Zone } from './signatures.ts';
import { type DnssecReason, type DnssecStatus, type Flaw, flaw, isFlaw } from './verdict.ts';

/** One zone on the way down from the root, and whether its keys can be trusted. */
export interface ZoneLink {
  zone: string;
  status: DnssecStatus;
  code?: DnssecReason;
}

/** Follows delegations from the trust anchors down. */
export interface Chain {
  /** The zone that holds a name, with trusted keys; or the link that ends the trust above it. */
  zoneOf(name: Name): Promise<Zone | Flaw>;
  /** The zones seen so far, the root first. */
  readonly links: readonly ZoneLink[];
}

/** Where a name stands: its zone, and whether nothing exists there or below, so that no zone can begin. */
type Standing = { zone: Zone; empty: boolean } | Flaw;

/** Labels of a name whose zone cuts are asked for ahead, all at once. */
export const ASKED_AHEAD_LABELS = 8;

export function createChain(anchors: readonly TrustAnchor[], questions: Questions, bench: Bench): Chain {
  const links: ZoneLink[] = [];
  const standings = new Map<string, Promise<Standing>>();

  const note = <R extends object>(zone: Name, result: R): R => {
    links.push({ zone: nameText(zone), ...(isFlaw(result) ? { status: result.status, code: result.code } : { status: 'secure' }) });
    return result;
  };

  /** Whether `child` begins a zone of its own, and which. */
  const step = async (zone: Zone, child: Name): Promise<Standing> => {
    const answer = await questions.ask(child, 'DS');
    if (isFlaw(answer)) return answer;
    const sets = rrsetsOf(answer.answers);
    const ds = findSet(sets, child, 'DS');
    if (ds) {
      const verified = verifyRrset(ds, zone, bench);
      return note(
        child,
        isFlaw(verified)
          ? verified
          : await admit(
              child,
              (ds.records as DnsRecordOf<'DS'>[]).map(({ data }) => data),
              questions,
              bench,
            ),
      );
    }
    const alias = aliasOver(sets, child);
    if (alias) {
      const verified = verifyRrset(alias, zone, bench);
      return isFlaw(verified) ? verified : { zone, empty: alias.type === 'DNAME' };
    }
    const standing = withoutDs(zone, child, answer, bench);
    return isFlaw(standing) && (await beginsZone(child, standing, questions)) ? note(child, standing) : standing;
  };

  const standingOf = (name: Name): Promise<Standing> => {
    const key = nameText(name);
    const known = standings.get(key);
    if (known) return known;
    const standing = find(name);
    standings.set(key, standing);
    return standing;
  };
  const find = async (name: Name): Promise<Standing> => {
    if (name.length === 0) return note(name, await admit(name, anchors, questions, bench));
    const above = await standingOf(lastLabels(name, name.length - 1));
    return isFlaw(above) || above.empty ? above : step(above.zone, name);
  };

  return {
    links,
    async zoneOf(name) {
      const standing = (name.length > ASKED_AHEAD_LABELS && (await leap(name, standingOf, questions, bench))) || (await standingOf(name));
      return isFlaw(standing) ? standing : standing.zone;
    },
  };
}

/** Whether this is a zone's name: where the parent does not say so by a DS or its absence, an SOA does. */
async function beginsZone(child: Name, { code }: Flaw, questions: Questions): Promise<boolean> {
  if (code === 'unsigned_delegation') return true;
  const answer = await questions.ask(child, 'SOA');
  return !isFlaw(answer) && findSet(rrsetsOf(answer.answers), child, 'SOA') !== undefined;
}

/**
 * Where a name far down stands, by one question: if a zone above proves that it has this name, or none there, then no other zone begins in
 * between. Undefined when it does not.
 */
async function leap(
  name: Name,
  standingOf: (name: Name) => Promise<Standing>,
  questions: Questions,
  bench: Bench,
): Promise<Standing | undefined> {
  const answer = await questions.ask(name, 'DS');
  if (isFlaw(answer)) return undefined;
  const signer = nearestSigner(rrsetsOf(answer.authorities), name);
  if (!signer || signer.length === name.length) return undefined;
  const above = await standingOf(signer);
  if (isFlaw(above)) return above;
  const denial = denialOf(answer.authorities, above.zone, linkText(name, 'DS'), bench);
  const delegation = isFlaw(denial) ? undefined : denial.delegation(name);
  return delegation === 'no_cut' || delegation === 'absent' ? { zone: above.zone, empty: delegation === 'absent' } : undefined;
}

/** The deepest zone at or above `name` in whose name a denial is signed. That proves nothing: its signature must yet verify. */
export const nearestSigner = (sets: readonly RRset[], name: Name): Name | undefined =>
  sets
    .filter(({ type }) => type === 'NSEC' || type === 'NSEC3')
    .flatMap(({ signatures }) => signatures.map(({ data }) => nameOf(data.signerName)))
    .filter((signer) => isUnder(name, signer))
    .toSorted((a, b) => b.length - a.length)[0];

/** A zone whose key set is signed by a key that one of `dsSet` names (RFC 4035 §5.2). */
async function admit(name: Name, dsSet: readonly TrustAnchor[], questions: Questions, bench: Bench): Promise<Standing> {
  const usable = usableDs(dsSet);
  if (usable.length === 0) return unsupported(name, dsSet);
  const answer = await questions.ask(name, 'DNSKEY');
  if (isFlaw(answer)) return answer;
  const set = findSet(rrsetsOf(answer.answers), name, 'DNSKEY');
  const link = linkText(name, 'DNSKEY');
  if (!set && name.length === 0)
    return flaw('resolver_without_dnssec', link, 'the resolver passes on no keys of the root, so nothing can be validated');
  if (!set) return flaw('no_trusted_key', link, 'the zone has no keys, though its parent has a DS for it');
  if (name.length === 0 && set.signatures.length === 0)
    return flaw('resolver_without_dnssec', link, 'the resolver passes on no signatures, so nothing can be validated');
  const keys = keysByTag(set.records as unknown as Dnskey[]);
  const named: Dnskey[] = [];
  for (const ds of usable)
    for (const key of keysNamed(keys, ds)) {
      if (bench.effort.hashes-- <= 0) return flaw('validation_limit', link, 'too many keys and DS records to compare');
      if (dsMatches(ds, name, key)) named.push(key);
    }
  if (named.length === 0) {
    const who = name.length === 0 ? 'trust anchor' : 'DS record';
    const unfit = (set.records as unknown as Dnskey[]).find((key) => isNamedUnfit(key, name, usable, bench));
    if (unfit) return flaw('unfit_key', link, `the key ${keyTag(unfit.rdata)} that a ${who} names ${unfitnessOfKey(unfit)}`);
    return flaw('no_trusted_key', link, `none of the zone's keys is the one that a ${who} names`);
  }
  const verified = verifyRrset(set, { name, keys: keysByTag(named) }, bench);
  return isFlaw(verified) ? verified : { zone: { name, keys }, empty: false };
}

function isNamedUnfit(key: Dnskey, name: Name, usable: readonly TrustAnchor[], bench: Bench): boolean {
  if (unfitnessOfKey(key) === undefined) return false;
  bench.effort.hashes -= usable.length;
  return bench.effort.hashes >= 0 && usable.some((ds) => [key, asZoneKey(key)].some((each) => dsMatches(ds, name, each)));
}

/** The status of `child` when its parent has no DS for it, by the proof of its absence. */
function withoutDs(zone: Zone, child: Name, answer: DnsAnswer, bench: Bench): Standing {
  const link = linkText(child, 'DS');
  const denial = denialOf(answer.authorities, zone, link, bench);
  if (isFlaw(denial)) return denial;
  switch (denial.delegation(child)) {
    case 'no_cut':
      return { zone, empty: false };
    case 'absent':
      return { zone, empty: true };
    case 'unsigned':
      return flaw('unsigned_delegation', link, `${nameText(zone.name)} proves that it delegates this zone without a DS`);
    case 'opt_out':
      return flaw('opt_out', link, `${nameText(zone.name)} leaves unsigned delegations out of its NSEC3 chain, and this may be one`);
    default:
      return unproven(bench, link, 'the absence of a DS record is not proven');
  }
}

/** A proof that does not hold: because the records do not say so, or because checking them would cost too much. */
export const unproven = (bench: Bench, link: string, what: string): Flaw =>
  bench.effort.hashes < 0 ? flaw('validation_limit', link, 'the NSEC3 proof costs too much to check') : flaw('missing_denial', link, what);

/** RFC 4035 §5.2, RFC 6840 §5.2: a delegation that only names what we do not know is treated as unsigned. */
function unsupported(name: Name, dsSet: readonly TrustAnchor[]): Flaw {
  const link = linkText(name, 'DS');
  const unknown = dsSet.filter((ds) => usableDs([{ ...ds, digestType: 2 }]).length === 0);
  return unknown.length === dsSet.length
    ? flaw(
        'unsupported_algorithm',
        link,
        `signed only with algorithm ${list(unknown.map((ds) => algorithmText(ds.algorithm)))}, which is not validated`,
      )
    : flaw('unsupported_digest', link, `only digests of type ${list(dsSet.map((ds) => String(ds.digestType)))}, which are not supported`);
}
const list = (texts: readonly string[]): string => [...new Set(texts)].join(', ');

/** The alias in place of a DS at this name: a CNAME there, which no zone cut can have, or a DNAME above. */
const aliasOver = (sets: readonly RRset[], name: Name): RRset | undefined =>
  sets.find((set) => set.type === 'DNAME' && set.name.length < name.length && isUnder(name, set.name)) ?? findSet(sets, name, 'CNAME');
