import { type ChildProcess, fork } from 'node:child_process';
import { type Clock, unlessAborted, within } from '@vedette/contract';
import type { EchoOutcome } from '../pace.ts';

export interface NetPingRequest {
  echo: number;
  family: 4 | 6;
  address: string;
  wait_ms: number;
}
export type NetPingReply =
  | { kind: 'ready'; families: (4 | 6)[]; refusal: string }
  | { kind: 'outcome'; echo: number; outcome: EchoOutcome }
  | { kind: 'failed'; echo: number; error: string };

interface Waiter {
  resolve(outcome: EchoOutcome): void;
  reject(error: Error): void;
}

const START_MS = 10_000;
/** How much longer than an echo's wait the child may take before it counts as hung. */
const GRACE_MS = 2000;

/** A child process with net-ping in it. Once it has ended, every echo rejects. */
export class NetPingProcess {
  readonly families: readonly (4 | 6)[];
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  readonly #waiters = new Map<number, Waiter>();
  #lastEcho = 0;
  #ended: Error | undefined;

  private constructor(child: ChildProcess, families: readonly (4 | 6)[], clock: Clock) {
    this.#child = child;
    this.families = families;
    this.#clock = clock;
    child.on('message', (reply: NetPingReply) => {
      if (reply.kind === 'outcome') this.#take(reply.echo)?.resolve(reply.outcome);
      else if (reply.kind === 'failed') this.#take(reply.echo)?.reject(new Error(reply.error));
    });
    child.once('exit', (code, signal) => this.#end(new Error(`the net-ping process ended: ${signal ?? code}`)));
    child.once('error', (error) => this.#end(error));
    // Idle, it does not keep us running.
    child.unref();
    child.channel?.unref();
  }

  /** `text` is what every echo carries. Rejects when net-ping does not load, or gets no raw socket (CAP_NET_RAW). */
  static async start(clock: Clock, text: string): Promise<NetPingProcess> {
    const child = fork(new URL('./child.ts', import.meta.url), [text], {
      env: {},
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const families = new Promise<(4 | 6)[]>((resolve, reject) => {
      child.once('message', (reply: NetPingReply) => {
        if (reply.kind === 'ready' && reply.families.length > 0) resolve(reply.families);
        else reject(new Error(reply.kind === 'ready' ? reply.refusal : 'unexpected message'));
      });
      child.once('error', reject);
      child.once('exit', (code, signal) => reject(new Error(`it ended: ${signal ?? code}`)));
    });
    const late = () => new Error('it did not start');
    try {
      return new NetPingProcess(child, await within(clock, START_MS, undefined, late, (signal) => unlessAborted(signal, families)), clock);
    } catch (error) {
      child.kill('SIGKILL');
      throw new Error('the net-ping process does not work', { cause: error });
    }
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  ping(family: 4 | 6, address: string, wait_ms: number): Promise<EchoOutcome> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      const echo = ++this.#lastEcho;
      const answered = new AbortController();
      this.#clock.sleep(wait_ms + GRACE_MS, answered.signal).then(
        () => this.#end(new Error('the net-ping process hangs')),
        () => {}, // answered, or ended
      );
      this.#waiters.set(echo, {
        resolve(outcome) {
          answered.abort();
          resolve(outcome);
        },
        reject(error) {
          answered.abort();
          reject(error);
        },
      });
      this.#child.channel?.ref();
      this.#child.send({ echo, family, address, wait_ms } satisfies NetPingRequest, (error) => {
        // The pipe may break before the exit is told.
        if (error) this.#end(new Error('the net-ping process ended', { cause: error }));
      });
    });
  }

  close(): void {
    this.#end(new Error('the engine was closed'));
  }

  #take(echo: number): Waiter | undefined {
    const waiter = this.#waiters.get(echo);
    this.#waiters.delete(echo);
    if (this.#waiters.size === 0) this.#child.channel?.unref();
    return waiter;
  }

  #end(reason: Error): void {
    if (this.#ended) return;
    this.#ended = reason;
    this.#child.kill('SIGKILL');
    for (const echo of this.#waiters.keys()) this.#take(echo)?.reject(reason);
  }
}
