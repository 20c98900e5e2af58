import {
  type AddressPolicy,
  type Clock,
  type Dialler,
  type Endpoint,
  type Exit,
  ProbeFailure,
  type Resolver,
  unlessAborted,
  within,
} from '@vedette/contract';
import type { Socket } from 'node:net';
import { refusing } from '../dns/engine/refusing.ts';
import { createResolver } from '../dns/engine/resolver.ts';
import { CapabilityTest, rootProblem } from '../health/index.ts';
import { ExitFailure, type VpnExit } from './exits.ts';
import { openTunnel } from './tunnel.ts';

/** A check may take so long: a try at each of two resolvers. */
const CHECK_MS = 6_000;
/** How long an exit that worked is believed to do so. */
const FRESH_MS = 10_000;
/** The check ends by itself, and says why. */
const WAIT_MS = CHECK_MS + 1_000;

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
  readonly #exit: VpnExit;
  readonly #options: Omit<ExitsOptions, 'exits'>;
  readonly #engine: ReturnType<typeof createResolver>;
  readonly #test: CapabilityTest;
  #onChange: ((state: ExitState) => void) | undefined;

  constructor(exit: VpnExit, options: Omit<ExitsOptions, 'exits'>) {
    const { servers, policy, clock, isInnerName } = options;
    this.label = exit.label;
    this.#exit = exit;
    this.#options = options;
    // A kept answer would say nothing about the exit, and exits differ.
    this.#engine = createResolver({
      servers,
      policy,
      clock,
      cache: false,
      connection: (server, signal) => openTunnel(exit, { ...server, is: 'resolver' }, options, signal),
    });
    this.resolver = refusing(this.#engine, isInnerName);
    this.#test = new CapabilityTest({
      clock,
      witnesses: [(signal) => this.#witness(signal)],
      wait_ms: WAIT_MS,
      apart_ms: 0,
      onChange: () => this.#onChange?.({ label: this.label, works: this.works === true, seen: this.#test.problem }),
    });
  }

  get works(): boolean | undefined {
    const { verdict } = this.#test;
    return verdict === 'unknown' ? undefined : verdict === 'good';
  }

  start(onChange: (state: ExitState) => void): void {
    this.#onChange = onChange;
    this.#test.start();
  }

  async ready(signal: AbortSignal): Promise<void> {
    if (this.works === false) throw new ExitFailure(this.label, this.#test.problem);
    await this.#doubt(this.#options.clock.now() - FRESH_MS, signal);
  }

  async check(signal: AbortSignal): Promise<void> {
    await this.#doubt(this.#options.clock.now(), signal);
  }

  tcp({ address, port, signal }: { address: string; port: number; signal: AbortSignal }): Promise<Socket> {
    return openTunnel(this.#exit, { address, port, is: 'target' }, this.#options, signal);
  }

  close(): void {
    this.#test.stop();
    this.#engine.close();
  }

  async #doubt(since: number, signal: AbortSignal): Promise<void> {
    if ((await unlessAborted(signal, this.#test.doubt(since))) === 'bad') throw new ExitFailure(this.label, this.#test.problem);
  }

  /** A resolver behind the exit, asked for the root. */
  async #witness(signal: AbortSignal): Promise<string> {
    const late = () => new ProbeFailure('dns_timeout', 'no answer from a resolver through it');
    const ask = (limited: AbortSignal) => this.#engine.query('.', 'NS', { fresh: true, signal: limited });
    try {
      const problem = rootProblem(await within(this.#options.clock, CHECK_MS, signal, late, ask));
      return problem && `a resolver behind it ${problem}`;
    } catch (error) {
      if (error instanceof ProbeFailure || error instanceof ExitFailure) return error.seen;
      throw error;
    }
  }
}
