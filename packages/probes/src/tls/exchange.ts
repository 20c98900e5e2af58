import { type Clock, type Dialler, ProbeFailure, within } from '@vedette/contract';
import { switchToTls, type StartTls } from '../tcp/starttls.ts';
import { Talk, TooMuch } from '../tcp/talk.ts';
import { encryptedOctets, isSsl2, readServer, type ServerHello } from './server-hello.ts';

/** One scan never opens more. */
export const CONNECTIONS_MAX = 60;
/** Connections begin so far apart at least: as many in a second as all accounts together may open to one address. */
const INTERVAL_MS = 50;
/** A server that has not answered by then is silent; one of mail may keep its greeting back. */
const WAIT_MS = 5_000;
const WAIT_STARTTLS_MS = 10_000;
/** Chains of certificates are smaller. */
const HEARD_MAX_OCTETS = 128 * 1024;
/** Certificates are longer, and the alerts and extensions before them shorter. */
const CERTIFICATE_MIN_OCTETS = 200;
const HANDSHAKE_FAILURE = 40;

/** The server that is scanned. */
export interface Server {
  /** Judged. */
  address: string;
  host: string;
  port: number;
  starttls: StartTls | undefined;
}

/** The server's answer to one hello. */
export type Answer =
  | { kind: 'hello'; hello: ServerHello }
  | { kind: 'alert'; code: number }
  /** It closed or reset the connection, said nothing in time, or something else than TLS. */
  | { kind: 'closed' | 'reset' | 'silent' | 'garbage' }
  | { kind: 'unconnected'; failure: ProbeFailure };

/** All connections are used up, or all time; or the server, which answered before, does not any more. */
export type StopCause = 'connections' | 'server' | 'time';

/** The scan cannot go on: what is not known by now stays unknown. */
export class Stopped extends Error {
  readonly why: StopCause;

  constructor(why: StopCause) {
    super(why);
    this.why = why;
  }
}

export interface LinePorts {
  dialler: Dialler;
  clock: Clock;
  /** Ends the scan. */
  signal: AbortSignal;
}

/** The way to one server: connections one after the other, counted and paced. */
export class Line {
  readonly server: Server;
  readonly #ports: LinePorts;
  #connections = 0;
  #nextAt = 0;

  constructor(server: Server, ports: LinePorts) {
    this.server = server;
    this.#ports = ports;
  }

  get connections(): number {
    return this.#connections;
  }

  get left(): number {
    return CONNECTIONS_MAX - this.#connections;
  }

  /** Sends a hello and reads what comes. Rejects with `Stopped` once all connections are used up, with the signal's reason, and with what the dialler refuses. */
  async say(hello: Uint8Array): Promise<Answer> {
    return await this.connected(async (talk) => {
      talk.send(hello);
      return await this.#hear(talk);
    });
  }

  /** The server's hello of TLS 1.3, if its certificate follows; without one it has refused behind its hello, where an alert is encrypted. */
  async sayForCertificate(hello: Uint8Array): Promise<Answer> {
    return await this.connected(async (talk) => {
      talk.send(hello);
      const answer = await this.#hear(talk);
      if (answer.kind !== 'hello') return answer;
      while (encryptedOctets(talk.pending) < CERTIFICATE_MIN_OCTETS) {
        if (talk.pending.length > HEARD_MAX_OCTETS) throw new TooMuch();
        if (!(await talk.more())) return { kind: 'alert', code: HANDSHAKE_FAILURE };
      }
      return answer;
    });
  }

  /** Whether a server of SSL 2.0 answers its hello; or the answer where none comes. */
  async saySsl2(hello: Uint8Array): Promise<Answer | 'ssl2'> {
    return await this.connected(async (talk) => {
      talk.send(hello);
      for (;;) {
        const verdict = isSsl2(talk.pending);
        if (verdict === true) return 'ssl2';
        if (verdict === false) return await this.#hear(talk);
        if (!(await talk.more())) return endOf(talk);
      }
    });
  }

  /** Has one connection, in which the server waits for a hello, for the work; closes it afterwards. */
  async connected<T>(work: (talk: Talk, signal: AbortSignal) => Promise<T>): Promise<T | Answer> {
    const { dialler, clock, signal } = this.#ports;
    const { address, host, port, starttls } = this.server;
    if (this.left === 0) throw new Stopped('connections');
    await clock.sleep(Math.max(0, this.#nextAt - clock.now()), signal);
    this.#nextAt = clock.now() + INTERVAL_MS;
    this.#connections++;
    const waitMs = starttls === undefined ? WAIT_MS : WAIT_STARTTLS_MS;
    let isLate = false;
    let talk: Talk | undefined;
    let isReady = false;
    const late = () => {
      isLate = true;
      return talk === undefined
        ? new ProbeFailure('connect_timeout', address)
        : new ProbeFailure('starttls_failed', `no answer within ${waitMs} ms`);
    };
    try {
      return await within(clock, waitMs, signal, late, async (limited) => {
        const socket = await dialler.tcp({ address, port, host, service: 'port', signal: limited });
        talk = new Talk(socket, clock, limited);
        if (starttls !== undefined) await switchToTls(starttls, talk, host);
        isReady = true;
        return await work(talk, limited);
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TooMuch) return { kind: 'garbage' };
      if (!(error instanceof ProbeFailure)) throw error;
      if (isLate && isReady) return { kind: 'silent' };
      if (OURS.includes(error.code)) throw error;
      return { kind: 'unconnected', failure: error };
    } finally {
      talk?.socket.destroy();
    }
  }

  async #hear(talk: Talk): Promise<Answer> {
    for (;;) {
      const heard = readServer(talk.pending);
      if (heard.kind !== 'more') return heard;
      do {
        if (talk.pending.length > HEARD_MAX_OCTETS) throw new TooMuch();
        if (!(await talk.more())) return heard.hello ? { kind: 'hello', hello: heard.hello } : endOf(talk);
      } while (talk.pending.length < heard.needs);
    }
  }
}

/** Failures that say nothing about the server. */
const OURS: readonly string[] = ['blocked_policy', 'blocked_private_address', 'no_network', 'target_limited', 'internal', 'cancelled'];

const endOf = ({ error }: Talk): Answer => ({ kind: error?.code === 'ECONNRESET' || error?.code === 'EPIPE' ? 'reset' : 'closed' });
