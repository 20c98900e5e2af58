import { randomBytes } from 'node:crypto';
import {
  ApiError,
  type Clock,
  isId,
  type Pass,
  type Payload,
  PROTOCOL,
  type Reason,
  RENDER_PARTS,
  type Rendered,
  type RenderJob,
  type RenderKind,
  type RenderNackFrame,
  type RenderResult,
  RENDERS,
  unlessAborted,
} from '@vedette/contract';
import { Compile } from 'typebox/schema';
import { agentBudget, gatewayBudget } from './budget.ts';
import { PayloadLost, payloadOf } from './chunks.ts';
import type { Bus, BusMessage } from './connection.ts';
import { type Landing, RenderFlight } from './render-flight.ts';
import { writeRenderJob } from './render-frames.ts';
import { RenderFetcher } from './render-fetcher.ts';
import { RenderInputs } from './render-inputs.ts';
import { type RenderHistory, type RenderRoute, routeRender } from './render-route.ts';
import { nameOf, type RendererId, type RendererPresence } from './renderer-presence.ts';
import { subjects } from './subjects.ts';

export interface AskRenderOptions {
  /** HTML to render, for a job without URL. */
  input?: Uint8Array;
  /** What is left of the client's deadline. */
  budgetMs: number;
  /** The client has gone, or the deadline has passed. */
  signal: AbortSignal;
  /** Permits so many bytes of a result, when it is their turn; given back by whoever lets go of the result. */
  admit?: (bytes: number, signal: AbortSignal) => Promise<Pass>;
}

/** What the bus tells of renders. */
export interface AskRenderEvents {
  /** A frame that is none, or one of somebody else. */
  invalidFrame(): void;
  /** A renderer was lost with a job, which goes to another. */
  retried(kind: RenderKind): void;
}

/** What was rendered. `free` gives back what `admit` permitted. */
export type FreeableRender<K extends RenderKind> = Rendered<K> & { free: Pass };

export interface RenderAsker {
  /**
   * Has a page rendered. Rejects with `ApiError`: no_renderer where none is there, overloaded where all are busy, target_limited, upstream_failed
   * where a renderer failed or was lost twice, bus_unavailable, internal; or with the signal's reason.
   */
  render<K extends RenderKind>(kind: K, job: RenderJob<K>, options: AskRenderOptions): Promise<FreeableRender<K>>;
  close(): void;
}

export interface RenderAskerOptions {
  /** Jobs and replies. */
  bus: Bus;
  /** Inputs and results: a connection of their own, so that nothing waits behind them. */
  chunks: Bus;
  /** Names the inbox: the public key of our credentials, where the server knows its clients. */
  gatewayId: string;
  presence: RendererPresence;
  clock: Clock;
  events: AskRenderEvents;
}

const JOB_BYTES = 12;
const NONCE_BYTES = 16;
const VERSION = `${PROTOCOL.major}.${PROTOCOL.minor}`;
const SWEEP_MS = 100;
const POLL_MS = 200;
/** A sweep this late means that we were stalled, and frames may be waiting unread. */
const STALL_MS = 500;
/** How long a job that every renderer refuses is offered again: permits keep more from being asked than there are slots. */
const BUSY_MS = 5_000;
/** A render that begins with less left than this ends in a timeout. */
const MIN_BUDGET_MS = 1_000;
/** Times that a job may begin. */
const MAX_STARTS = 2;
const SOON = { retryAfterS: 1 };
/** About what a browser takes to start. */
const NO_RENDERER = { retryAfterS: 5 };
const NOTHING = new Uint8Array();

const results = {
  screenshot: Compile(RENDERS.screenshot.result),
  pdf: Compile(RENDERS.pdf.result),
  requests: Compile(RENDERS.requests.result),
};
const isResult = <K extends RenderKind>(kind: K, value: unknown): value is RenderResult<K> => results[kind].Check(value);

/** Asks renderers, one attempt at a time. */
export function createRenderAsker(options: RenderAskerOptions): RenderAsker {
  if (!isId(options.gatewayId)) throw new TypeError('gatewayId must be a subject token');
  return new Asker(options);
}

/** One render on its way. */
interface Task<K extends RenderKind> extends AskRenderOptions, RenderHistory {
  kind: K;
  spec: RenderJob<K>;
  job: string;
  payload: Payload | undefined;
  /** The gateway's part of the client's deadline, on our clock. */
  deadline: number;
  busySince: number | undefined;
}

class Asker implements RenderAsker {
  readonly #options: RenderAskerOptions;
  readonly #inbox: string;
  readonly #inputs: RenderInputs;
  readonly #fetcher: RenderFetcher;
  readonly #flights = new Map<string, RenderFlight>();
  readonly #stopped = new AbortController();
  readonly #endings: (() => void)[];

  constructor(options: RenderAskerOptions) {
    const { bus, chunks, clock, gatewayId } = options;
    this.#options = options;
    this.#inbox = subjects.inbox(gatewayId);
    this.#inputs = new RenderInputs(chunks, gatewayId);
    this.#fetcher = new RenderFetcher(chunks, clock, this.#inbox);
    const subscription = bus.subscribe(`${this.#inbox}.*.*`, (message) => this.#onMessage(message));
    const endWatch = bus.onChange((connected) => {
      if (!connected) for (const flight of this.#flights.values()) flight.busLost();
    });
    this.#endings = [() => subscription.unsubscribe(), endWatch, () => this.#inputs.close(), () => this.#fetcher.close()];
    void this.#sweep();
  }

  async render<K extends RenderKind>(kind: K, spec: RenderJob<K>, options: AskRenderOptions): Promise<FreeableRender<K>> {
    const { clock } = this.#options;
    const task: Task<K> = {
      ...options,
      kind,
      spec,
      job: randomBytes(JOB_BYTES).toString('base64url'),
      payload: options.input && (await payloadOf(options.input)),
      deadline: clock.now() + gatewayBudget(options.budgetMs),
      avoid: new Map(),
      starts: 0,
      busySince: undefined,
      named: false,
    };
    for (let attempt = 1; ; attempt += 1) {
      const rendered = await this.#step(task, attempt, await this.#choose(task));
      if (rendered) return rendered;
    }
  }

  close(): void {
    this.#stopped.abort();
    for (const end of this.#endings) end();
  }

  /** One attempt; undefined where another is to follow. */
  async #step<K extends RenderKind>(task: Task<K>, attempt: number, to: RenderRoute): Promise<FreeableRender<K> | undefined> {
    const { presence } = this.#options;
    const landing = await this.#attempt(task, attempt, to);
    task.named = false;
    switch (landing.how) {
      case 'bus_lost':
        throw new ApiError('bus_unavailable', '', SOON);
      case 'nobody':
        if (to !== 'any') presence.gone(to);
        else if (presence.well(task.kind).length === 0) throw new ApiError('no_renderer', '', NO_RENDERER);
        else task.named = true;
        return undefined;
      case 'nack':
        return await this.#refused(task, landing.reason);
      case 'silent':
        // By name from now on: it may be a frozen one that the server picks again and again.
        if (to !== 'any') task.avoid.set(nameOf(to), this.#options.clock.now());
        task.named = true;
        return undefined;
      case 'lost':
        return this.#lost(task, landing.by);
      case 'final':
        return await this.#land(task, attempt, landing);
    }
  }

  /** Whom to ask, or whoever has room. Waits for another where the one that had the job was lost. */
  async #choose(task: Task<RenderKind>): Promise<RenderRoute> {
    const { presence, clock } = this.#options;
    for (;;) {
      task.signal.throwIfAborted();
      const route = routeRender(presence, task);
      if (route !== undefined) return route;
      if (task.starts === 0) throw new ApiError('no_renderer', '', NO_RENDERER);
      if (task.deadline - clock.now() < MIN_BUDGET_MS) throw lostTwice();
      await clock.sleep(POLL_MS, task.signal);
    }
  }

  async #attempt(task: Task<RenderKind>, attempt: number, to: RenderRoute): Promise<Landing> {
    const { kind, spec, job, payload, input, deadline, signal } = task;
    const { bus, presence, clock, gatewayId } = this.#options;
    const budget_ms = agentBudget(deadline - clock.now(), 0);
    if (budget_ms < MIN_BUDGET_MS) throw new ApiError('overloaded', '', SOON);
    const nonce = randomBytes(NONCE_BYTES).toString('hex');
    const frame = { v: VERSION, job, attempt, nonce, gateway: gatewayId, kind, budget_ms, spec, ...(payload && { input: payload }) };
    const pinned = (by: RendererId) => subjects.pinnedRender(kind, by.key, by.renderer);
    const key = `${job}.${attempt}`;
    const flight = new RenderFlight(
      {
        job,
        attempt,
        nonce,
        subject: to === 'any' ? subjects.render(kind) : pinned(to),
        pinned,
        text: writeRenderJob(frame),
        reply: `${this.#inbox}.${key}`,
      },
      { bus, presence, clock },
    );
    const withdraw = input && this.#inputs.offer(key, nonce, input);
    this.#flights.set(key, flight);
    try {
      flight.launch();
      const landing = await unlessAborted(signal, flight.landing);
      if (landing.how === 'silent' || landing.how === 'lost') flight.cancel('loser');
      return landing;
    } catch (error) {
      flight.cancel(error instanceof ApiError && error.code === 'deadline' ? 'deadline' : 'client_gone');
      throw error;
    } finally {
      this.#flights.delete(key);
      withdraw?.();
    }
  }

  async #refused(task: Task<RenderKind>, reason: RenderNackFrame['reason']): Promise<undefined> {
    const { clock } = this.#options;
    if (reason === 'invalid') throw new ApiError('internal', '', { cause: new Error('a renderer refuses the job as invalid') });
    if (reason === 'unsupported') throw new ApiError('no_renderer', 'none can do this', NO_RENDERER);
    const now = clock.now();
    task.busySince ??= now;
    if (now - task.busySince > BUSY_MS) throw new ApiError('overloaded', 'every browser is busy', SOON);
    await clock.sleep(POLL_MS, task.signal);
  }

  /** The job had begun, and is to begin again; throws where it has begun often enough. */
  #lost(task: Task<RenderKind>, by: RendererId): undefined {
    task.starts += 1;
    task.avoid.set(nameOf(by), this.#options.clock.now());
    if (task.starts >= MAX_STARTS) throw lostTwice();
    this.#options.events.retried(task.kind);
  }

  async #land<K extends RenderKind>(
    task: Task<K>,
    attempt: number,
    { by, frame: { failure: failed, result, payloads = {}, nonce } }: Landing & { how: 'final' },
  ): Promise<FreeableRender<K> | undefined> {
    if (failed?.reason === 'cancelled') return this.#lost(task, by); // it shuts down, or was killed in its sleep
    if (failed?.reason === 'target_limited') throw new ApiError('target_limited', '', SOON);
    if (failed) throw new ApiError('upstream_failed', WHY[failed.reason] ?? 'the browser failed');
    const { admit, kind, job, signal } = task;
    const bytes = RENDER_PARTS.reduce((sum, part) => sum + (payloads[part]?.bytes ?? 0), 0);
    const free = (await admit?.(bytes, signal)) ?? (() => {});
    try {
      const fetched = await this.#fetcher.fetch(payloads, by, { job, attempt, nonce }, signal);
      const value = fetched.result ? parsed(fetched.result) : result;
      if (!isResult(kind, value)) throw new PayloadLost('the result breaks its schema');
      return { result: value, file: fetched.file ?? NOTHING, html: fetched.html?.toString() ?? '', free };
    } catch (error) {
      free();
      if (error instanceof PayloadLost) return this.#lost(task, by);
      throw error;
    }
  }

  #onMessage(message: BusMessage): void {
    const flight = this.#flights.get(message.subject.slice(this.#inbox.length + 1));
    if (flight && !flight.onMessage(message)) this.#options.events.invalidFrame();
  }

  async #sweep(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stopped;
    let before = clock.now();
    while (!signal.aborted) {
      await clock.sleep(SWEEP_MS, signal).catch(() => {}); // stopped
      const now = clock.now();
      if (now - before > STALL_MS) this.#options.presence.stalled();
      before = now;
      for (const flight of this.#flights.values()) flight.tick();
    }
  }
}

function parsed(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString());
  } catch (cause) {
    throw new PayloadLost('the result is no JSON', { cause });
  }
}

const lostTwice = (): ApiError =>
  new ApiError('upstream_failed', 'the browser was lost, and so was its successor or none came', { retryAfterS: 5 });

/** What a client is told of a renderer that failed by its own doing. */
const WHY: Partial<Record<Reason, string>> = {
  no_network: 'the renderer has no working network',
  too_large: 'what was rendered is larger than the limit',
};
