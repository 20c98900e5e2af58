import type { Clock, Endpoint } from '@vedette/contract';
import { ConnectedUdp } from '../../net/udp.ts';
import { Entropy } from './entropy.ts';
import { HEADER_OCTETS, isResponse, matchQuestion, type QueryMessage } from '../wire/message.ts';
import type { Stop } from './stop.ts';
import { socketProblem, Unanswered } from './unanswered.ts';

/** How long one try waits for an answer. */
export const TRY_MS = 2000;
/** A socket, and so its random port, serves this many queries or this long. */
const SOCKET_QUERIES = 100;
const SOCKET_MS = 10_000;
/** How much longer the right answer may take after one that is right in all but the case of its letters. */
const CASE_GRACE_MS = 100;
const TICK_MS = 100;

interface Pending {
  query: QueryMessage;
  deadline: number;
  caseDiffered: boolean;
  settle(outcome: Buffer | Error | undefined): void;
}

interface PooledSocket {
  udp: ConnectedUdp;
  pending: Map<number, Pending>;
  /** How many queries it has sent. */
  used: number;
  opened: number;
}

/**
 * Queries to one server over UDP, hard to forge answers for (RFC 5452): connected sockets on random ports that are soon
 * replaced, random ids, random case in the question (draft-vixie-dnsext-dns0x20), and all of them checked in the answer.
 */
export class UdpChannel {
  readonly #endpoint: Endpoint;
  readonly #clock: Clock;
  readonly #entropy = new Entropy();
  readonly #onIdle: () => void;
  readonly #sockets = new Set<PooledSocket>();
  readonly #closing = new AbortController();
  #current: PooledSocket | undefined;
  #ticking = false;

  /** `onIdle` is called when the last socket has been closed. */
  constructor(endpoint: Endpoint, clock: Clock, onIdle: () => void) {
    this.#endpoint = endpoint;
    this.#clock = clock;
    this.#onIdle = onIdle;
  }

  /**
   * Sends a query of `encodeQuery`, stamped with id and case, and resolves with the response to it. Resolves with undefined when there was
   * only one in another case: either forged, or from a server that does not keep it. Rejects with `Unanswered` or the stop's reason.
   */
  ask(query: QueryMessage, stop: Stop): Promise<Buffer | undefined> {
    return new Promise((resolve, reject) => {
      stop.throwIfStopped();
      const socket = this.#take();
      let id = this.#entropy.u16();
      while (socket.pending.has(id)) id = this.#entropy.u16();
      const pending: Pending = {
        query,
        deadline: this.#clock.now() + TRY_MS,
        caseDiffered: false,
        settle: (outcome) => {
          socket.pending.delete(id);
          stop.listen(undefined);
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        },
      };
      stop.listen((reason) => pending.settle(reason as Error));
      query.octets.writeUInt16BE(id);
      this.#mixCase(query);
      socket.pending.set(id, pending);
      socket.udp.send(query.octets);
    });
  }

  close(): void {
    this.#closing.abort();
    for (const socket of this.#sockets) this.#drop(socket, new Unanswered('the resolver was closed'));
  }

  /** The socket for one more query. */
  #take(): PooledSocket {
    const now = this.#clock.now();
    let socket = this.#current;
    if (socket === undefined || socket.used === SOCKET_QUERIES || now - socket.opened >= SOCKET_MS) {
      socket = this.#open(now);
      this.#current = socket;
    }
    socket.used++;
    return socket;
  }

  #open(now: number): PooledSocket {
    const pending = new Map<number, Pending>();
    const udp = new ConnectedUdp(this.#endpoint, {
      message: (datagram) => this.#receive(pending, datagram),
      error: (error) => this.#drop(socket, new Unanswered(socketProblem(error), { cause: error })),
    });
    const socket: PooledSocket = { udp, pending, used: 0, opened: now };
    this.#sockets.add(socket);
    if (!this.#ticking) void this.#tick();
    return socket;
  }

  #receive(pending: Map<number, Pending>, datagram: Buffer): void {
    if (!isResponse(datagram)) return;
    const exchange = pending.get(datagram.readUInt16BE());
    if (!exchange) return;
    const match = matchQuestion(exchange.query, datagram);
    if (match === 'exact') exchange.settle(datagram);
    else if (match === 'case' && !exchange.caseDiffered) {
      exchange.caseDiffered = true;
      exchange.deadline = Math.min(exchange.deadline, this.#clock.now() + CASE_GRACE_MS);
    }
  }

  /** Ends the tries whose time is up, and closes the sockets that have served, while there are any. */
  async #tick(): Promise<void> {
    this.#ticking = true;
    while (this.#sockets.size > 0) {
      try {
        await this.#clock.sleep(TICK_MS, this.#closing.signal);
      } catch {
        return; // closed
      }
      const now = this.#clock.now();
      for (const socket of this.#sockets) {
        for (const exchange of socket.pending.values())
          if (exchange.deadline <= now) exchange.settle(exchange.caseDiffered ? undefined : new Unanswered('no answer'));
        const served = socket !== this.#current || now - socket.opened >= SOCKET_MS;
        if (served && socket.pending.size === 0) this.#drop(socket, new Unanswered('no answer'));
      }
    }
    this.#ticking = false;
    this.#onIdle();
  }

  #drop(socket: PooledSocket, error: Error): void {
    if (this.#current === socket) this.#current = undefined;
    this.#sockets.delete(socket);
    socket.udp.close();
    for (const exchange of socket.pending.values()) exchange.settle(error);
  }

  #mixCase({ octets, questionEnd }: QueryMessage): void {
    // Length octets are below every letter, so a walk over octets is a walk over letters.
    for (let i = HEADER_OCTETS; i < questionEnd - 4; i++) {
      const octet = octets[i]!;
      if (octet >= 0x61 && octet <= 0x7a && (this.#entropy.u8() & 1) === 1) octets[i] = octet & ~0x20;
    }
  }
}
