import type { Clock } from '@vedette/contract';
import { CAPABILITIES, type CapabilityVerdict, type NetworkCapability } from './capability.ts';
import { CapabilityTest, type CapabilityTestOptions, type Witness } from './capability-test.ts';
import { type NameAnswer, NameWitnesses } from './names.ts';
import {
  dnsWitness,
  echoWitness,
  ofFamily,
  quicWitness,
  RESOLVER_WAIT_MS,
  resolverWitness,
  tcpWitness,
  type WitnessLists,
  type WitnessPorts,
} from './witnesses.ts';

export interface NetworkHealthOptions extends WitnessPorts {
  witnesses: WitnessLists;
  /** The families of which this machine has an address that leads out of it. */
  families: () => readonly Family[];
  /** How far the wall clock is ahead of the gateways', ms; undefined where that is not known. */
  clockSkewMs?: (() => number | undefined) | undefined;
}

type Family = 4 | 6;
type Tested = Exclude<NetworkCapability, 'clock'>;

/** The health of this machine's own network. */
export type Health = Pick<NetworkHealth, keyof NetworkHealth>;

/** A new verdict on a capability. */
export interface VerdictChange {
  capability: NetworkCapability;
  verdict: CapabilityVerdict;
  /** The failure of the last witness; empty unless the verdict is bad. */
  problem: string;
}

/** The witnesses of the network as a whole. */
export interface NetworkState {
  ok: boolean;
  failing: number;
  witnesses: number;
}

/** An unanswered question aside, a good answer of the resolvers is believed for so long. */
const RESOLVER_GOOD_FOR_MS = 5_000;
/** A clock that differs by more is bad: dates are judged by the gateways'. */
const CLOCK_BAD_MS = 60_000;

/**
 * Whether this machine's own network works, capability by capability. A machine whose own side fails must blame no target, and call no domain
 * broken. Nothing is sent before it is started or asked.
 */
export class NetworkHealth {
  readonly #options: NetworkHealthOptions;
  readonly #clock: Clock;
  readonly #tests = new Map<NetworkCapability, CapabilityTest>();
  readonly #names: NameWitnesses;
  /** When a question to our resolvers was last left without an answer. */
  #unansweredAt = -Infinity;
  #onChange: ((change: VerdictChange) => void) | undefined;

  constructor(options: NetworkHealthOptions) {
    this.#options = options;
    this.#clock = options.clock;
    const { dns, icmp, tcp, quic, names } = options.witnesses;
    this.#names = new NameWitnesses({ ...options, names });
    const engine = options.icmp;
    for (const family of [4, 6] as const) {
      const exists = (): boolean => familiesOf(options).includes(family);
      if (engine?.[`v${family}`])
        this.#open(
          `icmp${family}`,
          icmp.filter((address) => ofFamily(family, address)).map((address) => echoWitness(address, { ...options, icmp: engine })),
          { exists },
        );
      this.#open(
        `tcp${family}`,
        tcp.filter(({ address }) => ofFamily(family, address)).map((server) => tcpWitness(server, options)),
        { exists },
      );
      this.#open(
        `udp${family}`,
        dns.filter((address) => ofFamily(family, address)).map((address) => dnsWitness(address, options)),
        { exists },
      );
    }
    this.#open(
      'quic',
      quic.map((server) => quicWitness(server, options)),
    );
    // Where no name server is vouched for, our resolvers need not know the root.
    this.#open('resolver', dns.length > 0 ? [resolverWitness(options)] : [], {
      wait_ms: RESOLVER_WAIT_MS,
      apart_ms: 0,
    });
  }

  /** The last verdict. */
  verdict(capability: NetworkCapability): CapabilityVerdict {
    if (capability === 'clock') return clockVerdict(this.#options.clockSkewMs?.());
    return this.#tests.get(capability)?.verdict ?? 'unknown';
  }

  /** Bad although its witnesses have answered before: what needs it can fail at once. */
  isBroken(capability: NetworkCapability): boolean {
    return this.#tests.get(capability)?.isBroken === true;
  }

  /** When a bad capability became so. */
  badSince(capability: NetworkCapability): number {
    return this.#tests.get(capability)?.badSince ?? -Infinity;
  }

  /** All that is bad. */
  down(): NetworkCapability[] {
    return CAPABILITIES.filter((capability) => this.verdict(capability) === 'bad');
  }

  problem(capability: NetworkCapability): string {
    return this.#tests.get(capability)?.problem ?? '';
  }

  /**
   * The verdict on a silence that began at `since`: `good` comes from witnesses that were asked after that, at once where none were. All who wait
   * share one round of questions.
   */
  async doubt(capability: NetworkCapability, since: number): Promise<CapabilityVerdict> {
    return (await this.#tests.get(capability)?.doubt(since)) ?? this.verdict(capability);
  }

  /** A target has answered, which refutes witnesses that never did. */
  heard(capability: NetworkCapability): void {
    this.#tests.get(capability)?.heard();
  }

  /** The network as a whole: connections and datagrams, over IPv4 where the machine has it. It works unless all that is tested is bad. */
  get network(): NetworkState {
    const verdicts = this.#whole.map((capability) => this.verdict(capability));
    const counts = this.#whole.map((capability) => this.#tests.get(capability)!.counts).find(({ witnesses }) => witnesses > 0);
    return { ok: isUp(verdicts), ...(counts ?? { failing: 0, witnesses: 0 }) };
  }

  /** Whether any witness has answered after `since`, or there is none. */
  async networkSince(since: number): Promise<boolean> {
    return isUp(await Promise.all(this.#whole.map((capability) => this.doubt(capability, since))));
  }

  /** Whether a name server has answered our datagrams after `since`, or there is none: else no resolver here can have asked one. */
  async dnsSince(since: number): Promise<boolean> {
    return (await this.doubt(this.#whole[0], since)) !== 'bad';
  }

  /** A question to our resolvers has ended without an answer: the zone's fault, or ours. */
  unanswered(): void {
    this.#unansweredAt = this.#clock.now();
  }

  /** Whether the answers of our resolvers until now can be believed, and their silence: they know the root. */
  async vouch(): Promise<boolean> {
    const since = Math.max(this.#unansweredAt, this.#clock.now() - RESOLVER_GOOD_FOR_MS);
    return (await this.doubt('resolver', since)) !== 'bad';
  }

  /** The answers of our resolvers to names that have one answer everywhere: for others to compare. None of resolvers that cannot be believed. */
  names(): readonly NameAnswer[] {
    return this.verdict('resolver') === 'bad' ? [] : this.#names.answers;
  }

  /** Tells when a verdict changes. */
  watch(onChange: (change: VerdictChange) => void): void {
    this.#onChange = onChange;
  }

  /** Tests now and from then on. */
  start(): void {
    for (const test of this.#tests.values()) test.start();
    this.#names.start();
  }

  stop(): void {
    for (const test of this.#tests.values()) test.stop();
    this.#names.stop();
  }

  get #whole(): [Tested, Tested] {
    const family = familiesOf(this.#options).includes(4) ? 4 : 6;
    return [`udp${family}`, `tcp${family}`];
  }

  #open(
    capability: Tested,
    witnesses: readonly Witness[],
    more: Pick<CapabilityTestOptions, 'exists' | 'wait_ms' | 'apart_ms'> = {},
  ): void {
    const onChange = (before: CapabilityVerdict) => {
      const { verdict, problem } = test;
      if (before !== 'unknown' || verdict === 'bad') this.#onChange?.({ capability, verdict, problem });
    };
    const test = new CapabilityTest({ clock: this.#clock, witnesses, onChange, ...more });
    this.#tests.set(capability, test);
  }
}

/** A machine that has lost all of its addresses had IPv4. */
function familiesOf({ families }: NetworkHealthOptions): readonly Family[] {
  const here = families();
  return here.length > 0 ? here : [4];
}

/** The clock with the date of the gateways, where the machine's own is wrong. */
export const corrected = (clock: Clock, skewMs: () => number | undefined, machine = Date.now): Clock => ({
  ...clock,
  today() {
    const skew = skewMs();
    return new Date(machine() - (clockVerdict(skew) === 'bad' ? skew! : 0));
  },
});

const isUp = (verdicts: readonly CapabilityVerdict[]): boolean => verdicts.includes('good') || !verdicts.includes('bad');

function clockVerdict(skewMs: number | undefined): CapabilityVerdict {
  if (skewMs === undefined) return 'unknown';
  return Math.abs(skewMs) > CLOCK_BAD_MS ? 'bad' : 'good';
}
