import {
  type AddressPolicy,
  type Clock,
  type Dialler,
  type Endpoint,
  type Exit,
  ProbeFailure,
  type Resolver,
  within,
} from '@vedette/contract';
import type { Socket } from 'node:net';
import { refusing } from '../dns/engine/refusing.ts';
import { createResolver } from '../dns/engine/resolver.ts';
import { Rhythm } from '../dns/engine/rhythm.ts';
import { rootProblem } from '../health/index.ts';
import { ExitFailure, type VpnExit } from './exits.ts';
import { openTunnel } from './tunnel.ts';

/** A check may take so long: a try at each of two resolvers. */
const CHECK_MS = 6_000;
/** How long an exit that worked is believed to do so. */
const FRESH_MS = 10_000;
/** How often an exit is checked by itself: soon again where it failed, since until then it is not used. */
const CHECK_EVERY = { well_ms: 30_000, failing_ms: 10_000 };

/** Where the resolvers are that exits are asked to reach, when the operator has named none that they could. They filter nothing. */
const PUBLIC_RESOLVERS: readonly Endpoint[] = ['1.1.1.1', '8.8.8.8', '2606:4700:4700::1111'].map((address) => ({ address, port: 53 }));

/**
 * The resolvers asked through exits: the public ones among the operator's resolvers, else well-known ones. Behind an exit, an inner address
 * is another machine, or the exit's own; and the machine's own resolvers answer for its own region, often only for its own network.
 */
export function resolversThroughExits(named: readonly Endpoint[] | undefined, policy: AddressPolicy): readonly Endpoint[] {
  const reachable = (named ?? []).filter(({ address }) => policy.judge(address).allowed);
  return reachable.length > 0 ? reachable : PUBLIC_RESOLVERS;
}

/** How the exits do. `seen` says why the one that failed its check did. */
export interface ExitState {
  label: string;
  works: boolean;
  seen: string;
}

export interface ExitsOptions {
  exits: readonly VpnExit[];
  /** See `resolversThroughExits`; the dialler knows them as the operator's. */
  servers: readonly Endpoint[];
  policy: AddressPolicy;
  dialler: Dialler;
  clock: Clock;
  isInnerName(name: string): boolean;
}

export interface Exits {
  all: readonly Exit[];
  /** How many passed their last check. */
  working(): number;
  /** Checks them now and from time to time; tells when one begins or ceases to work. */
  start(onChange: (state: ExitState) => void): void;
  close(): void;
}

/** Opens the exits; nothing is sent before they are started or used. */
export function openExits({ exits, ...options }: ExitsOptions): Exits {
  const all = exits.map((exit) => new OpenExit(exit, options));
  return {
    all,
    start: (onChange) => all.forEach((exit) => exit.start(onChange)),
    working: () => all.filter((exit) => exit.works === true).length,
    close: () => all.forEach((exit) => exit.close()),
  };
}

class OpenExit implements Exit {
  readonly label: string;
  readonly resolver: Pick<Resolver, 'addresses'>;
  works: boolean | undefined;
  readonly #exit: VpnExit;
  readonly #options: Omit<ExitsOptions, 'exits'>;
  readonly #engine: ReturnType<typeof createResolver>;
  readonly #closed = new AbortController();
  readonly #rhythm: Rhythm;
  #workedAt = -Infinity;
  #seen = '';
  #onChange: ((state: ExitState) => void) | undefined;

  constructor(exit: VpnExit, options: Omit<ExitsOptions, 'exits'>) {
    const { servers, policy, clock, isInnerName } = options;
    this.label = exit.label;
    this.#exit = exit;
    this.#options = options;
    this.#rhythm = new Rhythm(clock, () => CHECK_EVERY);
    // A kept answer would say nothing about the exit, and exits differ.
    this.#engine = createResolver({
      servers,
      policy,
      clock,
      cache: false,
      connection: (server, signal) => openTunnel(exit, { ...server, is: 'resolver' }, options, signal),
    });
    this.resolver = refusing(this.#engine, isInnerName);
  }

  start(onChange: (state: ExitState) => void): void {
    this.#onChange = onChange;
    const check = () => this.check(this.#closed.signal).catch(() => undefined); // it is known to all who ask
    void this.#rhythm.run(check, () => this.works === true);
  }

  async ready(signal: AbortSignal): Promise<void> {
    if (this.works === false) throw new ExitFailure(this.label, this.#seen);
    if (this.#options.clock.now() - this.#workedAt >= FRESH_MS) await this.check(signal);
  }

  async check(signal: AbortSignal): Promise<void> {
    const late = () => new ExitFailure(this.label, 'no answer from a resolver through it');
    try {
      const ask = (limited: AbortSignal) => this.#engine.query('.', 'NS', { fresh: true, signal: limited });
      const answer = await within(this.#options.clock, CHECK_MS, signal, late, ask);
      const problem = rootProblem(answer);
      if (problem !== '') throw new ExitFailure(this.label, `a resolver behind it ${problem}`);
    } catch (error) {
      signal.throwIfAborted(); // nobody waits for it any more
      const failure = error instanceof ProbeFailure ? new ExitFailure(this.label, error.seen, error) : error;
      if (!(failure instanceof ExitFailure)) throw error;
      this.#found(false, failure.seen);
      throw failure;
    }
    this.#found(true, '');
  }

  tcp({ address, port, signal }: { address: string; port: number; signal: AbortSignal }): Promise<Socket> {
    return openTunnel(this.#exit, { address, port, is: 'target' }, this.#options, signal);
  }

  close(): void {
    this.#closed.abort();
    this.#rhythm.stop();
    this.#engine.close();
  }

  #found(works: boolean, seen: string): void {
    if (works) this.#workedAt = this.#options.clock.now();
    this.#seen = seen;
    if (works === this.works) return;
    this.works = works;
    if (!works) this.#rhythm.wake();
    this.#onChange?.({ label: this.label, works, seen });
  }
}
