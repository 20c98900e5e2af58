import { type Cidr, cidrOf, parseIp, type RecordType, type DnsPorts, type Lookup, lookUp } from '@vedette/contract';
import { LOOKUPS_MAX, NAMES_MAX } from './evaluation.ts';
import { constantName, isTargetName, type Reading } from './macro.ts';
import { type Directive, effectiveDirectives, type Mechanism, type SpfRecord } from './record.ts';

/** A term of which something holds for senders of these families. */
export interface FamilyTerm {
  text: string;
  ipv4: boolean;
  ipv6: boolean;
}

/** A term that may be a temperror, since one of its questions had no answer (RFC 7208 §5). */
export interface UnansweredTerm {
  text: string;
  error: string;
}

/** The networks that a record's own terms authorise, and oddities of the hosts that they name. */
export interface HostNetworks {
  networks: Cidr[];
  /** `exists` terms that let all senders pass: the name exists and does not depend on the sender. */
  openTerms: string[];
  /** Terms whose question finds nothing (RFC 7208 §4.6.4). */
  voidTerms: FamilyTerm[];
  /** Terms that authorise addresses of a family by listing them. */
  listingTerms: FamilyTerm[];
  crowdedTerms: string[];
  unansweredTerms: UnansweredTerm[];
  /** Questions that got no answer, or were not asked. */
  errors: string[];
}

/** Twice what an evaluation may ask (RFC 7208 §4.6.4); a record of 64 KB could have 30,000 such terms. */
const HOST_TERMS_MAX = 2 * LOOKUPS_MAX;

/**
 * Resolves a record's `a` and `mx` terms to networks, beside its `ip4` and `ip6`, and asks whether what its `exists` terms name is there.
 * Only `+` terms authorise (RFC 7208 §4.6.2).
 */
export async function hostNetworks(record: SpfRecord, reading: Reading, ports: DnsPorts): Promise<HostNetworks> {
  const directives = effectiveDirectives(record);
  const hostTerms = directives.flatMap((directive) => hostTermOf(directive, reading) ?? []);
  const queriedTerms = hostTerms.slice(0, HOST_TERMS_MAX);
  const parts = await Promise.all(queriedTerms.map((term) => askHosts(term, ports)));
  const authorising = parts.filter((_, i) => queriedTerms[i]!.qualifier === '+');
  const own = directives.map((directive) => ({ text: directive.text, networks: ownNetwork(directive) }));
  const ofHosts = parts.flatMap(({ networks }, i) => (queriedTerms[i]!.qualifier === '+' ? { text: queriedTerms[i]!.text, networks } : []));
  const left =
    hostTerms.length > queriedTerms.length
      ? [`${reading.domain} names hosts in more than ${HOST_TERMS_MAX} terms; the rest was not asked`]
      : [];
  return {
    networks: [...own, ...ofHosts].flatMap(({ networks }) => networks),
    openTerms: authorising.flatMap(({ openTerms }) => openTerms),
    voidTerms: parts.flatMap(({ voidTerms }) => voidTerms),
    listingTerms: [...own, ...ofHosts].flatMap(listingTerm),
    crowdedTerms: parts.flatMap(({ crowdedTerms }) => crowdedTerms),
    unansweredTerms: parts.flatMap(({ unansweredTerms }) => unansweredTerms),
    errors: [...parts.flatMap(({ errors }) => errors), ...left],
  };
}

function listingTerm({ text, networks }: { text: string; networks: readonly Cidr[] }): FamilyTerm[] {
  const ipv4 = networks.some(({ version }) => version === 4);
  const ipv6 = networks.some(({ version }) => version === 6);
  return ipv4 || ipv6 ? [{ text, ipv4, ipv6 }] : [];
}

const ownNetwork = ({ qualifier, mechanism }: Directive): Cidr[] =>
  qualifier === '+' && (mechanism.name === 'ip4' || mechanism.name === 'ip6') ? [mechanism.network] : [];

/** A term about a host whose name does not depend on the sender. */
type HostTerm = Omit<Directive, 'mechanism'> & { mechanism: Extract<Mechanism, { name: 'a' | 'mx' | 'exists' }>; name: string };

/** Undefined when the term needs no question: it has no host, one that depends on the message, or an invalid name (§4.8). */
function hostTermOf({ mechanism, ...directive }: Directive, reading: Reading): HostTerm | undefined {
  if (mechanism.name !== 'a' && mechanism.name !== 'mx' && mechanism.name !== 'exists') return undefined;
  const name = mechanism.domain ? constantName(mechanism.domain, reading) : reading.domain;
  return name !== undefined && isTargetName(name) ? { ...directive, mechanism, name } : undefined;
}

const NOTHING: HostNetworks = {
  networks: [],
  openTerms: [],
  voidTerms: [],
  listingTerms: [],
  crowdedTerms: [],
  unansweredTerms: [],
  errors: [],
};

function askHosts({ mechanism, name, text }: HostTerm, ports: DnsPorts): Promise<HostNetworks> {
  switch (mechanism.name) {
    case 'a':
      return askAddresses(name, text, mechanism, ports);
    case 'mx':
      return askExchanges(name, text, mechanism, ports);
    default:
      return askExistence(name, text, ports);
  }
}

interface Prefixes {
  bits4: number;
  bits6: number;
}

async function askAddresses(name: string, text: string, prefixes: Prefixes, ports: DnsPorts): Promise<HostNetworks> {
  const { networks, empty4, empty6, lookups } = await addressNetworks([name], prefixes, ports);
  return { ...NOTHING, ...failuresOf(lookups, text), networks, voidTerms: empty4 || empty6 ? [{ text, ipv4: empty4, ipv6: empty6 }] : [] };
}

async function askExchanges(name: string, text: string, prefixes: Prefixes, ports: DnsPorts): Promise<HostNetworks> {
  const found = await lookUp(ports, name, 'MX');
  const exchanges = found.records.map(({ data }) => data.exchange).filter((exchange) => exchange !== '.');
  const { networks, lookups } = await addressNetworks(exchanges.slice(0, NAMES_MAX), prefixes, ports);
  return {
    ...NOTHING,
    ...failuresOf([found, ...lookups], text),
    networks,
    voidTerms: voidTermsOf(found, text),
    crowdedTerms: exchanges.length > NAMES_MAX ? [text] : [],
  };
}

/** Always A, whatever the sender's family (RFC 7208 §5.7). */
async function askExistence(name: string, text: string, ports: DnsPorts): Promise<HostNetworks> {
  const found = await lookUp(ports, name, 'A');
  return {
    ...NOTHING,
    ...failuresOf([found], text),
    openTerms: found.records.length > 0 ? [text] : [],
    voidTerms: voidTermsOf(found, text),
  };
}

const isVoid = ({ state }: Lookup<RecordType>): boolean => state === 'nodata' || state === 'nxdomain';

const voidTermsOf = (found: Lookup<RecordType>, text: string): FamilyTerm[] => (isVoid(found) ? [{ text, ipv4: true, ipv6: true }] : []);

function failuresOf(lookups: readonly Lookup<RecordType>[], text: string): Pick<HostNetworks, 'errors' | 'unansweredTerms'> {
  const failed = lookups.filter(({ state }) => state === 'failed');
  const unanswered = failed.find(({ isOurs }) => !isOurs);
  return { errors: failed.map(({ error }) => error), unansweredTerms: unanswered ? [{ text, error: unanswered.error }] : [] };
}

async function addressNetworks(names: readonly string[], { bits4, bits6 }: Prefixes, ports: DnsPorts) {
  const [found4, found6] = await Promise.all([
    Promise.all(names.map((name) => lookUp(ports, name, 'A'))),
    Promise.all(names.map((name) => lookUp(ports, name, 'AAAA'))),
  ]);
  const networks = [
    ...found4.flatMap(({ records }) => records.flatMap(({ data }) => networkOf(data, bits4) ?? [])),
    ...found6.flatMap(({ records }) => records.flatMap(({ data }) => networkOf(data, bits6) ?? [])),
  ];
  return {
    networks,
    empty4: found4.every(isVoid),
    empty6: found6.every(isVoid),
    lookups: [...found4, ...found6],
  };
}

function networkOf(address: string, bits: number): Cidr | undefined {
  const ip = parseIp(address);
  return ip && cidrOf(ip, bits);
}
