import { type CentralContext, type DnsRecord, ProbeFailure } from '@vedette/contract';
import { QueryBudgetExceeded, withQueryBudget } from '@vedette/intel/dns';
import { DNS_QUESTIONS } from '@vedette/probes/dns';
import { zoneServers } from '../zone-servers.ts';
import type { Lookup } from './questions.ts';
import type { AskedType } from './types.ts';

const MAX_QUERIES = 40;
/** Worth waiting for a better TTL. */
const PATIENCE_MS = 800;
const WITHOUT_TTL: readonly AskedType[] = ['DNSKEY', 'DS'];

/** The TTL that a record's zone gives it. */
export type TtlOf = (record: Pick<DnsRecord, 'name' | 'type' | 'ttl'>) => number;

/**
 * A resolver's TTLs count down in its cache, so the zone's own server is asked again for what a cache may have answered.
 * Where it cannot be asked, or a CNAME leads into another zone, the resolver's TTL stays.
 */
export async function authoritativeTtls(host: string, lookups: readonly Lookup[], context: CentralContext): Promise<TtlOf> {
  const cached = lookups.filter(({ type, status, answer }) => status === 'noerror' && answer?.aa === false && !WITHOUT_TTL.includes(type));
  const ttls = new Map<string, number>();
  if (cached.length > 0) {
    using resolver = withQueryBudget(context.resolver, MAX_QUERIES, { clock: context.clock, ms: PATIENCE_MS });
    const records = await authoritativeRecords(host, cached, { ...context, resolver });
    for (const record of records) ttls.set(keyOf(record), record.ttl);
  }
  return (record) => ttls.get(keyOf(record)) ?? record.ttl;
}

const keyOf = ({ name, type }: Pick<DnsRecord, 'name' | 'type'>): string => `${name} ${type}`;

async function authoritativeRecords(host: string, lookups: readonly Lookup[], context: CentralContext): Promise<DnsRecord[]> {
  const { resolver, signal } = context;
  const [server] = await zoneServers(host, context);
  if (!server) return [];
  const orNone = (error: unknown): [] => {
    if (signal.aborted || !(error instanceof ProbeFailure || error instanceof QueryBudgetExceeded)) throw error;
    return [];
  };
  const answers = await Promise.all(
    lookups
      .map(async ({ type, name }) => {
        const answer = await resolver.query(name, DNS_QUESTIONS[type].type, { server: server.address, signal });
        return answer.aa ? answer.answers : [];
      })
      .map((answer) => answer.catch(orNone)),
  );
  return answers.flat();
}
