import type { Socket } from 'node:net';
import { type Clock, type Dialler, ProbeFailure, type Resolver, type TargetLimits, unlessAborted, within } from '@vedette/contract';
import { familiesOf, refuseProtected, resolveTarget } from '@vedette/probes/http';
import type { Destination } from './destination.ts';
import type { Owners } from './owners.ts';

export interface WayOutOptions {
  /** Asks for no inner name. */
  resolver: Pick<Resolver, 'addresses' | 'query'>;
  dialler: Dialler;
  limits: Pick<TargetLimits, 'http'>;
  clock: Clock;
  /** Whether the operator contacts this name for nobody. */
  isDenied(name: string): boolean;
}

/** A browser waits longer than that for a server, and a render does not. */
const CONNECT_MS = 10_000;
/** A target that is asked too often just now is asked a moment later; a page is not broken for it. */
const PATIENCE_MS = 5_000;
const RETRY_MS = 100;

/**
 * Makes a destination a connection, for one job. A name is resolved once per port, and everything after goes to the address that was judged then: a
 * name that points elsewhere a moment later leads nowhere else. Government and educational hosts are refused for sub-resources as well, as are names
 * that the operator denies: a tunnel does not say what it is for, and a frame as large as its page is a page.
 */
export class WayOut {
  readonly #options: WayOutOptions;
  /** Ports of our own proxies: not to be reached through each other, whatever is allowed. */
  readonly #ownPorts: ReadonlySet<number>;
  readonly #owners: Owners;
  readonly #addresses = new Map<string, Promise<string>>();

  constructor(options: WayOutOptions, owners: Owners, ownPorts: ReadonlySet<number>) {
    this.#options = options;
    this.#owners = owners;
    this.#ownPorts = ownPorts;
  }

  /** Rejects with `ProbeFailure`: blocked_…, dns_…, connect_…, target_limited, no_network, cancelled. `onAddress` hears what is dialled. */
  async connect(destination: Destination, signal: AbortSignal, onAddress: (address: string) => void): Promise<Socket> {
    const { clock, dialler } = this.#options;
    const { host, port } = destination;
    const address = await unlessAborted(signal, this.#addressOf(destination, signal));
    const release = await this.#admitted(address, host, signal);
    try {
      onAddress(address);
      const late = () => new ProbeFailure('connect_timeout', `${host} port ${port}`);
      const socket = await within(clock, CONNECT_MS, signal, late, (limited) => dialler.tcp({ address, port, signal: limited }));
      socket.once('close', release);
      return socket;
    } catch (error) {
      release();
      throw error;
    }
  }

  #addressOf(destination: Destination, signal: AbortSignal): Promise<string> {
    const key = `${destination.host} ${destination.port}`;
    let address = this.#addresses.get(key);
    if (!address) this.#addresses.set(key, (address = this.#judge(destination, signal)));
    return address;
  }

  async #judge(destination: Destination, signal: AbortSignal): Promise<string> {
    const { resolver, dialler, isDenied } = this.#options;
    const { kind, host, port } = destination;
    const onAlias = (name: string): void => {
      refuseProtected(name);
      if (isDenied(name)) throw new ProbeFailure('blocked_policy', name);
    };
    if (kind === 'name') onAlias(host);
    const [address, optedOut] = await Promise.all([
      resolveTarget(destination, { resolver, dialler }, { families: familiesOf(destination), signal, onAlias }),
      kind === 'name' && this.#owners.hasOptedOut(host),
    ]);
    if (optedOut || (this.#ownPorts.has(port) && dialler.policy.judge(address).class === 'loopback'))
      throw new ProbeFailure('blocked_policy', host);
    return address;
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
