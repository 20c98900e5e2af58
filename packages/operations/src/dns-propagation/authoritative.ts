import { type BudgetedResolver, type DnsBudget, type DnsRecord, isAnswer, recordsOf } from '@vedette/contract';
import type { CentralContext } from '../kit/index.ts';
import { DNS_QUESTIONS, type DnsTypeName, type PresentedRecord, presentRecords, questionName } from '@vedette/probes/dns';
import { outcomeAt, ZONE_QUERIES_MAX, type ZoneServer, zoneServers } from '../shared/names/zone-servers.ts';

/** The answer of one authoritative server for one type. */
export interface AuthoritativeAnswer {
  dns_type: DnsTypeName;
  server: string;
  address: string;
  /** See `outcomeAt`. */
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
  const responses = affordable.flatMap((server) => types.map((type) => askServer(server, host, type, resolver, signal)));
  return await Promise.all(responses);
}

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
  const response = await resolver.ask(questionName(question, host), type, { server: address, fresh: true, signal });
  const status = outcomeAt(response);
  const answered = isAnswer(response) && status === response.rcode;
  return { ...head, status, records: answered ? presentRecords(recordsOf(response, type) as DnsRecord[]) : [] };
}
