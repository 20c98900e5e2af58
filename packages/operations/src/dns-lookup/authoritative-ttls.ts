import { type CentralContext, type DnsBudget, type DnsRecord, isAnswer } from '@vedette/contract';
import { DNS_QUESTIONS } from '@vedette/probes/dns';
import { unlessRefused } from '../unless-refused.ts';
import { zoneServers } from '../zone-servers.ts';
import type { TypeAnswer } from './questions.ts';
import type { AskedType } from './types.ts';

/** What a better TTL is worth. */
export const TTL_BUDGET: DnsBudget = { questions: 40, ms: 800 };
const WITHOUT_TTL: readonly AskedType[] = ['DNSKEY', 'DS'];

/** The TTL that a record's zone gives it. */
export type TtlOf = (record: Pick<DnsRecord, 'name' | 'type' | 'ttl'>) => number;

/**
 * A resolver's TTLs count down in its cache, so the zone's own server is asked again for what a cache may have answered.
 * Where it cannot be asked, or has been asked enough, or a CNAME leads into another zone, the resolver's TTL stays.
 */
export async function authoritativeTtls(host: string, lookups: readonly TypeAnswer[], context: CentralContext): Promise<TtlOf> {
  const cached = lookups.filter(({ type, status, answer }) => status === 'noerror' && answer?.aa === false && !WITHOUT_TTL.includes(type));
  const ttls = new Map<string, number>();
  if (cached.length > 0) {
    using resolver = context.resolver.share(TTL_BUDGET);
    const records = await authoritativeRecords(host, cached, { ...context, resolver });
    for (const record of records) ttls.set(keyOf(record), record.ttl);
  }
  return (record) => ttls.get(keyOf(record)) ?? record.ttl;
}

const keyOf = ({ name, type }: Pick<DnsRecord, 'name' | 'type'>): string => `${name} ${type}`;

async function authoritativeRecords(host: string, lookups: readonly TypeAnswer[], context: CentralContext): Promise<DnsRecord[]> {
  const { resolver, signal } = context;
  const [server] = (await unlessRefused(zoneServers(host, context, 1))) ?? [];
  if (!server) return [];
  const answers = await Promise.all(
    lookups.map(({ type, name }) => unlessRefused(resolver.ask(name, DNS_QUESTIONS[type].type, { server: server.address, signal }))),
  );
  return answers.flatMap((answer) => (answer && isAnswer(answer) && answer.aa ? answer.answers : []));
}
