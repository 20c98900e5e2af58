import { type Failure, failure, isRenderKind, ProbeFailure, type RenderKind, RENDERS, within } from '@vedette/contract';
import {
  MAX_RENDER_FILE_BYTES,
  MAX_RENDER_HTML_BYTES,
  MAX_RENDER_RESULT_BYTES,
  PROTOCOL,
  renderContacts,
  type RendererBeatFrame,
  type RenderFinalFrame,
  type RenderJobFrame,
  type RenderNackFrame,
  type RenderPart,
} from '../frames/index.ts';
import { Compile } from 'typebox/schema';
import { ChunkInbox, payloadOf } from '../wire/chunks.ts';
import type { BusMessage, BusSubscription } from '../wire/connection.ts';
import type { Jobs } from '../serve/serving.ts';
import { RecentJobs } from '../serve/recent-jobs.ts';
import { readRenderCancel, readRenderJob, writeInputRequest, writeRenderReply } from './render-frames.ts';
import { type Parts, RenderOutbox } from './render-outbox.ts';
import type { DialledTell, ServeRendersOptions } from './render-options.ts';
import { RENDERERS, subjects } from '../wire/subjects.ts';

/** Results that wait to be fetched, beyond which no more jobs are taken: those at work may add as many times 50 MB. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;
const MAX_BYTES: Record<RenderPart, number> = { result: MAX_RENDER_RESULT_BYTES, file: MAX_RENDER_FILE_BYTES, html: MAX_RENDER_HTML_BYTES };
/** A longer result is fetched: a frame has 256 KiB, and a character up to three bytes. */
const MAX_RESULT_CHARS = 64 * 1024;
const OVERTIME = new DOMException('the job did not end within its budget', 'TimeoutError');

const checks = {
  screenshot: { job: Compile(RENDERS.screenshot.job), result: Compile(RENDERS.screenshot.result) },
  pdf: { job: Compile(RENDERS.pdf.job), result: Compile(RENDERS.pdf.result) },
  requests: { job: Compile(RENDERS.requests.job), result: Compile(RENDERS.requests.result) },
};

/** A job at work. */
interface Run {
  frame: RenderJobFrame;
  kind: RenderKind;
  /** Subject of the frames back. */
  reply: string;
  startedAt: number;
  controller: AbortController;
  /** The frames that report its contacts. */
  dialled: DialledTell[];
}

type FrameBody =
  | Pick<RenderFinalFrame, 'type' | 'result' | 'failure' | 'payloads' | 'contacts'>
  | { type: 'ack' }
  | Pick<RenderNackFrame, 'type' | 'reason'>;

/** How a job ended. `defect` is what must be looked at. */
type End = { failure: Failure; defect?: unknown } | { failure?: undefined; defect?: undefined; result: unknown; parts: Parts };

/** The jobs of one renderer: read, refused or run, and answered. */
export class RenderDesk implements Jobs<RendererBeatFrame['slots']> {
  readonly outbox: RenderOutbox;
  readonly #options: ServeRendersOptions;
  readonly #onChange: () => void;
  readonly #inputs: ChunkInbox;
  readonly #recent: RecentJobs;
  readonly #runs = new Map<string, Run>();
  /** Membership of the queue group; empty while we are out of it. */
  #queue: BusSubscription[] = [];
  #draining = false;

  /** `onChange`: jobs began or ended, or their results were fetched: there is more room, or less. */
  constructor(options: ServeRendersOptions, onChange: () => void) {
    const { chunks, clock, key, renderer } = options;
    this.#options = options;
    this.#onChange = onChange;
    this.outbox = new RenderOutbox(chunks, clock, () => this.#changed());
    this.#inputs = new ChunkInbox(chunks, clock, subjects.renderChunk(key, renderer, '').slice(0, -1));
    this.#recent = new RecentJobs(clock);
  }

  get size(): number {
    return this.#runs.size;
  }

  slots(): RendererBeatFrame['slots'] {
    return { used: this.#runs.size, max: this.#options.slots };
  }

  /** Joins or leaves the queue group, as there is room. By name we can be asked all the time. */
  review(): void {
    const { bus, kinds } = this.#options;
    const open = !this.#draining && this.#hasRoom();
    if (open === this.#queue.length > 0) return;
    if (open) this.#queue = kinds.map((kind) => bus.subscribe(subjects.render(kind), this.onJob, { queue: RENDERERS }));
    else void this.#closeQueue();
  }

  async drain(): Promise<void> {
    this.#draining = true;
    await this.#closeQueue();
  }

  isIdle(): boolean {
    return this.size === 0 && this.outbox.bytes === 0;
  }

  abortAll(): void {
    for (const { controller } of this.#runs.values()) controller.abort(new ProbeFailure('cancelled', 'the renderer is shutting down'));
  }

  close(): void {
    this.#inputs.close();
  }

  readonly onJob = ({ data, reply }: BusMessage): void => {
    const { events } = this.#options;
    const frame = reply ? readRenderJob(data) : undefined;
    if (frame === undefined || reply === undefined) return events.refused('invalid_frame');
    const key = keyOf(frame);
    if (this.#runs.has(key)) return this.#reply(frame, reply, { type: 'ack' }); // asked whether we are still there
    if (this.#recent.has(key)) return;
    const refusal = this.#refusal(frame);
    if (refusal !== undefined) {
      events.refused(refusal);
      return this.#reply(frame, reply, { type: 'nack', reason: refusal });
    }
    const { kind } = frame;
    if (!isRenderKind(kind)) return; // refused above
    const run: Run = { frame, kind, reply, startedAt: this.#options.clock.now(), controller: new AbortController(), dialled: [] };
    this.#runs.set(key, run);
    this.#reply(frame, reply, { type: 'ack' });
    this.#changed();
    void this.#work(run, kind).then((end) => this.#end(run, end));
  };

  readonly onCancel = ({ data }: BusMessage): void => {
    const cancel = readRenderCancel(data);
    if (cancel === undefined) return this.#options.events.refused('invalid_frame');
    if (cancel.attempt > 0) this.#recent.add(keyOf(cancel)); // also when the job has not arrived yet
    for (const { frame, controller } of this.#runs.values()) {
      if (frame.job !== cancel.job || (cancel.attempt !== 0 && frame.attempt !== cancel.attempt)) continue;
      this.#options.events.cancelled(cancel.reason);
      controller.abort(new ProbeFailure('cancelled'));
    }
  };

  #changed(): void {
    this.review();
    this.#onChange();
  }

  #hasRoom(): boolean {
    return this.#runs.size < this.#options.slots && this.outbox.bytes < MAX_HELD_BYTES;
  }

  async #closeQueue(): Promise<void> {
    const queue = this.#queue;
    this.#queue = [];
    await Promise.allSettled(queue.map((subscription) => subscription.drain())); // where the connection was closed, the subscription is
  }

  #refusal({ v, kind, spec, input }: RenderJobFrame): RenderNackFrame['reason'] | undefined {
    if (!v.startsWith(`${PROTOCOL.major}.`) || !isRenderKind(kind) || !this.#options.kinds.includes(kind)) return 'unsupported';
    if (!checks[kind].job.Check(spec) || hasUrl(spec) === (input !== undefined)) return 'invalid';
    if (this.#draining) return 'draining';
    return this.#hasRoom() ? undefined : 'busy';
  }

  async #work(run: Run, kind: RenderKind): Promise<End> {
    const { clock } = this.#options;
    const { frame, controller } = run;
    const ofBudget = (signal: AbortSignal) => this.#render(run, kind, signal);
    try {
      return await within(clock, frame.budget_ms, controller.signal, () => OVERTIME, ofBudget);
    } catch (error) {
      if (error instanceof ProbeFailure) return { failure: failure(error.code, error.seen) };
      return { failure: failure('internal', error === OVERTIME ? OVERTIME.message : ''), defect: error };
    }
  }

  async #render({ frame, startedAt, dialled }: Run, kind: RenderKind, signal: AbortSignal): Promise<End> {
    const input = await this.#input(frame, signal);
    const budget_ms = Math.max(1, Math.floor(frame.budget_ms - (this.#options.clock.now() - startedAt)));
    const { result, file, html } = await this.#run(kind, frame.spec, {
      signal,
      budget_ms,
      dialled: (tell) => void dialled.push(tell),
      ...(input && { input }),
    });
    if (!checks[kind].result.Check(result)) return { failure: failure('internal'), defect: new Error('the result breaks its schema') };
    const text = JSON.stringify(result);
    const parts = new Map<RenderPart, Uint8Array>();
    if (text.length > MAX_RESULT_CHARS) parts.set('result', Buffer.from(text));
    if (file && file.length > 0) parts.set('file', file);
    if (html !== undefined && html !== '') parts.set('html', Buffer.from(html));
    if (parts.entries().some(([part, { length }]) => length > MAX_BYTES[part])) return { failure: failure('too_large') };
    return { result: parts.has('result') ? undefined : result, parts };
  }

  /** The spec was checked against the kind's schema; its type cannot express that. */
  #run(kind: RenderKind, spec: unknown, options: Parameters<ServeRendersOptions['run']>[2]) {
    const run = this.#options.run as (kind: RenderKind, job: unknown, given: typeof options) => ReturnType<ServeRendersOptions['run']>;
    return run(kind, spec, options);
  }

  async #input({ input, job, attempt, nonce, gateway }: RenderJobFrame, signal: AbortSignal): Promise<Uint8Array | undefined> {
    if (input === undefined) return undefined;
    const { chunks, key, renderer } = this.#options;
    const subject = subjects.renderInput(gateway);
    return this.#inputs.fetch(
      input,
      (id, offset) => chunks.publish(subject, writeInputRequest({ job, attempt, nonce, key, renderer, id, offset })),
      signal,
    );
  }

  async #end(run: Run, end: End): Promise<void> {
    const { clock, events } = this.#options;
    const { frame, kind, reply, startedAt, controller } = run;
    const key = keyOf(frame);
    // An abandoned job leaves nothing behind.
    const body = end.failure || controller.signal.aborted ? undefined : await this.#final(end);
    if (!end.failure && !controller.signal.aborted) this.outbox.hold(key, frame.nonce, end.parts);
    this.#runs.delete(key);
    this.#recent.add(key);
    const contacts = renderContacts(run.dialled.flatMap((tell) => [...tell()]));
    const final = body ?? { type: 'final', failure: end.failure ?? failure('cancelled') };
    this.#reply(frame, reply, contacts.length === 0 ? final : { ...final, contacts });
    events.finished(frame.job, kind, end.failure?.reason ?? 'ok', clock.now() - startedAt);
    if (end.defect !== undefined) events.defect(frame.job, kind, end.defect);
    this.#changed();
  }

  async #final({ result, parts }: Exclude<End, { failure: Failure }>): Promise<FrameBody & { type: 'final' }> {
    const payloads: NonNullable<RenderFinalFrame['payloads']> = {};
    for (const [part, bytes] of parts) payloads[part] = await payloadOf(bytes);
    return { type: 'final', ...(result !== undefined && { result }), payloads };
  }

  #reply({ job, attempt, nonce }: RenderJobFrame, to: string, body: FrameBody): void {
    const { bus, key, renderer } = this.#options;
    bus.publish(to, writeRenderReply({ ...body, job, attempt, nonce, key, renderer }));
  }
}

const keyOf = ({ job, attempt }: { job: string; attempt: number }): string => `${job}.${attempt}`;

/** Whether a spec that fits its schema names the page's URL. */
function hasUrl(spec: Record<string, unknown>): boolean {
  const page = (spec['page'] ?? spec) as { url?: unknown };
  return page.url !== undefined;
}
