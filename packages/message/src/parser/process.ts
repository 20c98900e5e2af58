import { type Clock, ENDED, shown } from '@vedette/contract';
import { FrameInbox, headOf } from './frames.ts';
import { HEAP_BYTES, type StartedParser } from './launch.ts';
import type { ParserReply } from './serve.ts';
import { type Usage, usageOf } from './usage.ts';

/** The limits of one message. */
export const MAX_CPU_MS = 10_000;
export const MAX_RESIDENT_BYTES = 512 * 1024 * 1024;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** How long it may take where others leave it little CPU time: longer than any request lasts. */
const MAX_MS = 60_000;
/** How often it is looked at meanwhile: it can take a gigabyte a second. */
const LOOK_MS = 25;
const LOOK_AT_START_MS = 1_000;
/** The limits of a start: of CPU time, since a busy machine gives it little of that, and of elapsed time for a parser that hangs. */
const START_CPU_MS = 20_000;
const START_MS = 600_000;
/** The most characters of the stack of a failed reader. */
const DETAIL_MAX_CHARS = 2_000;

/**
 * Why a parser has ended: it exceeded a limit, its answer was too long or invalid, its reader failed, or it died; it was no longer needed;
 * it did not start in time; or this machine does not allow the required sandbox.
 */
export type EndReason = 'cpu' | 'memory' | 'time' | 'long_answer' | 'no_answer' | 'defect' | 'died' | 'closed' | 'no_start' | 'no_sandbox';

/** The parser has gone, and its message with it. */
export class ParserEnded extends Error {
  readonly why: EndReason;
  constructor(why: EndReason, detail: string) {
    super(`a parser ended (${why}): ${detail}`);
    this.why = why;
  }
}

/** A process that reads messages, one at a time. */
export class ParserProcess {
  /** Messages that it has read. */
  jobs = 0;
  readonly #process: StartedParser;
  readonly #clock: Clock;
  #waiter: PromiseWithResolvers<Buffer> | undefined;
  #inbox: FrameInbox | undefined;
  /** The most that it was seen to have for the message that it reads. */
  #residentBytes = 0;
  #ended: ParserEnded | undefined;

  readonly #gone = Promise.withResolvers<ParserEnded>();

  constructor(started: StartedParser, clock: Clock) {
    this.#process = started;
    this.#clock = clock;
    started.output.on('data', (chunk: Buffer) => this.#heard(chunk));
    void started.gone.then((how) => this.end(new ParserEnded(this.#residentBytes > HEAP_BYTES ? 'memory' : 'died', how)));
  }

  /** Resolves, with why, when it has ended or is about to. */
  get gone(): Promise<ParserEnded> {
    return this.#gone.promise;
  }

  /** Resolves when it has loaded what it runs. Rejects with `ParserEnded` where it does not. */
  async ready(): Promise<void> {
    const over = new AbortController();
    const loaded = this.#answer();
    this.#watchStart(over.signal).catch(() => {}); // it is over
    try {
      await this.#ending(() => loaded);
    } finally {
      over.abort(ENDED);
    }
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  /** The resources that it has used in its life; undefined once it has gone. */
  get usage(): Usage | undefined {
    const { pid } = this.#process;
    return pid === undefined ? undefined : usageOf(pid);
  }

  /** Has it read the file of a frame, and gives what it says of it, in so many bytes. Rejects with `ParserEnded`, and it has ended then. */
  async read(job: Uint8Array): Promise<{ reading: unknown; bytes: number }> {
    const over = new AbortController();
    this.#residentBytes = 0;
    const answer = this.#answer();
    this.#watch(over.signal).catch(() => {}); // it is over
    try {
      this.#process.input.write(headOf(job));
      this.#process.input.write(job);
      const { reply, bytes } = await this.#ending(() => answer);
      this.jobs += 1;
      return { reading: reply.reading, bytes };
    } finally {
      over.abort(ENDED);
    }
  }

  /** Ends it, if it has not ended. */
  end(ended: ParserEnded): void {
    if (this.#ended) return;
    this.#ended = ended;
    this.#process.kill();
    this.#process.input.destroy();
    this.#process.output.destroy();
    this.#waiter?.reject(ended);
    this.#gone.resolve(ended);
  }

  /** Its next reply. */
  async #answer(): Promise<{ reply: ParserReply; bytes: number }> {
    if (this.#ended) throw this.#ended;
    this.#inbox = new FrameInbox(MAX_ANSWER_BYTES);
    this.#waiter = Promise.withResolvers();
    const frame = await this.#waiter.promise;
    return { reply: replyOf(frame), bytes: frame.length };
  }

  /** Ends it where the work fails, with `ParserEnded`. */
  async #ending<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.end(error instanceof ParserEnded ? error : new ParserEnded('no_answer', String(error)));
      throw this.#ended;
    }
  }

  #heard(chunk: Buffer): void {
    if (!this.#inbox) return this.end(new ParserEnded('no_answer', 'it spoke without being asked'));
    try {
      const frame = this.#inbox.add(chunk);
      if (!frame) return;
      this.#inbox = undefined;
      this.#waiter?.resolve(frame);
    } catch (error) {
      this.end(new ParserEnded(error instanceof RangeError ? 'long_answer' : 'no_answer', String(error)));
    }
  }

  async #watchStart(over: AbortSignal): Promise<void> {
    const started = this.#clock.now();
    for (;;) {
      await this.#clock.sleep(LOOK_AT_START_MS, over);
      const usage = this.usage;
      if (!usage) return; // it has gone, which its exit tells
      if (usage.cpuMs > START_CPU_MS || this.#clock.now() - started > START_MS) this.end(new ParserEnded('time', 'it did not start'));
    }
  }

  async #watch(over: AbortSignal): Promise<void> {
    const started = this.#clock.now();
    const before = this.usage?.cpuMs ?? 0;
    for (;;) {
      await this.#clock.sleep(LOOK_MS, over);
      const usage = this.usage;
      if (!usage) return; // it has gone, which its exit tells
      this.#residentBytes = Math.max(this.#residentBytes, usage.residentBytes);
      const cpuMs = usage.cpuMs - before;
      if (cpuMs > MAX_CPU_MS) this.end(new ParserEnded('cpu', `${cpuMs} ms`));
      if (usage.residentBytes > MAX_RESIDENT_BYTES) this.end(new ParserEnded('memory', `${usage.residentBytes} bytes`));
      if (this.#clock.now() - started > MAX_MS) this.end(new ParserEnded('time', `${MAX_MS} ms`));
    }
  }
}

/** The reply of a frame. Throws `ParserEnded` when the reader failed, and the errors of JSON.parse. */
function replyOf(frame: Buffer): ParserReply {
  const reply = JSON.parse(frame.toString()) as ParserReply | null;
  if (reply?.error !== undefined) throw new ParserEnded('defect', shown(reply.error, DETAIL_MAX_CHARS));
  return reply ?? {};
}
