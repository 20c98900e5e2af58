import {
  type DnsAnswer,
  isAnswer,
  isAtOrUnder,
  type QueryOptions,
  recordsOf,
  type Unanswered,
  type DnsPorts,
  lookUp,
} from '@vedette/contract';
import { labelsOf } from '../../kit/index.ts';
import { apexOf } from './zone-apex.ts';

/** One of a zone's own name servers. */
export interface ZoneServer {
  name: string;
  address: string;
}

export const ZONE_SERVERS_MAX = 4;
/** How many of the parent's servers are asked to whom they delegate. */
const PARENTS_MAX = 2;
/** How far above a host our cache is looked through. */
const MAX_KNOWN_LABELS = 8;
/** The most questions for finding them: 127 labels are halved seven times. */
export const ZONE_QUERIES_MAX = 8 + 1 + 3 * PARENTS_MAX + 2 * ZONE_SERVERS_MAX;

/**
 * Name servers of the zone that holds `host`, with an address each, IPv4 if they have one; empty when no server answers. If no resolver
 * gets an answer from a zone, these are the servers of its parent's delegation. Rejects with the signal's reason, and with the gate's
 * `ApiError`.
 */
export async function zoneServers(host: string, ports: DnsPorts, max = ZONE_SERVERS_MAX): Promise<ZoneServer[]> {
  const apex = await apexOf(host, (name) => ask(ports, name, 'SOA'));
  return apex === undefined ? await delegatedServers(host, ports, max) : await apexServers(apex, ports, max);
}

/**
 * A server of the zone that begins nearest above `host`, if our cache knows it; otherwise no server is asked. It may be that another zone
 * holds the host: then the server does not answer with authority.
 */
export async function knownServer(host: string, ports: DnsPorts): Promise<ZoneServer | undefined> {
  const labels = labelsOf(host);
  for (let climbed = 0; climbed === 0 || climbed < Math.min(labels.length, MAX_KNOWN_LABELS); climbed++) {
    const above = labels.slice(climbed).join('.') || '.';
    const known = await ask(ports, above, 'NS', { cachedOnly: true });
    const names = known ? namesOf(known, above) : [];
    if (names.length > 0) return (await withAddresses(names, ports, 1))[0];
  }
  return undefined;
}

/** The name servers of the zone that begins at `apex`, as `zoneServers` gives them. */
export async function apexServers(apex: string, ports: DnsPorts, max = ZONE_SERVERS_MAX): Promise<ZoneServer[]> {
  const answer = await ask(ports, apex, 'NS');
  return answer ? await withAddresses(namesOf(answer, apex), ports, max) : [];
}

/** Behind a CNAME stand the servers of another zone. */
const namesOf = (answer: DnsAnswer, apex: string): string[] =>
  recordsOf(answer, 'NS')
    .filter(({ name }) => name === apex)
    .map(({ data }) => data);

/** The servers in the parent's referral (RFC 1034 §4.2.1). */
async function delegatedServers(host: string, ports: DnsPorts, max: number): Promise<ZoneServer[]> {
  const parent = await nearestAnswering(host, ports);
  for (const { address } of await apexServers(parent, ports, PARENTS_MAX)) {
    const referral = await ask(ports, host, 'NS', { server: address, fresh: true });
    const delegated = (referral ? recordsOf({ answers: referral.authorities }, 'NS') : []).filter(
      ({ name }) => name !== parent && isAtOrUnder(host, name),
    );
    if (delegated.length > 0)
      return await withAddresses(
        delegated.map(({ data }) => data),
        ports,
        max,
        referral,
      );
  }
  return [];
}

/** The apex of the deepest zone above `host` that answers. A name without an answer has none below either, so the labels are halved. */
async function nearestAnswering(host: string, ports: DnsPorts): Promise<string> {
  const labels = labelsOf(host);
  let [answering, silent, apex] = [0, labels.length, '.'];
  while (silent - answering > 1) {
    const middle = (answering + silent) >> 1;
    const found = await apexOf(labels.slice(-middle).join('.'), (name) => ask(ports, name, 'SOA'));
    if (found === undefined) silent = middle;
    else [answering, apex] = [middle, found];
  }
  return apex;
}

async function withAddresses(names: readonly string[], ports: DnsPorts, max: number, referral?: DnsAnswer): Promise<ZoneServer[]> {
  const glue = (name: string) =>
    (['A', 'AAAA'] as const)
      .flatMap((type) => (referral ? recordsOf({ answers: referral.additionals }, type) : []))
      .find((record) => record.name === name);
  const servers = names.slice(0, max).map(async (name) => {
    const record = glue(name) ?? (await lookUp(ports, name, 'A')).records[0] ?? (await lookUp(ports, name, 'AAAA')).records[0];
    return record ? [{ name, address: record.data }] : [];
  });
  return (await Promise.all(servers)).flat();
}

/** Unvalidated: who serves a zone does not depend on whether its signatures hold. */
async function ask(
  { resolver, signal }: DnsPorts,
  name: string,
  type: 'SOA' | 'NS',
  options: Pick<QueryOptions, 'server' | 'fresh' | 'cachedOnly'> = {},
): Promise<DnsAnswer | undefined> {
  const response = await resolver.ask(name, type, { ...options, checkingDisabled: true, signal });
  return isAnswer(response) ? response : undefined;
}

/** Whether an rcode is a fact about the name, rather than a failure to find out. NXDOMAIN does: the name is not there. */
export const isDefinite = (rcode: string): boolean => rcode === 'NOERROR' || rcode === 'NXDOMAIN';

/** The outcomes of `outcomeAt` besides rcodes, for descriptions. */
export const SERVER_OUTCOMES =
  'NOT_AUTHORITATIVE (the server does not hold the zone), TIMEOUT, UNREADABLE (invalid DNS message) or NOT_ASKED';

/**
 * The outcome of asking one of them: an rcode, or one of `SERVER_OUTCOMES`. NOT_ASKED is one whose address must not be asked, or has been
 * asked enough: `response` is undefined then.
 */
export function outcomeAt(response: DnsAnswer | Unanswered | undefined): string {
  if (response === undefined) return 'NOT_ASKED';
  if (isAnswer(response)) return response.aa || !isDefinite(response.rcode) ? response.rcode : 'NOT_AUTHORITATIVE';
  // The count of questions fits the budget, so where that is spent it is the time.
  if (response.code === 'dns_timeout' || response.code === 'budget_spent') return 'TIMEOUT';
  return response.code === 'dns_servfail' ? 'UNREADABLE' : 'NOT_ASKED';
}
