import type { BudgetedResolver, DnsAnswer, DnsRecordOf, TrustAnchor } from '@vedette/contract';
import { ASKED_AHEAD_LABELS, type Chain, createChain, nearestSigner, unproven, type ZoneLink } from './chain.ts';
import { denialOf } from './denial/denial.ts';
import { newEffort } from './effort.ts';
import { isUnder, lastLabels, type Name, nameOf, sameName } from './names.ts';
import { createQuestions } from './questions.ts';
import { findSet, linkText, type RRset, rrsetsOf } from './rrsets.ts';
import { type Bench, verifyRrset, type Zone } from './signatures.ts';
import { flaw, isFlaw, SECURE, type Verdict, worst } from './verdict.ts';

export interface ValidationOptions {
  /** Its budget bounds how far a hostile chain of names leads. */
  resolver: BudgetedResolver;
  /** Keys of the root that are trusted; see `IANA_TRUST_ANCHORS`. */
  anchors: readonly TrustAnchor[];
  /** Epoch seconds. */
  now: number;
  signal: AbortSignal;
}

export interface Validation {
  verdict: Verdict;
  /** The zones walked, the root first. */
  chain: readonly ZoneLink[];
  /** Judges what another server answered to the same question, without following aliases. */
  judge(answer: DnsAnswer): Promise<Verdict>;
}

const MAX_CNAMES = 16;

/**
 * Judges what the DNS answers to one question, from the root's trust anchors down, believing no resolver (RFC 4035 §5).
 * Rejects only when the signal fires: what cannot be fetched is `indeterminate`.
 */
export async function validate(host: string, type: string, options: ValidationOptions): Promise<Validation> {
  const name = nameOf(host);
  const questions = createQuestions(options.resolver, options.signal);
  questions.expect(name, type);
  questions.expect([], 'DNSKEY');
  for (let labels = 1; labels <= Math.min(name.length, ASKED_AHEAD_LABELS); labels++) questions.expect(lastLabels(name, labels), 'DS');
  const bench = { now: options.now, effort: newEffort() };
  const chain = createChain(options.anchors, questions, bench);
  const answer = await questions.ask(name, type);
  const verdict = isFlaw(answer) ? answer : await judgeAnswer(name, type, answer, chain, bench);
  return { verdict, chain: chain.links, judge: (other) => judgeLink(name, type, other, chain, bench) };
}

/** The records at this name or the alias in their place; where there is neither, their absence. */
function judgeLink(owner: Name, type: string, answer: DnsAnswer, chain: Chain, bench: Bench): Promise<Verdict> {
  const sets = rrsetsOf(answer.answers);
  const set = findSet(sets, owner, type) ?? findSet(sets, owner, 'CNAME');
  return set ? judgeSet(synthesizedFrom(sets, set) ?? set, answer, chain, bench) : judgeAbsence(owner, type, answer, chain, bench);
}

/** Follows the answer from CNAME to CNAME: it is as good as its worst link. */
async function judgeAnswer(name: Name, type: string, answer: DnsAnswer, chain: Chain, bench: Bench): Promise<Verdict> {
  const sets = rrsetsOf(answer.answers);
  const verdicts: Verdict[] = [];
  let owner = name;
  for (let links = 0; links <= MAX_CNAMES; links++) {
    const set = findSet(sets, owner, type) ?? findSet(sets, owner, 'CNAME');
    if (!set) return worst([...verdicts, await judgeAbsence(owner, type, answer, chain, bench)]);
    verdicts.push(await judgeSet(synthesizedFrom(sets, set) ?? set, answer, chain, bench));
    if (set.type === type) return worst(verdicts);
    owner = nameOf((set.records as DnsRecordOf<'CNAME'>[])[0]!.data);
  }
  return worst([...verdicts, flaw('chain_loop', linkText(name, type), `more than ${MAX_CNAMES} CNAME records in a row`)]);
}

/** The DNAME that an unsigned CNAME was made from (RFC 6672 §5.3.1). */
function synthesizedFrom(sets: readonly RRset[], set: RRset): RRset | undefined {
  if (set.type !== 'CNAME' || set.signatures.length > 0) return undefined;
  const target = nameOf((set.records as DnsRecordOf<'CNAME'>[])[0]!.data);
  return sets.find((dname) => {
    if (dname.type !== 'DNAME' || dname.name.length >= set.name.length || !isUnder(set.name, dname.name)) return false;
    const prefix = set.name.slice(0, set.name.length - dname.name.length);
    return sameName(target, [...prefix, ...nameOf((dname.records as DnsRecordOf<'DNAME'>[])[0]!.data)]);
  });
}

async function judgeSet(set: RRset, answer: DnsAnswer, chain: Chain, bench: Bench): Promise<Verdict> {
  const signers = set.signatures.map(({ data }) => nameOf(data.signerName)).filter((signer) => isUnder(set.name, signer));
  const signer = signers.toSorted((a, b) => b.length - a.length)[0];
  return byZoneOf(set.name, signer, chain, (zone) => {
    const verified = verifyRrset(set, zone, bench);
    if (isFlaw(verified)) return verified;
    if (!verified.encloser) return SECURE;
    const link = linkText(set.name, set.type);
    const denial = denialOf(answer.authorities, zone, link, bench);
    if (isFlaw(denial)) return denial;
    const proof = denial.noCloserName(set.name, verified.encloser);
    return verdictOf(proof, bench, link, 'made from a wildcard without proof that no closer name exists');
  });
}

function judgeAbsence(owner: Name, type: string, answer: DnsAnswer, chain: Chain, bench: Bench): Promise<Verdict> {
  return byZoneOf(owner, nearestSigner(rrsetsOf(answer.authorities), owner), chain, (zone) => {
    const link = linkText(owner, type);
    const denial = denialOf(answer.authorities, zone, link, bench);
    if (isFlaw(denial)) return denial;
    return answer.rcode === 'NXDOMAIN'
      ? verdictOf(denial.noName(owner), bench, link, 'answered as NXDOMAIN without proof')
      : verdictOf(denial.noData(owner, type), bench, link, 'answered as having no such records without proof');
  });
}

/**
 * Judges by the zone of `owner`. The signer says where to look, which spares the questions between, and those at names whose servers know
 * no DS: it proves nothing, as its signature must then verify with the keys of exactly that zone. Otherwise, the zone is looked for.
 */
async function byZoneOf(owner: Name, signer: Name | undefined, chain: Chain, judge: (zone: Zone) => Verdict): Promise<Verdict> {
  const zone = await chain.zoneOf(signer ?? owner);
  const verdict = isFlaw(zone) ? zone : judge(zone);
  if (signer === undefined || isFlaw(zone) || verdict.status !== 'bogus') return verdict;
  const own = await chain.zoneOf(owner);
  if (isFlaw(own)) return own.status === 'insecure' ? own : verdict;
  return sameName(own.name, zone.name) ? verdict : judge(own);
}

function verdictOf(proof: 'proven' | 'opt_out' | 'unproven', bench: Bench, link: string, what: string): Verdict {
  if (proof === 'proven') return SECURE;
  if (proof === 'opt_out') return flaw('opt_out', link, 'the proof skips unsigned delegations (NSEC3 opt-out)');
  return unproven(bench, link, what);
}
