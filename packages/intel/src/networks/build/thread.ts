import { parentPort, workerData } from 'node:worker_threads';
import { type JobName, JOBS } from './jobs.ts';

/** One job: a thread that waited for the next one would keep what it needed for the last. */
const { name, args } = workerData as { name: JobName; args: unknown[] };
try {
  const job: (...args: never[]) => unknown = await JOBS[name]();
  parentPort!.postMessage({ done: Reflect.apply(job, undefined, args) }, []);
} catch (error) {
  if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error;
  parentPort!.postMessage({ refused: error.message }, []);
}
