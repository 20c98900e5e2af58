import { BoundedMap } from '@vedette/contract';
import { type DomainReading, mergeReadings } from '../domain-reading.ts';
import type { InquiryDeps } from '../inquiry.ts';
import { type RegistryAnswer, PauseRequest } from '../servers.ts';
import type { Inquiry } from '../shared-inquiries.ts';
import { readWhoisDomain, type WhoisReading, type WhoisServer } from './whois-domain.ts';

const WHOIS_MS = 8_000;
/** IANA, the registry, its registrar, and one in between. */
const REFERRALS_MAX = 3;
const DAY_MS = 86_400_000;
const SUFFIXES_MAX = 5_000;

/** The combined result of all servers asked. */
export type WhoisFound = { answered: boolean; problems: { why: string; retry_after_s: number }[] } & (
  | { state: 'registered'; reading: DomainReading }
  | { state: 'unregistered' | 'unknown' }
);

/** Follows WHOIS referrals from `root` on, whose own are remembered for a day; from `first` on where the registry is known without asking it. */
export function whoisReferrals(root: WhoisServer) {
  const known = new BoundedMap<string, { server: WhoisServer; at: number }>(SUFFIXES_MAX);

  return async (
    name: string,
    deps: InquiryDeps,
    inquiry: Inquiry<unknown>,
    timeLeft: () => number,
    first?: string,
  ): Promise<WhoisFound> => {
    const suffix = name.slice(name.lastIndexOf('.') + 1);
    const remembered = known.get(suffix);
    const isFresh = remembered !== undefined && deps.clock.now() - remembered.at < DAY_MS;
    const visited = new Set<string>();
    const found: { answered: boolean; problems: WhoisFound['problems'] } = { answered: false, problems: [] };
    let next: WhoisServer | undefined = first === undefined ? (isFresh ? remembered.server : root) : { host: first, port: root.port };
    let registry: DomainReading | undefined;
    for (let hop = 0; next && hop <= REFERRALS_MAX; hop++) {
      const server: WhoisServer = next;
      visited.add(keyOf(server));
      const heard = await askWhois(server, root.port, name, deps, inquiry, timeLeft);
      if (!('answer' in heard)) {
        found.problems.push(heard);
        return registered(registry, found);
      }
      const said = heard.answer;
      next = said.referral && !visited.has(keyOf(said.referral)) ? said.referral : undefined;
      // A server that only refers to another knows nothing of the domain.
      found.answered ||= said.kind !== 'referral' || !next;
      if (said.kind === 'data') registry = registry ? mergeReadings(registry, said.reading) : said.reading;
      // A registrar that does not know a name which the registry knows has lost it to another.
      else if (registry) return registered(registry, found);
      else if (said.kind === 'unregistered') return { ...found, state: 'unregistered' };
      else if (said.kind === 'reserved')
        return {
          ...found,
          state: 'unregistered',
          problems: [...found.problems, { why: `${server.host} says that the name is reserved`, retry_after_s: 0 }],
        };
      if (server === root && next) known.set(suffix, { server: next, at: deps.clock.now() });
      if (!next && !registry) found.problems.push({ why: dead(server, said, server === root, suffix), retry_after_s: 0 });
      if (next && hop === REFERRALS_MAX && !registry)
        found.problems.push({ why: `more than ${REFERRALS_MAX} referrals`, retry_after_s: 0 });
    }
    return registered(registry, found);
  };
}

const registered = (reading: DomainReading | undefined, found: { answered: boolean; problems: WhoisFound['problems'] }): WhoisFound =>
  reading ? { ...found, state: 'registered', reading } : { ...found, state: 'unknown' };

function dead({ host }: WhoisServer, { referral }: WhoisReading, isRoot: boolean, suffix: string): string {
  if (referral) return `${host} refers back to ${referral.host}`;
  return isRoot ? `no server of .${suffix} tells about registrations` : `${host} sent nothing that we can read`;
}

/** `port`: where a laboratory has its servers, else WHOIS's own. */
async function askWhois(
  server: WhoisServer,
  port: number,
  name: string,
  { wire, servers, today }: InquiryDeps,
  inquiry: Inquiry<unknown>,
  timeLeft: () => number,
): Promise<RegistryAnswer<WhoisReading>> {
  const asker = { account: inquiry.account(), signal: inquiry.ways.signal, timeLeft, patience: inquiry.patience };
  return await servers.ask(
    server.port === port ? server.host : `${server.host}:${server.port}`,
    'whois',
    asker,
    WHOIS_MS,
    async (timeout_ms) => {
      const text = await wire.whois({ server, query: queryFor(server.host, name), timeout_ms }, inquiry.ways);
      const reading = readWhoisDomain(text, name, today(), port);
      if (reading.kind === 'limited') throw new PauseRequest('it does not answer us for now', '');
      return reading;
    },
  );
}

/** Servers that want more than the name (their own help pages). */
function queryFor(host: string, name: string): string {
  if (host === 'whois.denic.de') return `-T dn,ace ${name}`;
  if (host === 'whois.jprs.jp') return `${name}/e`;
  // Without the word it lists every name that begins like this one.
  if (host === 'whois.verisign-grs.com') return `domain ${name}`;
  return name;
}

const keyOf = ({ host, port }: WhoisServer): string => `${host} ${port}`;
