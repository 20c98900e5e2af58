import type { Capability, Presence, RendererPresence } from '@vedette/bus';
import type { Clock, ProbeKind } from '@vedette/contract';
import { FairPool } from './fair-pool.ts';
import type { GateRow } from './gate.ts';

/**
 * DNS questions under way. A search for DKIM keys asks 514 at once, so four nearly fit. With more, questions that time out and repeat
 * together would stall all accounts.
 */
const QUESTIONS = 2_048;
/** TCP connections open for central operations. */
const CONNECTIONS = 256;
/** Items of bulk requests that are worked on at a time. */
const ITEMS = 128;
/** Jobs that each gateway may have at a location, whatever the agents say they have slots for. */
const MIN_JOBS = 4;
/** Renders that each gateway may have under way, whatever the renderers say they have slots for. */
const MIN_RENDERS = 2;
/** Renders take seconds, and their clients a minute: for each that is under way so many wait. */
const WAITING_RENDERS = 24;
/** A message is read in a moment, or in ten seconds at most: for each that is being read so many wait. */
const WAITING_PARSES = 16;
/** Bytes of results of renderers and parsers until they have left: the largest result takes a fifth of it. */
const RESULT_BYTES = 256 * 1024 * 1024;
/** Bodies that are larger than most, from their head until their answer: what is made of one takes about four times as much. */
const BODY_BYTES = 64 * 1024 * 1024;
/** Once jobs of an account were refused, more of its jobs wait a moment only: what is measured is measured soon, and what is not is told soon (CoDel's idea). */
const JOBS_AFTER_REFUSAL = { forMs: 2_000, waitMs: 100 };
/** How long the slots of a location are taken to be what they were: adding them up costs more than a permit. */
const RECOUNT_MS = 250;

export interface PoolsOptions {
  clock: Clock;
  presence: Pick<Presence, 'slots'>;
  renderers: Pick<RendererPresence, 'slots'>;
  /** Messages that may be read at a time. */
  parsers: number;
  /** Living gateways, this one included: each uses its part of the agents' slots. */
  gateways(): number;
}

/** The pools of this gateway, each shared fairly by accounts. */
export class Pools {
  readonly questions: FairPool;
  readonly connections: FairPool;
  readonly renders: FairPool;
  readonly parses: FairPool;
  readonly results: FairPool;
  readonly bodies: FairPool;
  readonly items: FairPool;
  readonly #options: PoolsOptions;
  /** Made when the first job asks, by kind and location. */
  readonly #jobs = new Map<ProbeKind, Map<string, FairPool>>();

  constructor(options: PoolsOptions) {
    const { clock, renderers, parsers, gateways } = options;
    this.#options = options;
    this.questions = new FairPool({ clock, total: () => QUESTIONS });
    this.connections = new FairPool({ clock, total: () => CONNECTIONS });
    const total = this.#recounted(MIN_RENDERS, () => renderers.slots() / gateways());
    // No place is kept for accounts that may come: most operators have one account, and a place is a core. A render ends within seconds, and
    // the next request gets its place.
    this.renders = new FairPool({ clock, total, waitingPerUnit: WAITING_RENDERS, reserves: false });
    this.parses = new FairPool({ clock, total: () => parsers, waitingPerUnit: WAITING_PARSES });
    this.results = new FairPool({ clock, total: () => RESULT_BYTES, waitingPerUnit: Infinity });
    this.bodies = new FairPool({ clock, total: () => BODY_BYTES });
    // Each request has few items that wait.
    this.items = new FairPool({ clock, total: () => ITEMS, waitingPerUnit: Infinity });
  }

  /** Jobs of a kind at a location, those that need a capability of the agents' included. */
  jobs(kind: ProbeKind, location: string, needs?: Capability): FairPool {
    let ofKind = this.#jobs.get(kind);
    if (ofKind === undefined) this.#jobs.set(kind, (ofKind = new Map()));
    let pool = ofKind.get(location);
    if (pool === undefined) ofKind.set(location, (pool = this.#atLocation(kind, location, needs)));
    return pool;
  }

  /** Each pool with its name, for metrics; `location` is empty where it is this gateway's own. */
  *all(): Generator<{ pool: string; location: string; shared: FairPool }> {
    yield { pool: 'questions', location: '', shared: this.questions };
    yield { pool: 'connections', location: '', shared: this.connections };
    yield { pool: 'renders', location: '', shared: this.renders };
    yield { pool: 'parses', location: '', shared: this.parses };
    yield { pool: 'result_bytes', location: '', shared: this.results };
    yield { pool: 'body_bytes', location: '', shared: this.bodies };
    yield { pool: 'bulk_items', location: '', shared: this.items };
    for (const [pool, ofKind] of this.#jobs) for (const [location, shared] of ofKind) yield { pool, location, shared };
  }

  #atLocation(kind: ProbeKind, location: string, needs: Capability | undefined): FairPool {
    const { clock, presence, gateways } = this.#options;
    const total = this.#recounted(MIN_JOBS, () => presence.slots(location, kind, needs) / gateways());
    return new FairPool({ clock, total, afterRefusal: JOBS_AFTER_REFUSAL });
  }

  /** A part of what others have slots for, `least` at least, counted anew now and then. */
  #recounted(least: number, count: () => number): () => number {
    const { clock } = this.#options;
    let counted = 0;
    let countedAt = -Infinity;
    return () => {
      const now = clock.now();
      if (now - countedAt < RECOUNT_MS) return counted;
      countedAt = now;
      return (counted = Math.max(least, Math.floor(count())));
    };
  }
}

const MB = 1024 * 1024;
const QUARTER = 'the last quarter is for accounts that hold little';

/** The limit of long bodies, in words. */
export const BODY_POOL = `${BODY_BYTES / MB} MB; ${QUARTER}`;

/** The limit of items of bulk requests, in words. */
export const BULK_POOL = `${ITEMS} in all; ${QUARTER}`;

export const QUESTIONS_GATE: GateRow = {
  name: 'DNS questions',
  limits: 'DNS questions under way on one gateway, shared by accounts',
  limit: `${QUESTIONS}; ${QUARTER}`,
  codes: ['overloaded'],
  cause: 'service',
};

export const CONNECTS_GATE: GateRow = {
  name: 'Connections to targets',
  limits: 'connections of central operations, shared by accounts',
  limit: `${CONNECTIONS}; ${QUARTER}`,
  codes: ['overloaded'],
  cause: 'service',
};

export const JOBS_GATE: GateRow = {
  name: 'Jobs at a location',
  limits: 'jobs of one kind at one location, shared by accounts',
  limit: `the agents' slots by the number of gateways, at least ${MIN_JOBS}; ${QUARTER}`,
  codes: [],
  instead: 'The location fails as `agent_busy`',
  cause: 'service',
};

export const RENDERS_GATE: GateRow = {
  name: 'Pages',
  limits: 'pages that renderers load, shared by accounts',
  limit: `the renderers' slots by the number of gateways, at least ${MIN_RENDERS}; ${WAITING_RENDERS} wait for each`,
  codes: ['overloaded', 'target_limited'],
  cause: 'service',
  files: ['packages/bus/src/render/render-asker.ts'],
};

export const PARSES_GATE: GateRow = {
  name: 'Messages and pictures',
  limits: 'messages and pictures that parsers read, shared by accounts',
  limit: `as many as cores and memory allow; ${WAITING_PARSES} wait for each; ${QUARTER}`,
  codes: ['overloaded'],
  cause: 'service',
};

export const RESULTS_GATE: GateRow = {
  name: 'Room for results',
  limits: 'memory for results of renderers and parsers until they have left, shared by accounts',
  limit: `${RESULT_BYTES / MB} MB; ${QUARTER}`,
  codes: ['overloaded'],
  cause: 'service',
};
