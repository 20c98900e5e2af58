import { type ChildProcess, fork } from 'node:child_process';
import { type Clock, unlessAborted, within } from '@vedette/contract';

/** One handshake and request, as the child is told of it. */
export interface QuicJob {
  job: number;
  /** Where the relay listens, on 127.0.0.1. */
  port: number;
  /** Sent as SNI; the certificate must be for it, and lead to a root, where it is `verified`. */
  host: string;
  verified: boolean;
  fields: Record<string, string>;
  handshake_ms: number;
  answer_ms: number;
}
export type QuicReply = { kind: 'ready' } | { kind: 'connected'; job: number } | QuicEnd;
/** `code`: of the CONNECTION_CLOSE or the reset of either side (RFC 9000 §20, RFC 9114 §8.1); 0 without one. */
export type QuicEnd =
  | { kind: 'head'; job: number; headers: Record<string, string | string[]> }
  | { kind: 'failed'; job: number; connected: boolean; code: number; text: string };

interface Waiter {
  resolve(end: QuicEnd): void;
  reject(error: Error): void;
  onConnected(): void;
}

const START_MS = 5_000;
/** How much longer than its time a job may take before the process counts as hung. */
const GRACE_MS = 1_000;

/** The QUIC client's process is gone, and the job with it: it ended, hung or did not start. */
export class QuicProcessEnded extends Error {}

/** A child process that speaks QUIC. Once it has ended, every job rejects with `QuicProcessEnded`. */
export class QuicProcess {
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  readonly #waiters = new Map<number, Waiter>();
  #lastJob = 0;
  #ended: QuicProcessEnded | undefined;

  private constructor(child: ChildProcess, clock: Clock) {
    this.#child = child;
    this.#clock = clock;
    child.on('message', (reply: QuicReply) => this.#heard(reply));
    child.once('exit', (code, signal) => this.#end(`the QUIC client ended: ${signal ?? code}`));
    child.once('error', (error) => this.#end('the QUIC client ended', error));
    // Idle, it does not keep us running.
    child.unref();
    child.channel?.unref();
  }

  /** `roots`: PEM, one after the other. Rejects with `QuicProcessEnded`. */
  static async start(clock: Clock, roots: string): Promise<QuicProcess> {
    const child = fork(new URL('./child.ts', import.meta.url), {
      env: {}, // neither our secrets nor NODE_EXTRA_CA_CERTS are its business
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const ready = new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('error', reject);
      child.once('exit', (code, signal) => reject(new Error(`it ended: ${signal ?? code}`)));
      child.send({ roots }, (error) => error && reject(error));
    });
    try {
      await within(
        clock,
        START_MS,
        undefined,
        () => new Error('it did not start'),
        (signal) => unlessAborted(signal, ready),
      );
      return new QuicProcess(child, clock);
    } catch (error) {
      child.kill('SIGKILL');
      throw new QuicProcessEnded('the QUIC client does not start', { cause: error });
    }
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  get idle(): boolean {
    return this.#waiters.size === 0;
  }

  run(work: Omit<QuicJob, 'job'>, onConnected: () => void): Promise<QuicEnd> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      const job = ++this.#lastJob;
      const over = new AbortController();
      this.#clock.sleep(Math.max(work.handshake_ms, work.answer_ms) + GRACE_MS, over.signal).then(
        () => this.#end('the QUIC client hangs'),
        () => {}, // answered, or ended
      );
      this.#waiters.set(job, {
        onConnected,
        resolve(end) {
          over.abort();
          resolve(end);
        },
        reject(error) {
          over.abort();
          reject(error);
        },
      });
      this.#child.channel?.ref();
      this.#child.send({ job, ...work } satisfies QuicJob, (error) => {
        // The pipe may break before the exit is told.
        if (error) this.#end('the QUIC client ended', error);
      });
    });
  }

  close(): void {
    this.#end('the QUIC client was closed');
  }

  #heard(reply: QuicReply): void {
    if (reply.kind === 'ready') return;
    if (reply.kind === 'connected') this.#waiters.get(reply.job)?.onConnected();
    else this.#take(reply.job)?.resolve(reply);
  }

  #take(job: number): Waiter | undefined {
    const waiter = this.#waiters.get(job);
    this.#waiters.delete(job);
    if (this.#waiters.size === 0) this.#child.channel?.unref();
    return waiter;
  }

  #end(why: string, cause?: unknown): void {
    if (this.#ended) return;
    this.#ended = new QuicProcessEnded(why, cause === undefined ? undefined : { cause });
    this.#child.kill('SIGKILL');
    for (const job of this.#waiters.keys()) this.#take(job)?.reject(this.#ended);
  }
}
