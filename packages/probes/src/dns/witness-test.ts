import { type Clock, ENDED, type IcmpEngine, parseIp, ProbeFailure, type Resolver, within } from '@vedette/contract';
import { rootProblem } from './self-test.ts';
import { INTERVALS, type PathState, PathTest } from './path-test.ts';

type Family = 4 | 6;
/** A path out of the machine: datagrams over a family, and echoes over it. */
export type NetworkPath = 'ip4' | 'ip6' | 'icmp4' | 'icmp6';

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

/** A new verdict on a path. */
export interface PathChange extends PathState {
  path: NetworkPath;
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
  readonly #paths = new Map<NetworkPath, PathTest>();
  #onChange: ((change: PathChange) => void) | undefined;

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
  get state(): PathState {
    return this.#paths.get(this.#network)?.state ?? { ok: true, failing: 0, witnesses: 0 };
  }

  /** Whether the path leads anywhere, as far as it was tested. */
  works(path: NetworkPath): boolean {
    return this.#paths.get(path)?.state.ok !== false;
  }

  /**
   * Whether the witnesses have answered over the path after `since`; they are asked where that is not known. Where it has no witnesses, or none
   * is named, it is the path that decides.
   */
  async confirm(since: number, path: NetworkPath = this.#network): Promise<boolean> {
    return (await (this.#paths.get(path) ?? this.#paths.get(this.#network))?.confirm(since)) ?? true;
  }

  /** A target has answered over the path, whatever witnesses say of it. */
  heard(path: NetworkPath): void {
    if (path !== this.#network) this.#paths.get(path)?.heard();
  }

  /** Tells when the verdict on a path changes. */
  watch(onChange: (change: PathChange) => void): void {
    this.#onChange = onChange;
  }

  /** Tests now and every minute, more often while it fails. */
  start(): void {
    for (const path of this.#paths.values()) path.start();
  }

  stop(): void {
    for (const path of this.#paths.values()) path.stop();
  }

  get #network(): NetworkPath {
    const families = this.#options.families().filter((family) => this.#paths.has(`ip${family}`));
    return families.includes(6) && !families.includes(4) ? 'ip6' : 'ip4';
  }

  #open(path: NetworkPath, { length }: readonly string[], ask: () => Promise<PathState>): void {
    const { clock } = this.#options;
    const decides = (): boolean => path === this.#network;
    const onChange = (state: PathState) => this.#onChange?.({ ...state, path, decides: decides() });
    // Which family decides is known once all paths are there, and changes with the machine's addresses.
    const intervals = () => (decides() ? NETWORK_INTERVALS : INTERVALS);
    this.#paths.set(path, new PathTest({ clock, ask, onChange, intervals }, length));
  }

  async #askRoot(known: readonly string[]): Promise<PathState> {
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
  async #echo(known: readonly string[], icmp: Echoer): Promise<PathState> {
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
