import { Worker } from 'node:worker_threads';
import type { Job, JobName } from './jobs.ts';

type Reply<T> = { done: T } | { refused: string };

/**
 * Does one of the `JOBS` in a thread of its own. Its arguments are copied, unless their memory is shared. Rejects with the RangeError of an
 * invalid snapshot.
 */
export function inThread<Name extends JobName>(name: Name, ...args: Parameters<Job<Name>>): Promise<ReturnType<Job<Name>>> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: { name, args } });
    worker.once('message', (reply: Reply<ReturnType<Job<Name>>>) => {
      if ('done' in reply) resolve(reply.done);
      else reject(new RangeError(reply.refused));
    });
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread for ${name} ended with ${code}`))); // has no effect behind a message
  });
}
