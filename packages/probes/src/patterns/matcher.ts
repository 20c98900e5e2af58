import { type Clock, ENDED, type Patterns, type PatternTest, unlessAborted, within } from '@vedette/contract';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Time limit of a set of tests, ms. A page of 2 MB takes a good pattern 5 ms. */
const MATCH_MS = 250;
/** Time limit for the start of a thread on a busy machine. */
const START_MS = 5_000;
/** A worker that is idle for so long ends, to return its memory. */
const IDLE_MS = 30_000;
const LIMITS = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 16, stackSizeMb: 1 };

/** Text, since a file beside ours would be missing where all of it is bundled to one. */
const SOURCE = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', ([tests, pattern, text]) =>
  parentPort.postMessage(
    pattern ? [...(pattern.exec(text) ?? [])] : tests.map(({ pattern, texts }) => texts.some((text) => pattern.test(text))),
  ));
`;

/** The questions to the thread: tests, or one text whose groups are wanted. */
type Question = [tests: readonly PatternTest[]] | [tests: readonly [], pattern: RegExp, text: string];

/**
 * Looks for patterns in a thread of its own, one set of tests at a time: while it looks nothing else waits, and the thread of a set that
 * takes too long is ended.
 */
export class PatternMatcher implements Patterns {
  readonly #clock: Clock;
  #worker: Worker | undefined;
  #online: Promise<unknown> = Promise.resolve();
  #last: Promise<unknown> = Promise.resolve();
  #idle: AbortController | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async match(tests: readonly PatternTest[], signal: AbortSignal): Promise<boolean[] | undefined> {
    return tests.length === 0 ? [] : await this.#queued<boolean[]>([tests], signal);
  }

  async groups(pattern: RegExp, text: string, signal: AbortSignal): Promise<readonly (string | undefined)[] | null | undefined> {
    const found = await this.#queued<(string | undefined)[]>([[], pattern, text], signal);
    return found?.length === 0 ? null : found;
  }

  async close(): Promise<void> {
    this.#idle?.abort(ENDED);
    await this.#end();
  }

  async #queued<A>(question: Question, signal: AbortSignal): Promise<A | undefined> {
    const answered = this.#last.then(() => (signal.aborted ? undefined : this.#ask<A>(question)));
    this.#last = answered.catch(() => undefined);
    return await unlessAborted(signal, answered);
  }

  async #ask<A>(question: Question): Promise<A | undefined> {
    this.#idle?.abort(ENDED);
    const worker = (this.#worker ??= this.#start());
    const late = () => new Error('it takes too long');
    const inTime = <T>(ms: number, work: Promise<T>) => within(this.#clock, ms, undefined, late, (signal) => unlessAborted(signal, work));
    try {
      await inTime(START_MS, this.#online);
      return await inTime(MATCH_MS, answerOf<A>(worker, question));
    } catch {
      await this.#end();
      return undefined;
    } finally {
      this.#retire();
    }
  }

  #start(): Worker {
    const worker = new Worker(SOURCE, { eval: true, env: {}, execArgv: [], resourceLimits: LIMITS });
    worker.unref();
    worker.on('error', () => {}); // such as that it is out of memory: it ends
    this.#online = once(worker, 'online');
    this.#online.catch(() => {}); // awaited by whoever asks
    return worker;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #retire(): void {
    const idle = (this.#idle = new AbortController());
    this.#clock.sleep(IDLE_MS, idle.signal).then(
      () => this.#end(),
      () => undefined, // it is needed
    );
  }
}

function answerOf<A>(worker: Worker, question: Question): Promise<A> {
  return new Promise((resolve, reject) => {
    const end = () => worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
    const onMessage = (answer: A) => {
      end();
      resolve(answer);
    };
    const onEnd = () => {
      end();
      reject(new Error('the thread of the patterns ended'));
    };
    worker.on('message', onMessage).on('error', onEnd).on('exit', onEnd);
    worker.postMessage(question); // oxlint-disable-line unicorn/require-post-message-target-origin -- a thread, no window
  });
}
