import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import {
  type Clock,
  type Dialler,
  ENDED,
  type Endpoint,
  type ExitEndpoint,
  isAtOrUnder,
  parseIp,
  ProbeFailure,
  type Reason,
  unlessAborted,
  within,
} from '@vedette/contract';
import { abortFailure, allowedAddress } from '../net/dialler.ts';
import { ProxyFailure, ProxyFault } from './proxy.ts';
import { isOnionService } from './onion.ts';
import { ConnectionLost } from './read.ts';
import { addressOf, greetSocks5, nameOf, requestSocks5 } from './socks5.ts';
import type { Way } from './way.ts';

/** The SOCKS port is the operator's own, and near. */
const GREETING_MS = 3_000;
/** Time for a circuit and the connection at its end; the first circuit to an onion service takes the longest. */
const CIRCUIT_MS = 20_000;
/** Tor tries several exits of its own accord, before the next address is worth a trial. */
const NEXT_MS = 8_000;
/** A target that is silent for so long gets a witness beside it. */
const SILENT_MS = 10_000;
const WITNESS_MS = 6_000;
const WITNESSES_MAX = 3;
const HTTPS_PORT = 443;
const CREDENTIAL_OCTETS = 12;

/** Tor itself is at fault, or may be: nothing is known of the target. */
export class TorFailure extends ProxyFailure {
  constructor(code: Reason, seen: string, cause?: unknown) {
    super(code, seen, cause);
    this.name = 'TorFailure';
  }
}

export interface TorWayOptions {
  /** The operator's SOCKS5 port of Tor. */
  endpoint: ExitEndpoint;
  dialler: Dialler;
  clock: Clock;
  /** Servers that accept connections. One that is reached through Tor while the target is not shows that Tor is not at fault. */
  witnesses: readonly Endpoint[];
}

/**
 * The way of one visit through the operator's Tor. It has circuits of its own, since Tor keeps connections of other user names off them
 * (IsolateSOCKSAuth). Tor is told judged addresses, and names of onion services alone.
 */
export class TorWay implements Way {
  readonly nextMs = NEXT_MS;
  readonly #options: TorWayOptions;
  /** A connection of this visit stood, so Tor works: a later failure may be caused by the target. */
  #stood = false;
  #witness: Promise<boolean> | undefined;
  #isWitnessed = false;
  readonly #peer = { called: 'Tor', username: randomText(), password: randomText(), mustSignIn: true } as const;

  constructor(options: TorWayOptions) {
    this.#options = options;
  }

  /** No connection stood: the first one failed as one fails where Tor is at fault, and a witness was reached all the same. */
  get isWitnessed(): boolean {
    return this.#isWitnessed && !this.#stood;
  }

  reachesByName(host: string): boolean {
    return isAtOrUnder(host, 'onion');
  }

  /**
   * See `Way`. Rejects with `TorFailure` where Tor is at fault. Where Tor does not tell whose fault it was, the first connection of a visit
   * rejects with it too unless a witness is reached; later ones, and that one, reject with connect_timeout. Where no exit connects to an IPv6
   * address, a first connection rejects with no_ipv6: the host may have IPv4, which most exits have alone.
   */
  async open({ address, port, host }: Endpoint & { host?: string }, signal: AbortSignal): Promise<Socket> {
    const { dialler, clock } = this.#options;
    const isOnion = this.reachesByName(address);
    if (isOnion && !isOnionService(address)) throw new ProbeFailure('connect_unreachable', NO_SERVICE);
    if (!isOnion) allowedAddress(dialler.policy, dialler.policy.judge(address, port), `port ${port}`);
    const socket = await this.#reach({ address, port, ...(host !== undefined && { host }) }, signal);
    const late = () => new Unclear('connect_timeout', 'no circuit was connected in time');
    const answered = new AbortController();
    if (!isOnion && !this.#stood) void clock.sleep(SILENT_MS, AbortSignal.any([signal, answered.signal])).then(() => this.#asked(signal), () => {}); // prettier-ignore
    try {
      const reply = await within(clock, CIRCUIT_MS, signal, late, (limited) =>
        unlessAborted(limited, requestSocks5(socket, isOnion ? nameOf(address) : addressOf(address), port)),
      );
      if (reply === 0) {
        this.#stood = true;
        return socket;
      }
      const ofTarget = (isOnion ? ONION_REPLIES : EXIT_REPLIES)[reply];
      throw ofTarget ? new ProbeFailure(...ofTarget) : new Unclear(UNREACHABLE, UNKNOWN_REPLIES[reply] ?? `reply ${reply}`, reply);
    } catch (error) {
      socket.destroy();
      if (signal.aborted && !(signal.reason instanceof ProbeFailure)) throw abortFailure(signal);
      // A caller that gives up before Tor has answered has waited for Tor.
      const unclear = signal.aborted ? late() : error;
      throw unclear instanceof Unclear ? await this.#judged(unclear, address, signal) : ownFault(error);
    } finally {
      answered.abort(ENDED);
    }
  }

  /** Decides between Tor and the target where the reply does not tell. */
  async #judged({ code, message, reply }: Unclear, address: string, signal: AbortSignal): Promise<ProbeFailure> {
    if (this.#stood || this.#isWitnessed) return new ProbeFailure('connect_timeout', `through Tor: ${message}`);
    if (reply === NO_EXIT && isIpv6(address)) return new ProbeFailure('no_ipv6', `through Tor: ${message}`);
    if (this.reachesByName(address) || reply === NO_EXIT || !(await this.#asked(signal))) return new TorFailure(code, message);
    // Witnesses have IPv4: an exit that reaches one may have no IPv6.
    this.#isWitnessed = isIpv4(address);
    return new ProbeFailure('connect_timeout', `through Tor: ${message}; another server was reached meanwhile`);
  }

  /** Whether a witness was reached on this way. */
  #asked(signal: AbortSignal): Promise<boolean> {
    return (this.#witness ??= this.#reachesWitness(signal));
  }

  async #reachesWitness(signal: AbortSignal): Promise<boolean> {
    const { dialler, clock, witnesses } = this.#options;
    const asked = witnesses
      .filter(({ address, port }) => isIpv4(address) && dialler.policy.judge(address, port).allowed) // few exits have IPv6
      .sort((one, other) => Number(other.port === HTTPS_PORT) - Number(one.port === HTTPS_PORT)) // which the rules of most exits allow
      .slice(0, WITNESSES_MAX);
    const connects = async ({ address, port }: Endpoint, limited: AbortSignal): Promise<void> => {
      const socket = await this.#reach({ address, port }, limited);
      try {
        const reply = await unlessAborted(limited, requestSocks5(socket, addressOf(address), port));
        if (reply !== 0) throw new Error(`reply ${reply}`);
      } finally {
        socket.destroy();
      }
    };
    const late = () => new Error('no witness in time');
    const others = new AbortController();
    try {
      await within(clock, WITNESS_MS, signal, late, (limited) => {
        const each = AbortSignal.any([limited, others.signal]);
        return Promise.any(asked.map((witness) => connects(witness, each)));
      });
      return true;
    } catch {
      return false; // none of them, or the visit is over
    } finally {
      others.abort(ENDED);
    }
  }

  /** A connection to the SOCKS port, signed in. */
  #reach(beyond: { address: string; port: number; host?: string }, signal: AbortSignal): Promise<Socket> {
    const { endpoint, dialler, clock } = this.#options;
    let socket: Socket | undefined;
    const late = () => new TorFailure('connect_timeout', 'its SOCKS port does not answer');
    return within(clock, GREETING_MS, signal, late, async (limited) => {
      const lifetime = AbortSignal.any([signal, limited]); // the socket outlives the limit, not the visit
      try {
        socket = await dialler.operatorTcp({ endpoint, beyond, signal: lifetime });
        await greetSocks5(socket, this.#peer);
        return socket;
      } catch (error) {
        socket?.destroy();
        if (signal.aborted && signal.reason instanceof ProbeFailure) throw late();
        if (limited.aborted) throw limited.reason;
        if (error instanceof ProbeFailure) throw new TorFailure(error.code, 'its SOCKS port cannot be reached', error);
        throw ownFault(error);
      }
    });
  }
}

/** A failure that Tor, its exits and the target may each have caused. */
class Unclear extends Error {
  readonly code: Reason;
  readonly reply: number | undefined;

  constructor(code: Reason, seen: string, reply?: number) {
    super(seen);
    this.code = code;
    this.reply = reply;
  }
}

const isIpv4 = (address: string): boolean => parseIp(address)?.version === 4;
const isIpv6 = (address: string): boolean => parseIp(address)?.version === 6;

const randomText = (): string => randomBytes(CREDENTIAL_OCTETS).toString('hex');

const ownFault = (error: unknown): unknown =>
  error instanceof ProxyFault || error instanceof ConnectionLost
    ? new TorFailure('connect_unreachable', `its SOCKS port: ${error.message}`, error)
    : error;

const NO_SERVICE = 'the name is not that of an onion service';
const UNREACHABLE: Reason = 'connect_unreachable';

/** Replies about an onion service, with `ExtendedErrors` of Tor's socks-extensions.txt or without. All others may be about Tor. */
const ONION_REPLIES: Readonly<Record<number, readonly [Reason, string]>> = {
  0x04: [UNREACHABLE, 'Tor finds no descriptor of the onion service: it does not exist, or is offline'],
  0x05: ['connect_refused', 'as seen by Tor'],
  0xf0: [UNREACHABLE, 'Tor finds no descriptor of the onion service: it does not exist, or is offline'],
  0xf1: [UNREACHABLE, 'the descriptor of the onion service is invalid'],
  0xf2: [UNREACHABLE, 'the onion service is not at its introduction points'],
  0xf4: [UNREACHABLE, 'the onion service is for authorized clients alone'],
  0xf5: [UNREACHABLE, 'the onion service is for authorized clients alone'],
  0xf6: [UNREACHABLE, NO_SERVICE],
};
/** Replies of exits about an address. General failures, time-outs and exits' rules may all be about Tor. */
const EXIT_REPLIES: Readonly<Record<number, readonly [Reason, string]>> = {
  0x03: [UNREACHABLE, 'an exit of Tor has no route to the network'],
  0x04: [UNREACHABLE, 'an exit of Tor has no route to the host'],
  0x05: ['connect_refused', 'as seen from an exit of Tor'],
};
/** Reply by the rules of the exits, not by the target. */
const NO_EXIT = 0x02;
const UNKNOWN_REPLIES: Readonly<Record<number, string>> = {
  0x01: 'a general failure (reply 1): Tor has not joined its network, or its exits could not connect',
  0x02: 'no exit of Tor connects to this address and port (reply 2)',
  0x06: 'the connection timed out within Tor or behind its exits (reply 6)',
  0xf3: 'no rendezvous with the onion service (reply 243)',
  0xf7: 'no introduction to the onion service in time (reply 247)',
};
