import { type DnsAnswer, ProbeFailure, type ProbePorts, within } from '@vedette/contract';
import { type Channel, openChannel } from './channel.ts';
import { askOverUdp, isAnswerTo, type JudgedServer, judgeServer, queryFor, saidBeside } from './direct.ts';
import type { DirectServer } from './direct-schema.ts';
import { formatEndpoint } from './engine/endpoints.ts';
import { DNS_QUESTIONS, type DnsTypeName, questionName } from './engine/questions.ts';
import { socketProblem } from './transport/unanswered.ts';
import { decodeMessage, isTruncated } from './wire/message.ts';
import { encodeName, MalformedMessage } from './wire/name.ts';
import { typeCode } from './wire/record-types.ts';

/** A datagram that nothing answers is sent once more. */
const AGAIN_MS = 1_000;

/** The outcome of one question to one server. */
type ServerOutcome = { answer: DnsAnswer; said: ReturnType<typeof saidBeside> } | { failed: ProbeFailure };

/**
 * Asks one server for all of the types, over one connection where the transport has them. Rejects with `ProbeFailure` where the server cannot be
 * asked at all; a question without an answer is data.
 */
export async function askEvery(
  host: string,
  types: readonly DnsTypeName[],
  server: DirectServer,
  ports: ProbePorts,
  budgetMs: number,
  onServer: (address: string) => void,
): Promise<Map<DnsTypeName, ServerOutcome>> {
  const { clock, signal } = ports;
  const until = clock.now() + budgetMs;
  const left = () => Math.max(1, until - clock.now());
  const late = () => new ProbeFailure('dns_timeout', server.host);
  const judged = await within(clock, left(), signal, late, (limited) => judgeServer(server, ports, limited));
  const { address } = judged;
  const endpoint = { address, port: server.port };
  const shown = formatEndpoint(endpoint);
  onServer(shown);
  ports.limits.dns(host, types.length, { address, host: server.host });
  const unheard = () => new ProbeFailure('dns_timeout', shown);
  let channel: Channel | undefined;
  try {
    channel =
      server.transport === 'udp'
        ? undefined
        : await within(clock, left(), signal, unheard, (limited) => openChannel(server, judged, ports, limited));
    const asked = types.map(async (name): Promise<[DnsTypeName, ServerOutcome]> => {
      try {
        return [
          name,
          await within(clock, left(), signal, unheard, (limited) =>
            askOne(host, name, { server, judged, endpoint, channel }, ports, limited),
          ),
        ];
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ProbeFailure) return [name, { failed: error }];
        const seen = error instanceof MalformedMessage ? `malformed answer: ${error.message}` : socketProblem(error);
        return [
          name,
          { failed: new ProbeFailure(error instanceof MalformedMessage ? 'dns_servfail' : 'dns_timeout', seen, { cause: error }) },
        ];
      }
    });
    return new Map(await Promise.all(asked));
  } finally {
    channel?.close();
  }
}

interface Way {
  server: DirectServer;
  judged: JudgedServer;
  endpoint: { address: string; port: number };
  /** Undefined over UDP. */
  channel: Channel | undefined;
}

async function askOne(
  host: string,
  name: DnsTypeName,
  { server, judged, endpoint, channel }: Way,
  ports: ProbePorts,
  signal: AbortSignal,
): Promise<ServerOutcome> {
  const question = DNS_QUESTIONS[name];
  const owner = encodeName(questionName(question, host));
  const code = typeCode(question.type);
  if (owner === undefined || code === undefined) throw new ProbeFailure('unsupported', 'question');
  const query = queryFor(owner, code, server);
  const { clock } = ports;
  const from = clock.now();
  let response = channel ? await channel.ask(query.octets, signal) : await askOverUdp(query, endpoint, signal, { ms: AGAIN_MS, clock });
  if (!channel && isTruncated(response)) {
    const further = await openChannel({ ...server, transport: 'tcp' }, judged, ports, signal);
    try {
      response = await further.ask(query.octets, signal);
    } finally {
      further.close();
    }
  }
  if (!isAnswerTo(query, response)) throw new ProbeFailure('dns_servfail', 'an answer to something else');
  const { options, ...message } = decodeMessage(response, server.class, true);
  return {
    answer: {
      ...message,
      cached: false,
      server: formatEndpoint(endpoint),
      tries: 1,
      rtt_ms: clock.now() - from,
      transport: channel || isTruncated(response) ? 'tcp' : 'udp',
    },
    said: saidBeside(response, { ...message, ...(options && { options }) }),
  };
}
