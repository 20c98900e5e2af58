import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { descendants, commandOf } from '../system/processes.ts';
import { startOneMachine } from '../system/one-machine.ts';

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 10);
const IN_FLIGHT = 16;
const MIB = 1024;

/** Resident memory in KiB (proc(5), VmRSS). */
const rss = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);

it(
  `answers every request for ${MINUTES} minutes, in memory that does not grow`,
  async () => {
    const vedette = await startOneMachine({ VEDETTE_LIMITS: 'off' });
    try {
      const node = descendants(vedette.process.pid!).filter((pid) => /packages\/(gateway|agent)\/src\/main\.ts/.test(commandOf(pid)));
      const load = async (untilMs: number): Promise<number> => {
        let answered = 0;
        const client = async () => {
          while (performance.now() < untilMs) {
            const response = await vedette.post('ping-test', { host: '127.0.0.1' });
            const { locations } = (await response.json()) as { locations: unknown[] };
            expect([response.status, locations.length]).toEqual([200, 3]);
            answered++;
          }
        };
        await Promise.all(Array.from({ length: IN_FLIGHT }, client));
        return answered;
      };
      await load(performance.now() + 60_000); // warm
      const before = node.map(rss);
      expect(await load(performance.now() + MINUTES * 60_000)).toBeGreaterThan(MINUTES * 60);
      const grown = node.map((pid, i) => rss(pid) - before[i]!);
      expect(Math.max(...grown)).toBeLessThan(64 * MIB);
    } finally {
      await vedette.stop();
    }
  },
  (MINUTES + 3) * 60_000,
);
