import { type Clock, ENDED, type IcmpEngine, parseIp, ProbeFailure, type Resolver, within } from '@vedette/contract';
import { rootProblem } from './self-test.ts';
import { INTERVALS, type WayState, WayTest } from './way-test.ts';

type Family = 4 | 6;
/** A way out of the machine: datagrams over a family, and echoes over it. */
export type Way = 'ip4' | 'ip6' | 'icmp4' | 'icmp6';

/** A failed test is repeated soon, so that a cure is noticed. */
const NETWORK_INTERVALS = { well_ms: 60_000, failing_ms: 2_000 };
const WITNESS_MS = 3_000;
/** Two tries, since the network loses some. */
const ECHOES = { count: 2, interval_ms: 300, wait_ms: 1_000 };
/** This many silent witnesses mean that our own side is at fault. */
const MAX_FAILING = 1;

export interface WitnessTestOptions {
  /** Addresses of name servers that know the root and answer echoes; none = no test, always ok. */
  witnesses: readonly string[];
  resolver: Pick<Resolver, 'query'>;
  clock: Clock;
  /** The families of which this machine has an address that leads out of it. */
  families: () => readonly Family[];
  /** Sends the echoes; undefined where there are none to send. */
  icmp?: Echoer | undefined;
}

type Echoer = Pick<IcmpEngine, 'v4' | 'v6' | 'echoes'>;

/** A new verdict on a way. */
export interface WayChange extends WayState {
  way: Way;
  /** The machine has no network without it. */
  decides: boolean;
}

/**
 * Asks witnesses for the root's name servers, and for echoes. A machine that has lost its internet must not blame its targets or call
 * domains broken. The same holds for a machine that cannot ping, or whose IPv6 is broken, and its targets by ping or IPv6. A witness with a
 * wrong answer does not count: where the DNS is intercepted, any address answers.
 */
export class WitnessTest {
  readonly #options: WitnessTestOptions;
  readonly #ways = new Map<Way, WayTest>();
  #onChange: ((change: WayChange) => void) | undefined;

  constructor(options: WitnessTestOptions) {
    this.#options = options;
    const { witnesses, icmp } = options;
    for (const family of [4, 6] as const) {
      const known = witnesses.filter((address) => parseIp(address)?.version === family);
      if (known.length === 0) continue;
      this.#open(`ip${family}`, known, () => this.#askRoot(known));
      if (icmp?.[`v${family}`]) this.#open(`icmp${family}`, known, () => this.#echo(known, icmp));
    }
  }

  /** The verdict on the family that decides: IPv4 where the machine has it. */
  get state(): WayState {
    return this.#ways.get(this.#network)?.state ?? { ok: true, failing: 0, witnesses: 0 };
  }

  /** Whether the way leads anywhere, as far as it was tested. */
  works(way: Way): boolean {
    return this.#ways.get(way)?.state.ok !== false;
  }

  /**
   * Whether the witnesses have answered over the way after `since`; they are asked where that is not known. Where it has no witnesses, or none
   * is named, it is the way that decides.
   */
  async confirm(since: number, way: Way = this.#network): Promise<boolean> {
    return (await (this.#ways.get(way) ?? this.#ways.get(this.#network))?.confirm(since)) ?? true;
  }

  /** A target has answered over the way, whatever witnesses say of it. */
  heard(way: Way): void {
    if (way !== this.#network) this.#ways.get(way)?.heard();
  }

  /** Tells when the verdict on a way changes. */
  watch(onChange: (change: WayChange) => void): void {
    this.#onChange = onChange;
  }

  /** Tests now and every minute, more often while it fails. */
  start(): void {
    for (const way of this.#ways.values()) way.start();
  }

  stop(): void {
    for (const way of this.#ways.values()) way.stop();
  }

  get #network(): Way {
    const families = this.#options.families().filter((family) => this.#ways.has(`ip${family}`));
    return families.includes(6) && !families.includes(4) ? 'ip6' : 'ip4';
  }

  #open(way: Way, { length }: readonly string[], ask: () => Promise<WayState>): void {
    const { clock } = this.#options;
    const decides = (): boolean => way === this.#network;
    const onChange = (state: WayState) => this.#onChange?.({ ...state, way, decides: decides() });
    // Which family decides is known once all ways are there, and changes with the machine's addresses.
    const intervals = () => (decides() ? NETWORK_INTERVALS : INTERVALS);
    this.#ways.set(way, new WayTest({ clock, ask, onChange, intervals }, length));
  }

  async #askRoot(known: readonly string[]): Promise<WayState> {
    const results = await Promise.all(known.map((server) => this.#answers(server)));
    const failing = results.filter((answered) => !answered).length;
    return { ok: failing <= Math.min(MAX_FAILING, known.length - 1), failing, witnesses: known.length };
  }

  async #answers(server: string): Promise<boolean> {
    const { resolver, clock } = this.#options;
    const late = () => new ProbeFailure('dns_timeout', server);
    const ask = (signal: AbortSignal) => resolver.query('.', 'NS', { server, fresh: true, signal });
    try {
      return rootProblem(await within(clock, WITNESS_MS, undefined, late, ask)) === '';
    } catch {
      return false; // whatever went wrong, it did not answer
    }
  }

  /** One reply is enough: many servers answer no echo, and a network that lets none through lets none through from any. */
  async #echo(known: readonly string[], icmp: Echoer): Promise<WayState> {
    const enough = new AbortController();
    const replies = async (server: string): Promise<void> => {
      for await (const { reply } of icmp.echoes(server, { ...ECHOES, signal: enough.signal })) if (reply) return;
      throw new ProbeFailure('icmp_timeout', server);
    };
    const heard = await Promise.any(known.map(replies)).then(
      () => true,
      () => false, // each of them failed, in whatever way
    );
    enough.abort(ENDED);
    return { ok: heard, failing: heard ? 0 : known.length, witnesses: known.length };
  }
}
