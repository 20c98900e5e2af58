import type { Socket } from 'node:net';
import { type Clock, type Dialler, ProbeFailure, type Resolver, type TargetLimits, unlessAborted } from '@vedette/contract';
import { type OptOuts, UNGATED } from '@vedette/probes/host';
import { type Addresses, familiesOf, refuseProtected, resolveTargets, staggered } from '@vedette/probes/http';
import type { Destination } from './destination.ts';

export interface WayOutOptions {
  /** Asks for no inner name. */
  resolver: Pick<Resolver, 'addresses' | 'query'>;
  dialler: Dialler;
  limits: Pick<TargetLimits, 'http'>;
  clock: Clock;
  /** Whether the name is on the operator's deny-list. */
  isDenied(name: string): boolean;
}

/** How long all addresses of a host have together. A browser waits longer for a server, and a render does not. */
const CONNECT_MS = 10_000;
/** A target that is asked too often just now is asked a moment later; a page is not broken for it. */
const PATIENCE_MS = 5_000;
const RETRY_MS = 100;
/** Our own limits: no fault of an address. */
const isLimit = (error: unknown): boolean =>
  error instanceof ProbeFailure && (error.code === 'target_limited' || error.code === 'too_large');

/** A connection, and the address that accepted it. */
export interface Connected {
  socket: Socket;
  address: string;
}

/**
 * Makes a destination a connection, for one job. A name is resolved and judged once per port; its addresses are tried in turn, and everything after
 * goes to the one that accepted: a name that points elsewhere a moment later leads nowhere else. Government and educational hosts are refused for
 * sub-resources as well, as are names that the operator denies: a tunnel does not say what it is for, and a frame as large as its page is a page.
 */
export class WayOut {
  readonly #options: WayOutOptions;
  /** Ports of our own proxies: not to be reached through each other, whatever is allowed. */
  readonly #ownPorts: ReadonlySet<number>;
  readonly #optOuts: OptOuts;
  /** Addresses of each host and port: all that were judged, then the one that accepted. */
  readonly #addresses = new Map<string, Promise<Addresses>>();

  constructor(options: WayOutOptions, optOuts: OptOuts, ownPorts: ReadonlySet<number>) {
    this.#options = options;
    this.#optOuts = optOuts;
    this.#ownPorts = ownPorts;
  }

  /** Rejects with `ProbeFailure`: blocked_…, dns_…, connect_…, target_limited, no_network, cancelled. `onAddress` hears each address before it is dialled; what it throws ends the attempt. */
  async connect(destination: Destination, signal: AbortSignal, onAddress: (address: string) => void): Promise<Connected> {
    const { clock } = this.#options;
    const { host, port } = destination;
    const key = `${host} ${port}`;
    let judged = this.#addresses.get(key);
    if (!judged) this.#addresses.set(key, (judged = this.#judge(destination, signal)));
    const addresses = await unlessAborted(signal, judged);
    const dial = (address: string, limited: AbortSignal) => this.#dial(destination, address, limited, onAddress);
    const until = clock.now() + CONNECT_MS;
    const { value, tried } = await staggered(addresses, dial, { clock, signal, tried: [], until, isAtFault: isLimit });
    this.#addresses.set(key, Promise.resolve({ first: [tried.address] }));
    return { socket: value, address: tried.address };
  }

  async #dial({ host, port }: Destination, address: string, signal: AbortSignal, onAddress: (address: string) => void): Promise<Socket> {
    const release = await this.#admitted(address, host, signal);
    try {
      onAddress(address);
      const socket = await this.#options.dialler.tcp({ address, port, signal });
      socket.once('close', release);
      return socket;
    } catch (error) {
      release();
      throw error;
    }
  }

  async #judge(destination: Destination, signal: AbortSignal): Promise<Addresses> {
    const { resolver, dialler, clock, isDenied } = this.#options;
    const { kind, host } = destination;
    const onAlias = (name: string): void => {
      refuseProtected(name);
      if (isDenied(name)) throw new ProbeFailure('blocked_policy', name);
    };
    if (kind === 'name') onAlias(host);
    const [{ first, others }, optedOut] = await Promise.all([
      resolveTargets(destination, { resolver, dialler, clock }, { families: familiesOf(destination, 6), signal, onAlias }),
      kind === 'name' && this.#optOuts.has(host, UNGATED, { signal }),
    ]);
    if (optedOut) throw new ProbeFailure('blocked_policy', host);
    return {
      first: this.#notOurs(destination, first),
      others: others?.then((addresses) => this.#notOurs(destination, addresses)),
    };
  }

  /** The addresses; throws `ProbeFailure` blocked_policy where one is a proxy of ours. */
  #notOurs({ host, port }: Destination, addresses: readonly string[]): readonly string[] {
    const { policy } = this.#options.dialler;
    if (this.#ownPorts.has(port) && addresses.some((address) => policy.judge(address).class === 'loopback'))
      throw new ProbeFailure('blocked_policy', host);
    return addresses;
  }

  async #admitted(address: string, host: string, signal: AbortSignal): Promise<() => void> {
    const { clock, limits } = this.#options;
    for (const until = clock.now() + PATIENCE_MS; ;) {
      try {
        return limits.http(address, host);
      } catch (error) {
        if (clock.now() >= until) throw error;
        await clock.sleep(RETRY_MS, signal);
      }
    }
  }
}
