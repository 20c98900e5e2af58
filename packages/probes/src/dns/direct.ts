import { randomInt } from 'node:crypto';
import {
  type Clock,
  type DnsRecord,
  ENDED,
  parseHost,
  type ParsedHost,
  ProbeFailure,
  type ProbePorts,
  recordsOf,
  shown,
} from '@vedette/contract';
import { familiesOf, judgeHost, refuseProtected } from '../host/judge-host.ts';
import { abortFailure, allowedAddress } from '../net/dialler.ts';
import { ConnectedUdp } from '../net/udp.ts';
import { openChannel } from './channel.ts';
import type { DirectAnswer, DirectServer } from './direct-schema.ts';
import { formatEndpoint } from './engine/endpoints.ts';
import { recordLine } from './presentation.ts';
import { socketProblem } from './transport/unanswered.ts';
import { readSubnet, subnetText } from './options.ts';
import { EDNS_OPTIONS, encodeOption, optionOf } from './wire/edns.ts';
import { decodeText } from './wire/text.ts';
import {
  decodeMessage,
  encodeQuery,
  flagsOf,
  isResponse,
  isTruncated,
  matchQuestion,
  type Message,
  type QueryMessage,
} from './wire/message.ts';
import { encodeName, MalformedMessage } from './wire/name.ts';
import { typeCode } from './wire/record-types.ts';

const CLASS_IN = 1;
const RECORDS_MAX = 500;
/** Limit on the JSON of a section's texts: a final frame holds 256 KiB. */
const SECTION_MAX_OCTETS = 60 * 1024;
/** RFC 8467 §4.1. */
const PADDED_OCTETS = 128;
const NSID_MAX_CHARS = 128;

/** The state of the question, and then of the answer. */
export type Direct = DirectAnswer;

export const unasked = (transport: DirectServer['transport']): Direct => ({
  server: '',
  transport,
  resolve_ms: 0,
  connect_ms: 0,
  request_ms: 0,
  rcode: '',
  answer_rrs: 0,
  authority_rrs: 0,
  additional_rrs: 0,
  answer: [],
  authority: [],
  additional: [],
});

/**
 * Asks one server one question, over a socket of its own, and fills in `direct` as it goes on: what came is data, whatever the rcode. Rejects
 * with `ProbeFailure` dns_… and blocked_… for the server's name and address, connect_…, dns_timeout where no answer came, dns_servfail for
 * one that cannot be read, target_limited.
 */
export async function askDirectly(
  owner: string,
  type: string,
  server: DirectServer,
  direct: Direct,
  ports: ProbePorts,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = ports;
  const name = encodeName(owner);
  const code = server.type ?? typeCode(type);
  if (name === undefined || code === undefined) throw new ProbeFailure('unsupported', 'question');
  const ofClass = server.class ?? CLASS_IN;
  const query = queryFor(name, code, server);
  const times = { from: clock.now() };
  const took = () => {
    const now = clock.now();
    const ms = now - times.from;
    times.from = now;
    return ms;
  };
  try {
    const judged = await judgeServer(server, ports, signal);
    const { address } = judged;
    direct.resolve_ms = took();
    direct.server = formatEndpoint({ address, port: server.port });
    ports.limits.dns(owner, 1, { address, host: server.host });
    let response = server.transport === 'udp' ? await askOverUdp(query, { address, port: server.port }, signal) : undefined;
    if (response === undefined || isTruncated(response)) {
      took();
      direct.transport = server.transport === 'udp' ? 'tcp' : server.transport;
      const channel = await openChannel({ ...server, transport: direct.transport }, judged, ports, signal);
      try {
        direct.connect_ms = took();
        response = await channel.ask(query.octets, signal);
      } finally {
        channel.close();
      }
      if (!isAnswerTo(query, response)) throw new ProbeFailure('dns_servfail', 'an answer to something else');
    }
    direct.request_ms = took();
    tell(direct, response, decodeMessage(response, ofClass), ofClass);
  } catch (error) {
    if (signal.aborted) throw abortFailure(signal);
    if (error instanceof MalformedMessage) throw new ProbeFailure('dns_servfail', `malformed answer: ${error.message}`, { cause: error });
    if (error instanceof ProbeFailure || direct.server === '') throw error;
    throw new ProbeFailure('dns_timeout', socketProblem(error), { cause: error });
  }
}

/** A question to one server, with a random id. */
export function queryFor(name: Buffer, type: number, server: DirectServer): QueryMessage {
  const { nsid, client_subnet, dnssec = false, transport } = server;
  const encrypted = transport === 'tls' || transport === 'https';
  const subnet = client_subnet === undefined ? undefined : readSubnet(client_subnet);
  if (client_subnet !== undefined && !subnet) throw new ProbeFailure('unsupported', 'client_subnet');
  const options = Buffer.concat([
    ...(nsid ? [encodeOption(EDNS_OPTIONS.nsid, Buffer.alloc(0))] : []),
    ...(subnet
      ? [encodeOption(EDNS_OPTIONS.clientSubnet, Buffer.concat([Buffer.from([0, subnet.family, subnet.bits, 0]), subnet.octets]))]
      : []),
  ]);
  const encode = (extra: Buffer) =>
    encodeQuery(
      {
        name,
        type,
        class: server.class ?? CLASS_IN,
        recursionDesired: server.recursion,
        checkingDisabled: server.checking_disabled ?? false,
        dnssec,
        plain: true,
        authenticData: server.authentic_data ?? false,
        options: Buffer.concat([options, extra]),
      },
      dnssec || options.length > 0 || encrypted,
    );
  const bare = encode(encrypted ? encodeOption(EDNS_OPTIONS.padding, Buffer.alloc(0)) : Buffer.alloc(0));
  const missing = encrypted ? (PADDED_OCTETS - (bare.octets.length % PADDED_OCTETS)) % PADDED_OCTETS : 0;
  const query = missing === 0 ? bare : encode(encodeOption(EDNS_OPTIONS.padding, Buffer.alloc(missing)));
  query.octets.writeUInt16BE(randomInt(0x10000));
  return query;
}

/** The parts of an answer beside its records. */
export function saidBeside(response: Buffer, { options }: Message): { flags: string[]; nsid?: string; client_subnet?: string } {
  const nsid = options && optionOf(options, EDNS_OPTIONS.nsid);
  const subnet = options && optionOf(options, EDNS_OPTIONS.clientSubnet);
  const network = subnet && subnet.length >= 4 ? subnetText(subnet.readUInt16BE(), subnet[3]!, subnet.subarray(4)) : undefined;
  return {
    flags: flagsOf(response),
    ...(nsid && { nsid: shown(decodeText(nsid), NSID_MAX_CHARS) }),
    ...(network !== undefined && { client_subnet: network }),
  };
}

/** A server whose address was judged. */
export interface JudgedServer {
  address: string;
  host: ParsedHost;
}

export async function judgeServer(
  { host, port, family = 0, ipv6_first = false }: DirectServer,
  ports: ProbePorts,
  signal: AbortSignal,
): Promise<JudgedServer> {
  const parsed = parseHost(host);
  if (!parsed) throw new ProbeFailure('blocked_policy', 'not a host');
  refuseProtected(parsed.host);
  const families = familiesOf(parsed, ipv6_first ? 6 : 4).filter((each) => family === 0 || family === each);
  if (families.length === 0) throw new ProbeFailure('dns_no_address', `${parsed.host} is not an IPv${family} address`);
  const verdict = await judgeHost(parsed, ports, { families, signal, port, service: 'dns', onAlias: refuseProtected });
  return { address: allowedAddress(ports.dialler.policy, verdict, `${parsed.host} port ${port}`), host: parsed };
}

/** One datagram and the answer to it; `again_ms`: sent once more where none came by then. The kernel drops packets from other senders; answers to other questions are ignored. */
export function askOverUdp(
  query: QueryMessage,
  endpoint: { address: string; port: number },
  signal: AbortSignal,
  again?: { ms: number; clock: Clock },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const end = (settle: () => void) => {
      over.abort(ENDED);
      signal.removeEventListener('abort', onAbort);
      udp.close();
      settle();
    };
    const onAbort = () => end(() => reject(abortFailure(signal)));
    const udp = new ConnectedUdp(endpoint, {
      message: (datagram) => isAnswerTo(query, datagram) && end(() => resolve(datagram)),
      error: (error) => end(() => reject(new ProbeFailure(refusalOf(error), socketProblem(error), { cause: error }))),
    });
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    udp.send(query.octets);
    again?.clock.sleep(again.ms, over.signal).then(
      () => udp.send(query.octets),
      () => {}, // the answer came before
    );
  });
}

const refusalOf = (error: Error): 'connect_refused' | 'connect_unreachable' =>
  socketProblem(error) === 'ECONNREFUSED' ? 'connect_refused' : 'connect_unreachable';

export const isAnswerTo = (query: QueryMessage, response: Buffer): boolean =>
  response.length >= 2 &&
  response.readUInt16BE() === query.octets.readUInt16BE() &&
  isResponse(response) &&
  matchQuestion(query, response) !== 'no';

function tell(direct: Direct, response: Buffer, message: Message, ofClass: number): void {
  const texts = (records: readonly DnsRecord[]): string[] => {
    let left = SECTION_MAX_OCTETS;
    return records
      .slice(0, RECORDS_MAX)
      .map((record) => recordLine(record, ofClass))
      .filter((line) => (left -= Buffer.byteLength(JSON.stringify(line))) >= 0);
  };
  const [first] = recordsOf(message, 'SOA');
  Object.assign(direct, {
    rcode: message.rcode,
    answer_rrs: response.readUInt16BE(6),
    authority_rrs: response.readUInt16BE(8),
    additional_rrs: response.readUInt16BE(10),
    ...(first && { serial: first.data.serial }),
    answer: texts(message.answers),
    authority: texts(message.authorities),
    additional: texts(message.additionals),
  } satisfies Partial<Direct>);
}
