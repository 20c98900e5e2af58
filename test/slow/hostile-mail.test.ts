import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Cost } from '../message/message/cost-of-reading.ts';
import { HOSTILE_MESSAGES } from '../message/message/hostile.ts';

const BYTES = 5_000_000;
/** Goals of the parser (docs/performance.md). */
const TIMES_TYPICAL = 5;
/** Missed (docs/performance.md): a picture is searched for codes at the size that telephones take, or one would hide by being large. */
const PICTURE = 'a PNG of two hundred thousand finder patterns';
const TIMES_TYPICAL_OF_PICTURE = 15;
const TIMES_HALF = 2.3;
const MEMORY_MB = 512;
/** What takes less than this is nothing to be doubled: the clock and the collector of garbage make more of it than the message. */
const NOISE_MS = 60;
const STUCK_MS = 120_000;

const costs = new Map<string, Cost>();
beforeAll(async () => {
  const reader = spawn(process.execPath, ['--expose-gc', 'test/message/message/cost-of-reading.ts', String(BYTES)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Whoever says nothing for so long is stuck: that message and those behind it have no cost.
  const stuck = (): NodeJS.Timeout => setTimeout(() => reader.kill('SIGKILL'), STUCK_MS);
  let timer = stuck();
  for await (const line of createInterface(reader.stdout)) {
    clearTimeout(timer);
    timer = stuck();
    const cost: Cost = JSON.parse(line);
    costs.set(cost.name, cost);
  }
  clearTimeout(timer);
}, 3_600_000);

describe('5 MB of it', () => {
  it.each(Object.keys(HOSTILE_MESSAGES))('%s', (name) => {
    const cost = costs.get(name)!;
    expect(cost.failure).toBe('');
    const times = name === PICTURE ? TIMES_TYPICAL_OF_PICTURE : TIMES_TYPICAL;
    expect(cost.cpu_ms / costs.get('typical')!.cpu_ms).toBeLessThanOrEqual(times);
    expect(cost.cpu_ms / Math.max(cost.half_ms, NOISE_MS / TIMES_HALF)).toBeLessThanOrEqual(TIMES_HALF);
    expect(cost.peak_mb).toBeLessThanOrEqual(MEMORY_MB);
  });
});
