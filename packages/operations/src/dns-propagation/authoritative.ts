import { type BudgetedResolver, type CentralContext, type DnsBudget, type DnsRecord, isAnswer, recordsOf } from '@vedette/contract';
import { DNS_QUESTIONS, type DnsTypeName, type PresentedRecord, presentRecords, questionName } from '@vedette/probes/dns';
import { ZONE_QUERIES_MAX, type ZoneServer, zoneServers } from '../zone-servers.ts';

/** What one authoritative server says of one type. */
export interface AuthoritativeAnswer {
  dns_type: DnsTypeName;
  server: string;
  address: string;
  /**
   * An rcode; NOT_AUTHORITATIVE where it does not hold the zone, TIMEOUT, or NOT_ASKED where its address must not be asked or its answer
   * cannot be read.
   */
  status: string;
  records: PresentedRecord[];
}

/** The time is less than the agents may take, so that the report never waits for a dead server alone. */
export const AUTHORITATIVE_BUDGET: DnsBudget = { questions: 60, ms: 8_000 };

/**
 * Asks the zone's own servers, without recursion, so that a location's answer can be called current or stale; fewer servers
 * where many types are asked. An empty list means that nothing is known. Rejects with the signal's reason, and
 * with the gate's `ApiError`.
 */
export async function askAuthoritative(
  host: string,
  types: readonly DnsTypeName[],
  { resolver, signal }: Pick<CentralContext, 'resolver' | 'signal'>,
): Promise<AuthoritativeAnswer[]> {
  const servers = await zoneServers(host, { resolver, signal });
  const affordable = servers.slice(0, Math.floor((AUTHORITATIVE_BUDGET.questions - ZONE_QUERIES_MAX) / types.length));
  const asked = affordable.flatMap((server) => types.map((type) => askServer(server, host, type, resolver, signal)));
  return await Promise.all(asked);
}

/** Whether an rcode says what there is, rather than that nobody could find out. NXDOMAIN does: the name is not there. */
export const isDefinite = (rcode: string): boolean => rcode === 'NOERROR' || rcode === 'NXDOMAIN';

async function askServer(
  { name, address }: ZoneServer,
  host: string,
  dns_type: DnsTypeName,
  resolver: BudgetedResolver,
  signal: AbortSignal,
): Promise<AuthoritativeAnswer> {
  const question = DNS_QUESTIONS[dns_type];
  const { type } = question;
  const head = { dns_type, server: name, address };
  const asked = await resolver.ask(questionName(question, host), type, { server: address, signal });
  if (isAnswer(asked) && isDefinite(asked.rcode) && !asked.aa) return { ...head, status: 'NOT_AUTHORITATIVE', records: [] };
  if (isAnswer(asked)) return { ...head, status: asked.rcode, records: presentRecords(recordsOf(asked, type) as DnsRecord[]) };
  // The count fits the budget, so where that is spent it is the time.
  const late = asked.code === 'dns_timeout' || asked.code === 'budget_spent';
  return { ...head, status: late ? 'TIMEOUT' : 'NOT_ASKED', records: [] };
}
