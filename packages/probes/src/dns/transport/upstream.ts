import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { type Clock, type DnsAnswer, type Endpoint, within } from '@vedette/contract';
import { connectDns, exchangeTcp } from '../../net/dns-tcp.ts';
import { formatEndpoint } from '../engine/endpoints.ts';
import {
  decodeMessage,
  encodeQuery,
  isResponse,
  isTruncated,
  matchQuestion,
  type Message,
  type Query,
  type QueryMessage,
} from '../wire/message.ts';
import { MalformedMessage } from '../wire/name.ts';
import { TRY_MS, UdpChannel } from './udp-channel.ts';
import type { Stop } from './stop.ts';
import { socketProblem, Unanswered, Unreadable } from './unanswered.ts';

/** One server's answer to one query, and its transport. */
export interface UpstreamReply extends Pick<DnsAnswer, 'rtt_ms' | 'transport'> {
  message: Message;
}

/** Opens a connection to a server by another way than the straight one. */
export type OpenConnection = (server: Endpoint, signal: AbortSignal) => Promise<Socket>;

/** How long one try waits where the way is not straight: for three or four round trips to the server, and the answer. */
const INDIRECT_TRY_MS = 3000;

// TCP has retransmitted already.
const NO_RETRY = { retry: false };

/** One DNS server: UDP first, TCP where that does not do or is the only way, and without EDNS (RFC 6891 §7) where the server does not know it. */
export class Upstream {
  readonly server: string;
  readonly #endpoint: Endpoint;
  readonly #clock: Clock;
  readonly #udp: UdpChannel;
  readonly #connection: OpenConnection | undefined;

  /** Where there is a `connection`, the server is asked through what that opens, and by TCP alone. */
  constructor(endpoint: Endpoint, clock: Clock, onIdle: () => void, connection?: OpenConnection) {
    this.server = formatEndpoint(endpoint);
    this.#endpoint = endpoint;
    this.#clock = clock;
    this.#udp = new UdpChannel(endpoint, clock, onIdle);
    this.#connection = connection;
  }

  /** One try. Rejects with `Unanswered`, or with the stop's reason. */
  async ask(query: Query, stop: Stop, edns = true): Promise<UpstreamReply> {
    const started = this.#clock.now();
    const sent = encodeQuery(query, edns);
    let transport: DnsAnswer['transport'] = 'udp';
    let response: Buffer | undefined;
    if (this.#connection) sent.octets.writeUInt16BE(randomInt(0x10000));
    else response = await this.#udp.ask(sent, stop);
    if (response === undefined || isTruncated(response)) {
      transport = 'tcp';
      response = await this.#askTcp(sent, stop);
    }
    const message = decode(response);
    if (edns && (message.rcode === 'FORMERR' || message.rcode === 'NOTIMP')) return this.ask(query, stop, false);
    return { message, rtt_ms: this.#clock.now() - started, transport };
  }

  close(): void {
    this.#udp.close();
  }

  async #askTcp(message: QueryMessage, stop: Stop): Promise<Buffer> {
    const stopped = new AbortController();
    stop.listen((reason) => stopped.abort(reason));
    const late = () => new Unanswered('no answer over TCP', NO_RETRY);
    try {
      const ms = this.#connection ? INDIRECT_TRY_MS : TRY_MS;
      const response = await within(this.#clock, ms, stopped.signal, late, async (signal) => {
        try {
          const socket = (await this.#connection?.(this.#endpoint, signal)) ?? connectDns(this.#endpoint);
          return await exchangeTcp(socket, message.octets, signal);
        } catch (error) {
          signal.throwIfAborted(); // a way may say it in words of its own
          throw error;
        }
      });
      const sameId = response.length >= 2 && response.readUInt16BE() === message.octets.readUInt16BE();
      if (!sameId || !isResponse(response) || matchQuestion(message, response) === 'no')
        throw new Unreadable('an answer to something else over TCP');
      return response;
    } catch (error) {
      stop.throwIfStopped();
      if (error instanceof Unanswered) throw error;
      throw new Unanswered(`TCP: ${socketProblem(error)}`, { ...NO_RETRY, cause: error });
    } finally {
      stop.listen(undefined);
    }
  }
}

function decode(response: Buffer): Message {
  try {
    return decodeMessage(response);
  } catch (error) {
    if (error instanceof MalformedMessage) throw new Unreadable(`malformed answer: ${error.message}`, { cause: error });
    throw error;
  }
}
