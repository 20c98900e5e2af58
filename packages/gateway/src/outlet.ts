import type { Capability } from '@vedette/bus';
import { ApiError, type Dialler, type Gate, type Pass, type ProbeKind } from '@vedette/contract';
import type { FairSemaphore } from './fair-semaphore.ts';
import type { Pools } from './pools.ts';

export interface OutletOptions {
  /** Whose request it is. */
  account: string;
  pools: Pools;
  /** How long it may wait for a permit. */
  waitMs: number;
}

type Permit = Pass | undefined;

/** Whatever leaves for one request leaves here, with a permit of what the accounts share. */
export class Outlet implements Gate {
  /** Whether anything has left: from then on the request is to be paid for, whether or not its client stays. */
  departed = false;
  /** What the first question was about. */
  asked = '';
  /** Addresses that were contacted, as far as they are known. */
  contacted: Set<string> | undefined;
  readonly #options: OutletOptions;

  constructor(options: OutletOptions) {
    this.#options = options;
  }

  /** Fails with `ApiError` overloaded where there is no permit: the DNS did not stay silent. */
  question(name: string, signal: AbortSignal | undefined): Pass | Promise<Pass> {
    this.asked ||= name;
    return needed(this.#acquire(this.#options.pools.questions, signal), 'DNS questions', signal);
  }

  /** Fails with `ApiError` overloaded where there is no permit. */
  connection(_address: string, signal: AbortSignal | undefined): Pass | Promise<Pass> {
    return needed(this.#acquire(this.#options.pools.connections, signal), 'connections', signal);
  }

  /** The address was contacted for the request. */
  reached(address: string): void {
    (this.contacted ??= new Set()).add(address);
  }

  /** A job is to be published; undefined where the location has no permit for it. */
  job(kind: ProbeKind, location: string, needs: Capability | undefined, signal: AbortSignal): Permit | Promise<Permit> {
    return this.#acquire(this.#options.pools.jobs(kind, location, needs), signal);
  }

  #acquire(pool: FairSemaphore, signal: AbortSignal | undefined): Permit | Promise<Permit> {
    const permit = pool.acquire(this.#options.account, this.#options.waitMs, signal);
    return permit instanceof Promise ? permit.then((given) => this.#departs(given)) : this.#departs(permit);
  }

  #departs(permit: Permit): Permit {
    if (permit !== undefined) this.departed = true;
    return permit;
  }
}

function needed(permit: Permit | Promise<Permit>, what: string, signal: AbortSignal | undefined): Pass | Promise<Pass> {
  if (permit instanceof Promise)
    return permit.then((given) => {
      if (signal?.aborted) given?.();
      signal?.throwIfAborted();
      return needed(given, what, signal);
    });
  if (permit === undefined) throw new ApiError('overloaded', `too many ${what} are under way`, { retryAfterS: 1 });
  return permit;
}

/** A dialler whose connections pass the gate. */
export const gatedDialler = (dialler: Dialler, outlet: Outlet): Dialler => ({
  policy: dialler.policy,
  operatorTcp: dialler.operatorTcp,
  async tcp(options) {
    const pass = await outlet.connection(options.address, options.signal);
    outlet.reached(options.address);
    try {
      const socket = await dialler.tcp(options);
      socket.once('close', pass);
      return socket;
    } catch (error) {
      pass();
      throw error;
    }
  },
});
