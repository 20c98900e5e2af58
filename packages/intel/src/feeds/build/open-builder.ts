import { Worker } from 'node:worker_threads';
import { type BuildFile, type BuiltFile } from '../ports.ts';
import { FeedRefused } from '../refusal.ts';
import { type Answer, inOwnMemory, type Order } from './messages.ts';

/** The memory limit of the thread for a list; the largest known list takes a third of it. */
const HEAP_MB = 1024;
/** A thread costs some 40 MB while it is there and half a second to start. */
const IDLE_MS = 15_000;
/** The largest lists take half a minute on a slow core. */
const BUILD_MS = 300_000;

export interface SnapshotBuilder {
  build: BuildFile;
  close(): Promise<void>;
}

/**
 * Builds snapshots in a thread of its own, one at a time: the event loop serves requests meanwhile, and a file that takes too much memory or
 * time ends the thread and not the process. `builders`: the module that exports them.
 */
export function openBuilder(builders: URL): SnapshotBuilder {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  async function close(): Promise<void> {
    const ending = worker;
    worker = undefined;
    clearTimeout(idle);
    await ending?.terminate();
  }

  async function build(...[feed, body, signal, kept]: Parameters<BuildFile>): Promise<BuiltFile> {
    signal.throwIfAborted();
    clearTimeout(idle);
    worker ??= startThread(builders);
    try {
      const answer = await ask(worker, { feed, body: inOwnMemory(body), kept }, signal);
      if ('refused' in answer) throw new FeedRefused(answer.refused.why, answer.refused.message);
      return answer.built;
    } catch (error) {
      // A thread that refused a file goes on; it is ended if it broke, or works for a client that left.
      if (!(error instanceof FeedRefused) || error.cause !== undefined) await close();
      throw error;
    } finally {
      idle = setTimeout(() => void close(), IDLE_MS);
      idle.unref();
    }
  }

  return {
    build(...order) {
      const result = last.then(() => build(...order));
      last = result.catch(() => undefined);
      return result;
    },
    close,
  };
}

function startThread(builders: URL): Worker {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: { builders: builders.href },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  // It keeps no process alive.
  worker.unref();
  // The caller receives the error; without a listener it would end the process when no call is open.
  worker.on('error', () => undefined);
  return worker;
}

async function ask(worker: Worker, order: Order, signal: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const broken = (cause: NodeJS.ErrnoException): void =>
    reject(
      cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new FeedRefused('too_large', `its rows take more than ${HEAP_MB} MB`, { cause })
        : new FeedRefused('internal', 'the thread that reads feeds has failed', { cause }),
    );
  const ended = (): void => broken(new Error('it has ended'));
  const aborted = (): void => reject(signal.reason as Error);
  const late = setTimeout(() => reject(new FeedRefused('too_large', 'it cannot be read in time', { cause: BUILD_MS })), BUILD_MS);
  signal.addEventListener('abort', aborted);
  worker.on('error', broken).on('exit', ended).on('message', resolve);
  try {
    worker.postMessage(order, [order.body.buffer]);
    return await promise;
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', aborted);
    worker.off('error', broken).off('exit', ended).off('message', resolve);
  }
}
