import type { Socket } from 'node:net';
import type { Clock, ProbeFailure } from '@vedette/contract';
import { type Addresses, staggered, type StaggeredOptions } from '../../host/staggered.ts';
import type { HttpTrace } from '../trace.ts';

/** Opens a connection to a judged address, which closes with the signal. */
export type Dial = (address: string, signal: AbortSignal) => Promise<Socket>;

/** The addresses of a target, and how they are reached. */
export interface Route extends Pick<StaggeredOptions, 'next_ms' | 'isAtFault'> {
  addresses: Addresses;
  dial: Dial;
  /** When the exchange ends, on the clock. */
  until: number;
  /** When its connection has to stand, on the clock; otherwise it may take half of the time that is left, and ten seconds at most. */
  connectUntil?: number | undefined;
}

const CONNECT_MS = 10_000;

/** Opens connections to the first of the addresses that accepts one, and from then on to that one. */
export class Opener {
  readonly #route: Route;
  readonly #exchange: { trace: HttpTrace; clock: Clock; signal: AbortSignal };
  readonly #known: string[];
  #addresses: Addresses;
  #chosen: string | undefined;
  #hasMoved = false;

  constructor(route: Route, exchange: { trace: HttpTrace; clock: Clock; signal: AbortSignal }) {
    this.#route = route;
    this.#exchange = exchange;
    this.#addresses = route.addresses;
    this.#known = [...route.addresses.first];
    route.addresses.others?.then(
      (others) => this.#known.push(...others),
      () => {},
    );
  }

  async open(): Promise<Socket> {
    const { dial, next_ms, isAtFault, connectUntil } = this.#route;
    const { trace, clock, signal } = this.#exchange;
    if (this.#chosen !== undefined) return await dial(this.#chosen, signal);
    const until = connectUntil ?? clock.now() + Math.min(CONNECT_MS, this.#halfLeft);
    const { value, tried } = await staggered(this.#addresses, dial, { clock, signal, tried: trace.tried, next_ms, until, isAtFault });
    this.#chosen = trace.remoteAddress = tried.address;
    trace.connecting = tried.began;
    return value;
  }

  /** How long a TLS handshake with the chosen address may take, ms; undefined where no other one is left. */
  get handshakeMs(): number | undefined {
    return this.#hasMoved || this.#rest.length === 0 ? undefined : this.#halfLeft;
  }

  /** The next connection goes to another address than the chosen one. Once. */
  moveOn(failure: ProbeFailure): void {
    const { trace } = this.#exchange;
    this.#addresses = { first: this.#rest };
    const last = trace.tried.findLast(({ address }) => address === this.#chosen);
    if (last) last.failure = failure;
    this.#hasMoved = true;
    this.#chosen = undefined;
    delete trace.remoteAddress;
    delete trace.shown;
  }

  /** Addresses of which nothing bad is known, besides the chosen one. */
  get #rest(): string[] {
    const failed = this.#exchange.trace.tried.filter(({ failure }) => failure).map(({ address }) => address);
    return this.#known.filter((address) => address !== this.#chosen && !failed.includes(address));
  }

  get #halfLeft(): number {
    const { until, connectUntil = until } = this.#route;
    return Math.max(0, (connectUntil - this.#exchange.clock.now()) / 2);
  }
}
