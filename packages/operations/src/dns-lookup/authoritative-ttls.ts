import type { CentralContext } from '../kit/index.ts';
import { type DnsAnswer, type DnsBudget, type DnsRecord, isAnswer } from '@vedette/contract';
import { DNS_QUESTIONS, questionName } from '@vedette/probes/dns';
import { unlessRefused } from '../shared/names/unless-refused.ts';
import { knownServer, type ZoneServer, zoneServers } from '../shared/names/zone-servers.ts';
import type { TypeAnswer } from './questions.ts';
import type { AskedType } from './types.ts';

/** The time spent on a better TTL, beside the look-ups and again after them. */
export const TTL_BUDGET: DnsBudget = { questions: 40, ms: 800 };
const WITHOUT_TTL: readonly AskedType[] = ['DNSKEY', 'DS'];

type Dated = Pick<DnsRecord, 'name' | 'type' | 'ttl'>;
/** The TTL that a record's zone gives it. */
export type TtlOf = (record: Dated) => number;
/** Records as the zone's own server gives them; undefined where that is not known yet. */
export type Early = readonly Dated[] | undefined;

/**
 * Asks a server of the zone for these types while the resolver is being asked, if our cache knows one: then its TTLs take no time of their own.
 * A server that says nothing in time is not tried again.
 */
export async function earlyTtls(host: string, types: readonly AskedType[], context: CentralContext): Promise<Early> {
  using resolver = context.resolver.share(TTL_BUDGET);
  const ports = { ...context, resolver };
  const server = await unlessRefused(knownServer(host, ports));
  if (!server) return undefined;
  const answers = await askServer(server, host, types, ports);
  // It may hold a zone above the host's and none of the host.
  return answers.length > 0 && answers.every(({ aa }) => !aa) ? undefined : datedOf(answers);
}

/**
 * A resolver's TTLs count down in its cache, so the zone's own server is asked again for what a cache may have answered. The resolver's TTL
 * stays when the server cannot be asked, has been asked enough, or a CNAME leads into another zone.
 */
export async function authoritativeTtls(
  host: string,
  lookups: readonly TypeAnswer[],
  early: Early,
  context: CentralContext,
): Promise<TtlOf> {
  const cached = lookups.filter(({ status, answer }) => status === 'noerror' && answer?.aa === false).map(({ type }) => type);
  const ttls = new Map<string, number>();
  const records = early ?? (cached.length > 0 ? await lateTtls(host, cached, context) : []);
  for (const record of records) ttls.set(keyOf(record), record.ttl);
  return (record) => ttls.get(keyOf(record)) ?? record.ttl;
}

const keyOf = ({ name, type }: Pick<DnsRecord, 'name' | 'type'>): string => `${name} ${type}`;

async function lateTtls(host: string, types: readonly AskedType[], context: CentralContext): Promise<readonly Dated[]> {
  using resolver = context.resolver.share(TTL_BUDGET);
  const ports = { ...context, resolver };
  const [server] = (await unlessRefused(zoneServers(host, ports, 1))) ?? [];
  return server ? datedOf(await askServer(server, host, types, ports)) : [];
}

async function askServer(
  { address }: ZoneServer,
  host: string,
  types: readonly AskedType[],
  context: CentralContext,
): Promise<DnsAnswer[]> {
  const { resolver, signal } = context;
  const responses = types
    .filter((type) => !WITHOUT_TTL.includes(type))
    .map((type) => {
      const question = DNS_QUESTIONS[type];
      return unlessRefused(resolver.ask(questionName(question, host), question.type, { server: address, signal }));
    });
  return (await Promise.all(responses)).filter((answer) => answer !== undefined).filter(isAnswer);
}

/** TTLs as the zone gave them: those of an answer that our cache kept have counted down since. */
const datedOf = (answers: readonly DnsAnswer[]): Dated[] =>
  answers.flatMap(({ aa, age_s = 0, answers: records }) =>
    aa ? records.map(({ name, type, ttl }) => ({ name, type, ttl: ttl + age_s })) : [],
  );
