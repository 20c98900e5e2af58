import { type CentralContext, type DnsRecord, ProbeFailure, recordsOf, type Resolver } from '@vedette/contract';
import { QUERIES_MAX, QueryBudgetExceeded, withQueryBudget } from '@vedette/intel/dns';
import { DNS_QUESTIONS, type DnsTypeName, type PresentedRecord, presentRecords } from '@vedette/probes/dns';
import { ZONE_QUERIES_MAX, type ZoneServer, zoneServers } from '../zone-servers.ts';

/** What one authoritative server says of one type. */
export interface AuthoritativeAnswer {
  dns_type: DnsTypeName;
  server: string;
  address: string;
  /** An rcode; TIMEOUT, or NOT_ASKED where its address must not be asked or its answer cannot be read. */
  status: string;
  records: PresentedRecord[];
}

/** Less than the agents may take, so that the report never waits for a dead server alone. */
const DNS_MS = 8000;

/**
 * Asks the zone's own servers, without recursion, so that a location's answer can be called current or stale; fewer servers
 * where many types are asked. An empty list means that nothing is known. Rejects only with the signal's reason.
 */
export async function askAuthoritative(
  host: string,
  types: readonly DnsTypeName[],
  { resolver, clock, signal }: CentralContext,
): Promise<AuthoritativeAnswer[]> {
  using budgeted = withQueryBudget(resolver, QUERIES_MAX, { clock, ms: DNS_MS });
  const servers = await zoneServers(host, { resolver: budgeted, signal });
  const affordable = servers.slice(0, Math.floor((QUERIES_MAX - ZONE_QUERIES_MAX) / types.length));
  const asked = affordable.flatMap((server) => types.map((type) => askServer(server, host, type, budgeted, signal)));
  return await Promise.all(asked);
}

async function askServer(
  { name, address }: ZoneServer,
  host: string,
  dns_type: DnsTypeName,
  resolver: Resolver,
  signal: AbortSignal,
): Promise<AuthoritativeAnswer> {
  const { type, prefix } = DNS_QUESTIONS[dns_type];
  const head = { dns_type, server: name, address };
  try {
    const answer = await resolver.query(prefix + host, type, { server: address, signal });
    return { ...head, status: answer.rcode, records: presentRecords(recordsOf(answer, type) as DnsRecord[]) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof QueryBudgetExceeded) return { ...head, status: 'TIMEOUT', records: [] }; // the count fits, so time ran out
    if (!(error instanceof ProbeFailure)) throw error;
    return { ...head, status: error.code === 'dns_timeout' ? 'TIMEOUT' : 'NOT_ASKED', records: [] };
  }
}
