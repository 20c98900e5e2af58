import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { rttSummary } from '../../../packages/probes/src/ping/rtt.ts';

it.each([
  { times: [], summary: { min: 0, avg: 0, max: 0, mdev: 0 } },
  { times: [7.25], summary: { min: 7.25, avg: 7.25, max: 7.25, mdev: 0 } },
  { times: [12, 18], summary: { min: 12, avg: 15, max: 18, mdev: 3 } },
  { times: [1, 2, 3, 4], summary: { min: 1, avg: 2.5, max: 4, mdev: 1.118 } },
  { times: [250.001, 250.002, 250.001], summary: { min: 250.001, avg: 250.001, max: 250.002, mdev: 0 } },
])('summarises $times', ({ times, summary }) => {
  expect(rttSummary(times)).toEqual(summary);
});

it('agrees with what ping(8) makes of its own times', () => {
  const output = execFileSync('ping', ['-n', '-c', '20', '-i', '0.01', '127.0.0.1'], { encoding: 'utf8', timeout: 10_000 });
  const times = [...output.matchAll(/time=([\d.]+) ms/g)].map(([, time]) => Number(time));
  const [min, avg, max, mdev] = /= ([\d.]+)\/([\d.]+)\/([\d.]+)\/([\d.]+) ms/.exec(output)!.slice(1).map(Number);
  expect(times).toHaveLength(20);
  const ours = rttSummary(times);
  // ping(8) cuts off where we round.
  for (const [own, its] of [
    [ours.min, min],
    [ours.avg, avg],
    [ours.max, max],
    [ours.mdev, mdev],
  ] as const)
    expect(Math.abs(own - its!)).toBeLessThanOrEqual(0.0011);
});
