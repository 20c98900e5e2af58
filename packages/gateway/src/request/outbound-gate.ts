import type { Socket } from 'node:net';
import type { Capability } from '@vedette/bus';
import { ApiError, type Dialler, type Gate, isAtOrUnder, type Pass, ProbeFailure, type ProbeKind } from '@vedette/contract';
import type { Http3Client } from '@vedette/probes/net';
import { actingOf, type Operation } from '@vedette/operations/kit';
import type { EngineQuestion } from '../shares/engine-queues.ts';
import type { FairPool } from '../shares/fair-pool.ts';
import type { Pools } from '../shares/pools.ts';
import { registrableDomain } from '../shares/registrable-domain.ts';
import type { TargetRates, TargetRefusal } from '../shares/target-rates.ts';
import type { Target } from '../shares/targets.ts';
import type { Prepared } from './prepared.ts';

/** The demand of a request on its targets. */
export interface Demand {
  /** The account of the request. */
  account: string;
  targets: readonly Target[];
  /** Further hosts that each job contacts. */
  further?: readonly Target[];
  /** Jobs that go out first; 0 for central operations, whose connections are counted one by one, but 1 for one that declares how many there are. */
  jobs: number;
  /** Questions that each of them asks about the targets; undefined where it contacts them. */
  asks: number | undefined;
  /** Contacts with the targets that each of them is, where it is more than one. */
  contacts?: number | undefined;
}

export function demandOf(operation: Operation, account: string, { query, targets, further = [], locations }: Prepared): Demand {
  const acting = actingOf(operation, locations);
  const around = { account, targets, further };
  if (acting.kind === 'central')
    return { ...around, jobs: acting.connects ? 1 : 0, asks: undefined, contacts: acting.connects?.(query)?.times };
  return {
    ...around,
    jobs: acting.entries === undefined ? 1 : locations.length,
    asks: acting.asks?.(query),
    contacts: acting.scans?.(query).length ?? acting.connects?.(query)?.times,
  };
}

/** Throws `ApiError` target_limited for a request that could not begin its work now. Nothing is taken: requests that cannot pay use up no rate. */
export function refuseLimited({ account, targets, further, jobs, asks, contacts = 1 }: Demand, rates: TargetRates | undefined): void {
  throwIfRefused(jobs === 0 ? rates?.spent(account, targets) : rates?.jobs(account, targets, jobs * contacts, asks, true, further));
}

export interface OutboundGateOptions {
  demand: Demand;
  pools: Pools;
  /** Undefined: targets have no limits. */
  rates: TargetRates | undefined;
  /** How long it may wait for a permit. */
  waitMs: number;
  /** How long it may wait for a turn at blacklist engines. */
  queueMs: number;
}

/** A browser opens up to six connections to one host: so many contacts is a page to the domain that it was asked for. */
const PAGE_CONTACTS = 6;
/** A page that never loads takes so long: one account may have all permits, and who comes beside it has the first that is given back. */
const PAGE_WAIT_MS = 35_000;
/** Two others may be read first for as long as a message may take. */
const PARSE_WAIT_MS = 20_000;
/** How long a renderer is sure to hold what it rendered. */
const RESULT_WAIT_MS = 10_000;

type Permit = Pass | undefined;

/**
 * Everything that one request sends leaves here, within the rates of its targets, and with a permit of the shared pools. A refusal here
 * ends the request: a report with holes would be read as a verdict.
 */
export class OutboundGate implements Gate {
  /** Whether anything has left: from then on the request is to be paid for, whether or not its client stays. */
  sentTraffic = false;
  /** The families over which a connection was tried, and those of which a host has answered one. */
  readonly dialled = new Set<4 | 6>();
  readonly heard = new Set<4 | 6>();
  /** The families over which the last connection was not answered. */
  readonly unheard = new Set<4 | 6>();
  /** The subject of the first question. */
  firstQuestion = '';
  /** Addresses that were contacted, as far as they are known. */
  contacted: Set<string> | undefined;
  /** Hosts beside the targets that were contacted, and their addresses: where a target leads. */
  readonly hosts = new Map<string, Set<string>>();
  /** Settles when nothing more is to be heard of what was contacted; undefined where that is so. */
  rest: Promise<unknown> | undefined;
  readonly #options: OutboundGateOptions;
  /** Give back what is kept in memory for its answer. */
  #retained: Pass[] | undefined = [];
  /** Whether its jobs are admitted: then a request may ask about its targets' zones what it needs to make a report of them. */
  #jobsAdmitted = false;
  /** Contacts with addresses and ports of the request that were counted before, and have not been made. */
  readonly #counted = new Map<string, number>();
  #zones: readonly string[] | undefined;
  /** Questions whose turn has come, by name, until they are answered. */
  readonly #due = new Map<string, EngineQuestion>();

  constructor(options: OutboundGateOptions) {
    this.#options = options;
  }

  /** Fails with `ApiError` target_limited, and overloaded without a permit: the DNS did not stay silent. */
  question(name: string, signal: AbortSignal | undefined, server?: string, held = false): Pass | Promise<Pass> {
    const { demand, rates } = this.#options;
    const due = this.#dueWith(name);
    if (due) rates?.due(due, this.#due.has(name), demand.account, server);
    else if (!held) throwIfRefused(rates?.question(demand.account, name, server, this.#promised()));
    this.firstQuestion ||= name;
    return needed(this.#acquire(this.#options.pools.questions, signal), 'DNS questions are running', signal);
  }

  queue(askers: ReadonlyMap<string, readonly string[]>): ReturnType<NonNullable<Gate['queue']>> {
    const { demand, rates, queueMs } = this.#options;
    const queued = rates?.queue(demand.account, askers, queueMs);
    if (queued === undefined) return { waitMs: 0, done: () => undefined };
    if ('late' in queued) return queued;
    for (const [name, question] of queued.questions) this.#due.set(name, question);
    const done = (asker: string): void => {
      for (const name of askers.get(asker) ?? []) this.#due.delete(name);
      queued.done(asker);
    };
    return { waitMs: queued.waitMs, done };
  }

  /** The question whose turn has come, or one to the same engine: a second server and the engine's test entry belong to it. */
  #dueWith(name: string): EngineQuestion | undefined {
    const due = this.#due.get(name);
    if (due) return due;
    for (const question of this.#due.values()) if (isAtOrUnder(name, question.zone.name)) return question;
    return undefined;
  }

  /** Fails with `ApiError` target_limited, and overloaded without a permit. */
  connection(address: string, signal: AbortSignal | undefined, port?: number): Pass | Promise<Pass> {
    this.paced(address, port);
    return needed(this.#acquire(this.#options.pools.connections, signal), 'connections are running', signal);
  }

  /** The address is to be contacted through another, which has the permit. Throws `ApiError` target_limited. */
  paced(address: string, port?: number): void {
    const { demand, rates } = this.#options;
    const hostPort = `${address} ${port}`;
    const counted = this.#counted.get(hostPort) ?? 0;
    if (counted > 0) return void this.#counted.set(hostPort, counted - 1);
    throwIfRefused(rates?.connection(demand.account, address, port));
  }

  /** The address was contacted for the request, as that of this host where one is given. */
  addContact(address: string, host?: string): void {
    const isTarget = host === undefined || this.#options.demand.targets.some((target) => target.host === host);
    if (isTarget) (this.contacted ??= new Set()).add(address);
    else if (this.hosts.has(host)) this.hosts.get(host)!.add(address);
    else this.hosts.set(host, new Set([address]));
  }

  /** Calls it once all is known of what was contacted: now, or when a page under way has said its last. */
  onContactsComplete(then: () => void): void {
    if (this.rest) void this.rest.then(then);
    else then();
  }

  /** Jobs are to go out to so many locations. Throws `ApiError` target_limited. */
  admitJobs(count: number): void {
    const { demand, rates } = this.#options;
    const counted = count * (demand.contacts ?? 1);
    throwIfRefused(rates?.jobs(demand.account, demand.targets, counted, demand.asks, false, demand.further));
    this.#jobsAdmitted = true;
    if (demand.asks !== undefined) return;
    for (const target of demand.targets) {
      const hostPort = 'port' in target && target.kind !== 'name' ? `${target.host} ${target.port}` : undefined;
      if (hostPort !== undefined) this.#counted.set(hostPort, (this.#counted.get(hostPort) ?? 0) + counted);
    }
  }

  /** A job is to be published; undefined where the location has no permit for it. */
  job(kind: ProbeKind, location: string, needs: Capability | undefined, signal: AbortSignal): Permit | Promise<Permit> {
    return this.#acquire(this.#options.pools.jobs(kind, location, needs), signal);
  }

  /** A page is to be rendered. Fails with `ApiError` target_limited, and overloaded without a permit in time. */
  page(signal: AbortSignal): Pass | Promise<Pass> {
    const { demand, rates, pools } = this.#options;
    throwIfRefused(rates?.jobs(demand.account, demand.targets, PAGE_CONTACTS, undefined));
    return needed(this.#acquire(pools.renders, signal, PAGE_WAIT_MS), 'pages are running', signal);
  }

  /**
   * A message is to be read. Nothing leaves for it; it is work all the same, and to be paid for. Fails with `ApiError` overloaded without a
   * permit in time.
   */
  parse(signal: AbortSignal): Pass | Promise<Pass> {
    return needed(this.#acquire(this.#options.pools.parses, signal, PARSE_WAIT_MS), 'messages are running', signal);
  }

  /**
   * Waits for room for so many bytes of a result. Rejects with `ApiError` overloaded without room in time, or with the signal's reason.
   */
  async result(bytes: number, signal: AbortSignal): Promise<Pass> {
    const { demand, pools } = this.#options;
    return needed(pools.results.acquire(demand.account, RESULT_WAIT_MS, signal, bytes), 'results are in transit', signal);
  }

  /** Something is in memory for the answer, which this gives back: called by `release`. */
  retain(free: Pass): void {
    if (this.#retained) this.#retained.push(free);
    else free();
  }

  /** The answer has left, or there will be none. */
  readonly release = (): void => {
    for (const free of this.#retained ?? []) free();
    this.#retained = undefined;
  };

  #acquire(pool: FairPool, signal: AbortSignal | undefined, waitMs = this.#options.waitMs): Permit | Promise<Permit> {
    const permit = pool.acquire(this.#options.demand.account, waitMs, signal);
    return typeof permit === 'object' ? permit.then((given) => this.#countAsSent(given)) : this.#countAsSent(permit);
  }

  #promised(): readonly string[] | undefined {
    if (!this.#jobsAdmitted) return undefined;
    return (this.#zones ??= this.#options.demand.targets.map(({ host }) => registrableDomain(host)));
  }

  #countAsSent(permit: Permit): Permit {
    if (permit !== undefined) this.sentTraffic = true;
    return permit;
  }
}

function throwIfRefused(refused: TargetRefusal | undefined): void {
  if (refused) throw new ApiError('target_limited', refused.target, { retryAfterS: refused.retryAfterS });
}

function needed(permit: Permit | Promise<Permit>, what: string, signal: AbortSignal | undefined): Pass | Promise<Pass> {
  if (permit instanceof Promise)
    return permit.then((given) => {
      if (signal?.aborted) given?.();
      signal?.throwIfAborted();
      return needed(given, what, signal);
    });
  if (permit === undefined) throw new ApiError('overloaded', `too many ${what}`, { retryAfterS: 1 });
  return permit;
}

/** A dialler whose connections pass the gate. */
export const gatedDialler = (dialler: Dialler, gate: OutboundGate): Dialler => ({
  policy: dialler.policy,
  async operatorTcp(options) {
    const { beyond, signal } = options;
    if (!beyond) return await dialler.operatorTcp(options);
    const pass = await gate.connection(beyond.address, signal, beyond.port);
    gate.addContact(beyond.address, beyond.host);
    return await closing(dialler.operatorTcp(options), pass);
  },
  async tcp(options) {
    if (options.beyond !== undefined) {
      gate.paced(options.beyond);
      gate.addContact(options.beyond, options.host);
    }
    const pass = await gate.connection(options.address, options.signal, options.port);
    gate.addContact(options.address, options.host);
    const family = options.address.includes(':') ? 6 : 4;
    gate.dialled.add(family);
    gate.unheard.add(family);
    const isHeard = () => {
      gate.heard.add(family);
      gate.unheard.delete(family);
    };
    try {
      const socket = await closing(dialler.tcp(options), pass);
      isHeard();
      return socket;
    } catch (error) {
      if (error instanceof ProbeFailure && error.code === 'connect_refused') isHeard();
      throw error;
    }
  },
});

/** Gives the permit of a connection back when that closes, or was not made. */
async function closing(connecting: Promise<Socket>, pass: Pass): Promise<Socket> {
  try {
    const socket = await connecting;
    return socket.once('close', pass);
  } catch (error) {
    pass();
    throw error;
  }
}

/** A client whose connections pass the gate. */
export const gatedHttp3 = (client: Http3Client, gate: OutboundGate): Http3Client => ({
  ready: () => client.ready(),
  udpVerdict: (since) => client.udpVerdict(since),
  async get(request) {
    const pass = await gate.connection(request.address, request.signal, request.port);
    gate.addContact(request.address);
    try {
      return await client.get(request);
    } finally {
      pass();
    }
  },
});
