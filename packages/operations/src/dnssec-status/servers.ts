import { type BudgetedResolver, type DnsAnswer, type DnsBudget, Enum, isAnswer, recordsOf, type Unanswered } from '@vedette/contract';
import { DNSSEC_STATUSES, type Validation } from '@vedette/mail/dnssec';
import { type Static, Type } from 'typebox';
import { unlessRefused } from '../shared/names/unless-refused.ts';
import { apexServers, isDefinite, outcomeAt, SERVER_OUTCOMES, ZONE_SERVERS_MAX, type ZoneServer } from '../shared/names/zone-servers.ts';
import { Code } from './reason-code.ts';

/** The time spent on the question whether the zone's servers agree. */
export const SERVERS_BUDGET: DnsBudget = { questions: 1 + 4 * ZONE_SERVERS_MAX, ms: 2_000 };

export const Server = Type.Object({
  server: Type.String({ description: 'Host name of the server' }),
  address: Type.String({ description: 'Queried address of the server' }),
  answered: Type.String({ description: `DNS response code, ${SERVER_OUTCOMES} (address not allowed, or query limit exhausted)` }),
  serial: Type.Optional(Type.Integer({ description: 'SOA serial of the zone at this server' })),
  status: Type.Optional(
    Enum(DNSSEC_STATUSES, { description: "Security status of the server's answer; absent if the server does not answer for the zone" }),
  ),
  reason_code: Type.Optional(Code),
});
type Server = Static<typeof Server>;

interface ServerAnswer extends ZoneServer {
  /** Undefined where it has been asked enough. */
  response: DnsAnswer | Unanswered | undefined;
  serial: number | undefined;
}

interface Question {
  name: string;
  type: string;
  /** Where the zone begins that holds the name. */
  apex: string;
}

/**
 * Asks the zone's own servers for the records and the serial. Nothing of those that do not answer in time, or that have been asked enough.
 * Rejects with the signal's reason.
 */
export async function askServers(question: Question, whole: BudgetedResolver, signal: AbortSignal): Promise<ServerAnswer[]> {
  using resolver = whole.share(SERVERS_BUDGET);
  const servers = (await unlessRefused(apexServers(question.apex, { resolver, signal }))) ?? [];
  return await Promise.all(servers.map((server) => askServer(server, question, resolver, signal)));
}

async function askServer(server: ZoneServer, { name, type, apex }: Question, resolver: BudgetedResolver, signal: AbortSignal) {
  const options = { server: server.address, fresh: true, dnssec: true, checkingDisabled: true, signal };
  const [response, soa] = await Promise.all([
    unlessRefused(resolver.ask(name, type, options)),
    unlessRefused(resolver.ask(apex, 'SOA', options)),
  ]);
  const serial = soa && isAnswer(soa) && soa.aa ? recordsOf(soa, 'SOA').find((record) => record.name === apex)?.data.serial : undefined;
  return { ...server, response, serial };
}

/** Judges what each of them answered as the resolver's answer was judged. */
export async function judgeServers(answers: readonly ServerAnswer[], judge: Validation['judge']): Promise<Server[]> {
  const servers: Server[] = [];
  for (const { name, address, response, serial } of answers) {
    const verdict = response && isAnswer(response) && response.aa && isDefinite(response.rcode) ? await judge(response) : undefined;
    servers.push({
      server: name,
      address,
      answered: outcomeAt(response),
      ...(serial !== undefined && { serial }),
      ...(verdict && { status: verdict.status }),
      ...(verdict && 'code' in verdict && { reason_code: verdict.code }),
    });
  }
  return servers;
}

/** How the servers differ that answered, in a sentence; empty when they do not. */
export function disagreementOf(servers: readonly Server[]): string {
  const verdicts = Map.groupBy(
    servers.filter(({ status }) => status !== undefined),
    ({ status, reason_code }) => (reason_code ? `${status} (${reason_code})` : status!),
  );
  const serials = Map.groupBy(
    servers.filter(({ serial }) => serial !== undefined),
    ({ serial }) => `serial ${serial}`,
  );
  return [verdicts, serials]
    .filter((groups) => groups.size > 1)
    .flatMap((groups) => [...groups].map(([what, members]) => `${what} at ${members.map(({ server }) => server).join(', ')}`))
    .join('; ');
}
