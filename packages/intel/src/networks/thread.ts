import { parentPort, workerData } from 'node:worker_threads';
import { JOBS, type Jobs } from './jobs.ts';

/** Does one job and ends: a thread that waits for the next one would keep what it needed for the last. */
const { name, args } = workerData as { name: keyof Jobs; args: never };
const job: (...args: never[]) => unknown = JOBS[name];
try {
  parentPort!.postMessage({ done: job(...(args as never[])) }, []);
} catch (error) {
  if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error;
  parentPort!.postMessage({ refused: error.message }, []);
}
