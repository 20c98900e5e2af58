/**
 * Reads hostile messages, one after the other, and writes what each has cost as a line of JSON: in a process of its own, so that what has been read before, or
 * whoever asks, is no part of it. `node --expose-gc test/message/message/cost-of-reading.ts 5000000 [part of a name]`
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { MessageFacts } from '@vedette/message/report';
import { Value } from 'typebox/value';
import { readMessage } from '@vedette/message/message';
import { HOSTILE_MESSAGES } from './hostile.ts';
import { typicalMessage } from './typical.ts';

/** What reading a message has cost. */
export interface Cost {
  name: string;
  bytes: number;
  /** CPU of all threads, the least of some runs; `half_ms` of the message of half the size. */
  cpu_ms: number;
  half_ms: number;
  /** The most that was resident while it was read. */
  peak_mb: number;
  limits: string[];
  /** Why the answer was none, or not one as the contract has it; empty otherwise. */
  failure: string;
}

/** Beginning with the third run everything has been compiled; above this one run says enough. */
const SLOW_MS = 1000;
const RUNS = 3;

const cpuOf = async (message: Uint8Array): Promise<number> => {
  let least = Infinity;
  for (let run = 0; run < RUNS && (run === 0 || least < SLOW_MS); run++) {
    globalThis.gc?.();
    const started = process.cpuUsage();
    await readMessage(message);
    const { user, system } = process.cpuUsage(started);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
};

/** VmHWM, which begins anew when 5 is written to clear_refs (proc(5)). */
const resetPeak = (): void => {
  globalThis.gc?.();
  writeFileSync('/proc/self/clear_refs', '5');
};
const peakMb = (): number => Number(/VmHWM:\s+(\d+)/u.exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1000;

const cost = async (name: string, make: (bytes: number) => Buffer, bytes: number): Promise<Cost> => {
  let half: Buffer | undefined = make(bytes / 2);
  const none = { name, bytes: half.length, cpu_ms: 0, half_ms: 0, peak_mb: 0, limits: [] };
  try {
    const half_ms = await cpuOf(half);
    half = undefined;
    const message = make(bytes);
    resetPeak();
    const reading = await readMessage(message);
    const peak_mb = peakMb();
    const failure = Value.Check(MessageFacts, reading) ? '' : JSON.stringify(Value.Errors(MessageFacts, reading)[0]);
    return { name, bytes: message.length, cpu_ms: await cpuOf(message), half_ms, peak_mb, limits: reading.limits_reached, failure };
  } catch (error) {
    return { ...none, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
};

const [bytes = '5000000', part = ''] = process.argv.slice(2);
const messages = Object.entries({ typical: typicalMessage, ...HOSTILE_MESSAGES }).filter(
  ([name]) => name.includes(part) || name === 'typical',
);
// The first pays for what is loaded with the first message.
await cost('warm', typicalMessage, 1_000_000);
for (const [name, make] of messages) process.stdout.write(`${JSON.stringify(await cost(name, make, Number(bytes)))}\n`);
