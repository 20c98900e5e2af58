import {
  ApiError,
  type ApiErrorCode,
  type Clock,
  type Failure,
  isId,
  isProtectedHost,
  isSpecialUseName,
  type Pass,
  type Reason,
  type Rendered,
  type RenderJob,
  type RenderKind,
  type RenderResult,
  RENDERS,
  unlessAborted,
} from '@vedette/contract';
import { type Payload, RENDER_PARTS, type RenderContact } from '../frames/index.ts';
import { Compile } from 'typebox/schema';
import { agentBudget, gatewayBudget } from '../wire/budget.ts';
import { PayloadLost, payloadOf } from '../wire/chunks.ts';
import { Inbox } from '../ask/inbox.ts';
import type { Bus } from '../wire/connection.ts';
import { type Landing, RenderFlight } from './render-flight.ts';
import { writeRenderJob } from './render-frames.ts';
import { RenderFetcher } from './render-fetcher.ts';
import { RenderInputs } from './render-inputs.ts';
import { RenderPatience } from './render-patience.ts';
import { type RenderHistory, type RenderRoute, roomOf, routeRender } from './render-route.ts';
import { nameOf, type RendererId, type RendererPresence } from './renderer-presence.ts';
import { createJobId, createNonce, VERSION } from '../wire/job-frame.ts';
import { subjects } from '../wire/subjects.ts';

export interface AskRenderOptions {
  /** HTML to render, for a job without URL. */
  input?: Uint8Array;
  /** The rest of the client's deadline. */
  budgetMs: number;
  /** The client has gone, or the deadline has passed. */
  signal: AbortSignal;
  /** Permits so many bytes of a result, when it is their turn; the holder of the result returns the pass when it drops the result. */
  admit?: (bytes: number, signal: AbortSignal) => Promise<Pass>;
  /** Hears whom each attempt has contacted, whatever became of it. */
  contacted?: (contacts: readonly RenderContact[]) => void;
}

/** The bus's events about renders. */
export interface AskRenderEvents {
  /** An invalid frame, or one of another sender. */
  invalidFrame(): void;
  /** A renderer was lost with a job, or could not do it, and another gets it. */
  retried(kind: RenderKind): void;
}

/** The rendered result. `free` gives back what `admit` permitted. */
export type FreeableRender<K extends RenderKind> = Rendered<K> & { free: Pass };

export interface RenderAsker {
  /**
   * Has a page rendered. Rejects with `ApiError`: no_renderer where none is there or its browser failed, overloaded where all are busy, target_limited,
   * upstream_failed where a renderer has no network or was lost twice (each where there is no other that can), bus_unavailable, internal, what a gateway says of a URL that may not be contacted; or with
   * the signal's reason.
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

const SWEEP_MS = 100;
const POLL_MS = 200;
const STALL_MS = 500;
/** How long a job that every renderer refuses is offered again: permits keep more from being asked than there are slots. */
const BUSY_MS = 5_000;
/** A render that begins with less left than this ends in a timeout. */
const MIN_BUDGET_MS = 1_000;
/** The rest of a deadline must suffice for a second start. */
const SECOND_MS = 15_000;
/** Failures that are the job's own, and would be any renderer's. */
const IS_THE_JOBS: ReadonlySet<Reason> = new Set<Reason>(['too_large', 'blocked_private_address', 'blocked_policy']);
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
  /** The renderers that failed; they are blamed if another one succeeds. */
  suspects: RendererId[];
  /** Why the last one could not. */
  failed: ApiError | undefined;
}

class Asker implements RenderAsker {
  readonly #options: RenderAskerOptions;
  readonly #subject: string;
  readonly #inbox: Inbox<RenderFlight>;
  readonly #inputs: RenderInputs;
  readonly #fetcher: RenderFetcher;
  readonly #patience = new RenderPatience();

  constructor(options: RenderAskerOptions) {
    const { bus, chunks, clock, gatewayId, presence, events } = options;
    this.#options = options;
    this.#subject = subjects.inbox(gatewayId);
    this.#inputs = new RenderInputs(chunks, gatewayId);
    this.#fetcher = new RenderFetcher(chunks, clock, this.#subject);
    this.#inbox = new Inbox({
      bus,
      subject: this.#subject,
      tokens: 1,
      clock,
      sweepMs: SWEEP_MS,
      stallMs: STALL_MS,
      onStall: () => presence.stalled(),
      onMessage: (message, flights, attempt) => {
        const flight = flights?.get(attempt);
        if (flight && !flight.onMessage(message)) events.invalidFrame();
      },
    });
  }

  async render<K extends RenderKind>(kind: K, spec: RenderJob<K>, options: AskRenderOptions): Promise<FreeableRender<K>> {
    const { clock } = this.#options;
    const task: Task<K> = {
      ...options,
      kind,
      spec,
      job: createJobId(),
      payload: options.input && (await payloadOf(options.input)),
      deadline: clock.now() + gatewayBudget(options.budgetMs),
      avoid: new Map(),
      starts: 0,
      busySince: undefined,
      named: false,
      suspects: [],
      failed: undefined,
    };
    for (let attempt = 1; ; attempt += 1) {
      const rendered = await this.#step(task, attempt, await this.#choose(task));
      if (rendered) return rendered;
    }
  }

  close(): void {
    this.#inbox.close();
    this.#inputs.close();
    this.#fetcher.close();
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
        return await this.#refused(task, landing);
      case 'silent':
        // By name from now on: it may be a frozen one that the server picks again and again.
        if (to !== 'any') this.#suspect(task, to);
        task.named = true;
        return undefined;
      case 'lost':
      case 'late':
        return this.#lost(task, landing.by);
      case 'final':
        return await this.#land(task, attempt, landing);
    }
  }

  /** The renderer to ask, or any with room. Waits for another where the one that had the job was lost. */
  async #choose(task: Task<RenderKind>): Promise<RenderRoute> {
    const { presence, clock } = this.#options;
    for (;;) {
      task.signal.throwIfAborted();
      if (task.failed && !this.#hasOther(task)) throw task.failed;
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
    const nonce = createNonce();
    const frame = { v: VERSION, job, attempt, nonce, gateway: gatewayId, kind, budget_ms, spec, ...(payload && { input: payload }) };
    const key = `${job}.${attempt}`;
    const flight = new RenderFlight(
      {
        job,
        attempt,
        nonce,
        to: to === 'any' ? undefined : to,
        kind,
        text: writeRenderJob(frame),
        reply: `${this.#subject}.${key}`,
        isLate: (by, ms) => this.#isLate(task, by, ms),
        onContacts: (contacts) => task.contacted?.(contacts),
      },
      { bus, presence, clock },
    );
    const withdraw = input && this.#inputs.offer(key, nonce, input);
    this.#inbox.add(job, new Map([[String(attempt), flight]]));
    try {
      flight.launch();
      const landing = await unlessAborted(signal, flight.landing);
      if (landing.how === 'late') {
        flight.cancel('loser');
        await flight.last();
      } else if (landing.how === 'silent' || landing.how === 'lost') flight.cancel('loser');
      if (landing.how === 'final' && landing.frame.failure === undefined) this.#patience.took(kind, flight.workedMs - delayOf(spec));
      return landing;
    } catch (error) {
      flight.cancel(error instanceof ApiError && error.code === 'deadline' ? 'deadline' : 'client_gone');
      await flight.last();
      throw error;
    } finally {
      this.#inbox.remove(job);
      withdraw?.();
    }
  }

  async #refused(task: Task<RenderKind>, { reason, by }: Landing & { how: 'nack' }): Promise<undefined> {
    const { clock } = this.#options;
    if (reason === 'invalid')
      return this.#failed(task, by, new ApiError('internal', '', { cause: new Error('a renderer refuses the job as invalid') }));
    if (reason === 'unsupported')
      return this.#failed(task, by, new ApiError('no_renderer', 'no connected renderer supports the request', NO_RENDERER));
    const now = clock.now();
    task.busySince ??= now;
    if (now - task.busySince > BUSY_MS) throw new ApiError('overloaded', 'every browser is busy', SOON);
    await clock.sleep(POLL_MS, task.signal);
  }

  /** Asks another renderer once, which has not failed at this job. Throws the error when there is none left. */
  #failed(task: Task<RenderKind>, by: RendererId, error: ApiError): undefined {
    this.#suspect(task, by);
    task.starts += 1;
    task.failed = error;
    if (task.starts >= MAX_STARTS || !this.#hasOther(task)) throw error;
    this.#options.events.retried(task.kind);
  }

  /** The job had begun, and is to begin again; throws where it has begun often enough. */
  #lost(task: Task<RenderKind>, by: RendererId): undefined {
    task.starts += 1;
    this.#suspect(task, by);
    if (task.starts >= MAX_STARTS) throw task.failed ?? lostTwice();
    this.#options.events.retried(task.kind);
  }

  #suspect(task: Task<RenderKind>, by: RendererId): void {
    task.avoid.set(nameOf(by), this.#options.clock.now());
    task.suspects.push(by);
  }

  /** A page may be more than any renderer can do, so that one is blamed only where another could. */
  #done({ kind, suspects }: Task<RenderKind>, by: RendererId): void {
    const { presence } = this.#options;
    presence.good(by, kind);
    for (const suspect of suspects) if (nameOf(suspect) !== nameOf(by)) presence.fault(suspect, kind);
  }

  #hasOther({ kind, avoid }: Task<RenderKind>): boolean {
    return this.#options.presence.well(kind).some((one) => !avoid.has(nameOf(one)));
  }

  /** Whether one is at a job for longer than renders of its kind take, while another has room, and time enough. */
  #isLate({ kind, spec, starts, avoid, deadline }: Task<RenderKind>, by: RendererId, ms: number): boolean {
    const patience = this.#patience.ms(kind);
    if (starts > 0 || ms < patience + delayOf(spec)) return false;
    if (deadline - this.#options.clock.now() < Math.min(patience, SECOND_MS) + delayOf(spec)) return false;
    const others = this.#options.presence.well(kind).filter((one) => nameOf(one) !== nameOf(by) && !avoid.has(nameOf(one)));
    return others.some((one) => roomOf(one) > 0);
  }

  async #land<K extends RenderKind>(
    task: Task<K>,
    attempt: number,
    { by, frame: { failure: failed, result, payloads = {}, nonce } }: Landing & { how: 'final' },
  ): Promise<FreeableRender<K> | undefined> {
    if (failed?.reason === 'cancelled') return this.#lost(task, by); // it shuts down, or was killed in its sleep
    if (failed) {
      const error = failureOf(failed, task.spec);
      if (IS_THE_JOBS.has(failed.reason)) throw error;
      return this.#failed(task, by, error);
    }
    const { admit, kind, job, signal } = task;
    const bytes = RENDER_PARTS.reduce((sum, part) => sum + (payloads[part]?.bytes ?? 0), 0);
    const free = (await admit?.(bytes, signal)) ?? (() => {});
    try {
      const fetched = await this.#fetcher.fetch(payloads, by, { job, attempt, nonce }, signal);
      const value = fetched.result ? parsed(fetched.result) : result;
      if (!isResult(kind, value)) throw new PayloadLost('the result breaks its schema');
      this.#done(task, by);
      return { result: value, file: fetched.file ?? NOTHING, html: fetched.html?.toString() ?? '', free };
    } catch (error) {
      free();
      if (error instanceof PayloadLost) return this.#lost(task, by);
      throw error;
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

const lostTwice = (): ApiError => new ApiError('upstream_failed', 'the browser was lost, and the retry failed', { retryAfterS: 5 });

/** How long the job itself wants to wait, ms. */
const delayOf = (spec: RenderJob<RenderKind>): number => ('page' in spec ? spec.page.delay_ms : 0);

/** The client's error for a failed job: only the reason of the frame is used, since a renderer may be stolen. */
function failureOf({ reason, error }: Failure, spec: RenderJob<RenderKind>): ApiError {
  const { url } = 'page' in spec ? spec.page : spec;
  switch (reason) {
    case 'target_limited':
      return new ApiError('target_limited', '', SOON);
    case 'blocked_private_address':
    case 'blocked_policy':
      return refusedTarget(reason, url === undefined ? '' : new URL(url).hostname, error);
    case 'no_network':
      return new ApiError('upstream_failed', 'the renderer has no working network', NO_RENDERER);
    case 'too_large':
      return new ApiError('upstream_failed', 'the rendered file exceeds the limit');
    default:
      return new ApiError('no_renderer', 'the browser failed', NO_RENDERER);
  }
}

/**
 * The job's URL may not be contacted, which only the DNS has told: its name has an inner address, or is an alias of a name that may not be
 * contacted.
 */
function refusedTarget(reason: Reason, host: string, error: string): ApiError {
  const alias = error.split(': ').at(-1) ?? '';
  const code: ApiErrorCode =
    reason === 'blocked_private_address'
      ? 'private_address'
      : isProtectedHost(alias)
        ? 'blocked_target'
        : isSpecialUseName(alias)
          ? 'special_use_name'
          : 'denied_target';
  return new ApiError(code, host, { param: 'url' });
}
