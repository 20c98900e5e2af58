import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '@vedette/ledger';
import type { ClientAddressReader } from './client-address.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { GateRow } from '../shares/gate.ts';

/** How many a gateway holds at most. An idle one costs it 8 kB, without TLS. */
const MAX_CONNECTIONS = 10_000;
/** The connections that one address may hold; an office, or an unconfigured load balancer, may be behind it. */
const PART_OF_AN_ADDRESS = 0.25;
/** The part of the descriptors that this process may open. */
const PART_OF_DESCRIPTORS = 0.8;
/** Kept beside those for the operators' listener, the database, the bus, the log and what requests open. */
const RESERVED_DESCRIPTORS = 64;
const MIN_CONNECTIONS = 16;

/** A client that reads nothing of its answer for so long is cut off. */
const STALLED_MS = 10_000;
const SWEEP_MS = 1_000;
/** Requests that one connection may have under way: one that sends more without an answer is closed. Clients hardly ever send a second. */
const MAX_PIPELINED = 32;

export interface ConnectionLimits {
  total: number;
  perAddress: number;
}

/** The limits of a process, from its descriptors in `/proc/self/limits`; without that file only the total counts. */
export function connectionLimits(path = '/proc/self/limits'): ConnectionLimits {
  const total = Math.max(
    MIN_CONNECTIONS,
    Math.min(MAX_CONNECTIONS, Math.floor(maxDescriptors(path) * PART_OF_DESCRIPTORS) - RESERVED_DESCRIPTORS),
  );
  return { total, perAddress: Math.ceil(total * PART_OF_AN_ADDRESS) };
}

function maxDescriptors(path: string): number {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync(path, 'utf8'))?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}

/** One client's connection. */
export interface Connection {
  /** Carries the clear text: with TLS another one once the handshake is over. */
  socket: Socket;
  /** The address by which it is counted; undefined for a configured proxy, which stands for many clients. */
  readonly network: string | undefined;
  /** Requests that have not had their whole answer. */
  underWay: number;
  /** The latest of them. */
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
  /** Whether it is to be closed when all answers under way are out. */
  closing: boolean;
  /** The bytes sent at the last check, and the time of their last change. */
  leftBytes: number;
  leftAtMs: number;
}

/**
 * Every connection of the API listener: so many in all and from one address, idle ones making room for new ones, and none whose client
 * does not read. These limits always hold: they protect the process, not its accounts.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #addresses: ClientAddressReader;
  readonly #metrics: Metrics;
  readonly #clock: { now(): number };
  readonly #of = new WeakMap<Socket, Connection>();
  readonly #all = new Set<Connection>();
  readonly #byNetwork = new Map<string, Set<Connection>>();
  /** TLS: connections whose handshake is under way, by the client's end of them. */
  readonly #shaking = new Map<string, Connection>();

  constructor(options: { limits: ConnectionLimits; addresses: ClientAddressReader; metrics: Metrics; clock: { now(): number } }) {
    this.#limits = options.limits;
    this.#addresses = options.addresses;
    this.#metrics = options.metrics;
    this.#clock = options.clock;
  }

  /** Takes over which of a server's new connections its own listeners hear of. */
  guard(server: Server, tls: boolean): void {
    const accept = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      if (this.#open(socket, tls)) for (const listener of accept) listener.call(server, socket);
      else socket.destroy();
    });
    server.on('secureConnection', (socket: Socket) => this.#secured(socket));
    const sweep = setInterval(() => this.cutStalled(), SWEEP_MS).unref();
    server.on('close', () => clearInterval(sweep));
  }

  of(socket: Socket): Connection | undefined {
    return this.#of.get(socket);
  }

  /** A request has come; undefined on a connection that is closed already. */
  begin(request: IncomingMessage, response: ServerResponse): Connection | undefined {
    const connection = this.#of.get(request.socket);
    if (connection === undefined) return undefined;
    if (++connection.underWay > MAX_PIPELINED && !request.socket.destroyed) {
      this.#metrics.connectionsCut.inc({ why: 'pipelined' });
      request.socket.destroy();
    }
    connection.request = request;
    connection.response = response;
    return connection;
  }

  /** A request has had its answer, or its client has left. */
  end(connection: Connection): void {
    if (--connection.underWay > 0) return;
    connection.request = undefined;
    connection.response = undefined;
    if (connection.closing) connection.socket.destroySoon();
  }

  /** Closes what its client does not read. A timeout of the socket does not suffice: a client that goes on sending never reaches one. */
  cutStalled(): void {
    const now = this.#clock.now();
    for (const connection of this.#all) {
      const { socket } = connection;
      const leftBytes = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || leftBytes !== connection.leftBytes) {
        connection.leftBytes = leftBytes;
        connection.leftAtMs = now;
      } else if (now - connection.leftAtMs >= STALLED_MS) {
        this.#metrics.connectionsCut.inc({ why: 'stalled' });
        socket.destroy();
      }
    }
  }

  #open(socket: Socket, tls: boolean): boolean {
    const peer = socket.remoteAddress ?? '';
    const network = this.#addresses.trusts(peer) ? undefined : networkOf(peer);
    const neighbours = network === undefined ? undefined : this.#byNetwork.get(network);
    if (neighbours !== undefined && neighbours.size >= this.#limits.perAddress && !this.#makeRoom(neighbours, 'address')) return false;
    if (this.#all.size >= this.#limits.total && !this.#makeRoom(this.#all, 'total')) return false;
    const connection: Connection = {
      socket,
      network,
      underWay: 0,
      request: undefined,
      response: undefined,
      closing: false,
      leftBytes: 0,
      leftAtMs: this.#clock.now(),
    };
    this.#of.set(socket, connection);
    this.#all.add(connection);
    this.#metrics.connections.set(this.#all.size);
    if (neighbours) neighbours.add(connection);
    else if (network !== undefined) this.#byNetwork.set(network, new Set([connection]));
    socket.once('close', () => this.#forget(connection));
    if (tls) {
      const end = endOf(socket);
      this.#shaking.set(end, connection);
      socket.once('close', () => this.#shaking.delete(end));
    }
    return true;
  }

  /** TLS: requests come from this socket, and the one below it is not heard of again. */
  #secured(socket: Socket): void {
    const end = endOf(socket);
    const connection = this.#shaking.get(end);
    if (connection === undefined) return;
    this.#shaking.delete(end);
    connection.socket = socket;
    this.#of.set(socket, connection);
    socket.once('close', () => this.#forget(connection));
  }

  /** Closes the oldest one without a request under way; a proxy's are its own to close. */
  #makeRoom(among: ReadonlySet<Connection>, why: 'address' | 'total'): boolean {
    for (const connection of among)
      if (connection.underWay === 0 && connection.network !== undefined) {
        this.#metrics.connectionsCut.inc({ why });
        this.#forget(connection);
        connection.socket.destroy();
        return true;
      }
    this.#metrics.connectionsRefused.inc({ why });
    return false;
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection);
    this.#metrics.connections.set(this.#all.size);
    if (connection.network === undefined) return;
    const neighbours = this.#byNetwork.get(connection.network);
    neighbours?.delete(connection);
    if (neighbours?.size === 0) this.#byNetwork.delete(connection.network);
  }
}

const endOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

export const CONNECTIONS_GATE: GateRow = {
  name: 'Connections',
  limits: 'connections of the API listener',
  limit: `${MAX_CONNECTIONS}, or fewer by the descriptors of the process; ${PART_OF_AN_ADDRESS * 100} % of them from one network. Idle connections make room first`,
  codes: [],
  instead: 'The connection is closed',
  cause: 'client',
};

export const PIPELINING_GATE: GateRow = {
  name: 'Pipelining',
  limits: 'requests under way on one connection',
  limit: `${MAX_PIPELINED}`,
  codes: [],
  instead: 'The connection is closed',
  cause: 'client',
};
