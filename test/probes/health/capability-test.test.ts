import { expect, it } from 'vitest';
import { CapabilityTest } from '@vedette/probes/health';
import { handClock, settle } from '../dns/hand-clock.ts';

/** Three witnesses that answer or are silent as told, and when they were asked. */
function capability({ silent = [] as number[], exists = (): boolean => true } = {}) {
  const time = handClock();
  const { clock } = time;
  const asked: number[] = [];
  const changes: string[] = [];
  const world = { silent, spared: false };
  const witness = (n: number) => async (signal: AbortSignal) => {
    if (n === 0) asked.push(clock.now());
    if (world.spared) return undefined;
    if (!world.silent.includes(n)) return '';
    return await new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(new Error('late'))));
  };
  const test = new CapabilityTest({ clock, witnesses: [0, 1, 2].map(witness), exists, onChange: () => changes.push(test.verdict) });
  return { ...time, test, world, asked, changes, now: () => clock.now() };
}
const ALL = [0, 1, 2];
/** Time passes in small steps, as it does. */
const pass = async ({ advance }: Pick<ReturnType<typeof capability>, 'advance'>, ms: number) => {
  for (let left = ms; left > 0; left -= 100) await advance(Math.min(100, left));
};

it('nothing is known before a witness was asked, and one answer is enough', async () => {
  const { test } = capability({ silent: [0, 1] });
  expect(test.verdict).toBe('unknown');
  expect(await test.doubt(0)).toBe('good');
});

it('bad is silence of all of them twice, 300 ms apart', async () => {
  const world = capability({ silent: ALL });
  const verdict = world.test.doubt(0);
  await pass(world, 2_200);
  expect(world.test.verdict).toBe('unknown');
  await pass(world, 100);
  expect(await verdict).toBe('bad');
  expect(world.asked).toEqual([0, 1_300]);
  expect(world.test.problem).toBe('no answer');
});

it('an answer to the second question is good', async () => {
  const world = capability({ silent: ALL });
  const verdict = world.test.doubt(0);
  await pass(world, 1_200);
  world.world.silent = [0, 1];
  await pass(world, 100);
  expect(await verdict).toBe('good');
});

it('all who wait share a round, and a good word from before the silence is none', async () => {
  const world = capability();
  await Promise.all([world.test.doubt(0), world.test.doubt(0)]);
  expect(world.asked).toEqual([0]);
  await pass(world, 5_000);
  expect(await world.test.doubt(0)).toBe('good');
  expect(world.asked).toEqual([0]);
  await Promise.all([world.test.doubt(4_000), world.test.doubt(5_000)]);
  expect(world.asked).toEqual([0, 5_000]);
});

it('a round that began before the silence is followed by another, a second after it', async () => {
  const world = capability({ silent: [0, 1] });
  world.world.silent = ALL;
  const first = world.test.doubt(0);
  await pass(world, 300);
  const second = world.test.doubt(300);
  world.world.silent = [];
  await pass(world, 1_000);
  expect(await first).toBe('good');
  await pass(world, 1_000);
  expect(await second).toBe('good');
  expect(world.asked).toEqual([0, 1_300]);
});

it('idle it is asked every minute, give or take a fifth', async () => {
  const world = capability();
  world.test.start();
  for (let minute = 0; minute < 20; minute++) await pass(world, 60_000);
  world.test.stop();
  const pauses = world.asked.slice(1).map((at, n) => at - world.asked[n]!);
  expect(pauses.length).toBeGreaterThan(15);
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(48_000);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(72_100);
  expect(new Set(pauses).size).toBeGreaterThan(5);
});

it('a failure that doubt found begins the quick rhythm at once: after 1, 1, 2, 2 s', async () => {
  const world = capability();
  world.test.start();
  await pass(world, 10_000);
  world.world.silent = ALL;
  const verdict = world.test.doubt(10_000);
  await pass(world, 2_300);
  expect(await verdict).toBe('bad');
  world.asked.length = 0;
  await pass(world, 12_000);
  // Each round waits a second for its witnesses.
  expect(world.asked.map((at) => at - 12_300)).toEqual([1_000, 3_000, 6_000, 9_000, 12_000]);
  world.world.silent = [2];
  await pass(world, 4_000);
  world.test.stop();
  expect(world.changes).toEqual(['good', 'bad', 'good']);
});

it('a capability is good again when half of those that ever answered do', async () => {
  const world = capability();
  await world.test.doubt(0);
  await pass(world, 1_000);
  world.world.silent = ALL;
  const verdict = world.test.doubt(1_000);
  await pass(world, 2_300);
  expect(await verdict).toBe('bad');
  world.world.silent = [0, 1];
  const one = world.test.doubt(world.now());
  await pass(world, 3_000);
  expect(await one).toBe('bad');
  world.world.silent = [0];
  const two = world.test.doubt(world.now());
  await pass(world, 3_000);
  expect(await two).toBe('good');
});

it('a lasting failure is asked about every ten seconds', async () => {
  const world = capability({ silent: ALL });
  world.test.start();
  await pass(world, 15 * 60_000);
  world.asked.length = 0;
  await pass(world, 110_000);
  world.test.stop();
  expect(world.asked.length).toBe(10);
});

it('a target that answers refutes witnesses that never did, and no others', async () => {
  const world = capability({ silent: ALL });
  const { test } = world;
  world.test.start();
  await pass(world, 2_300);
  expect([test.verdict, test.isBroken]).toEqual(['bad', false]);
  test.heard();
  expect(test.verdict).toBe('unknown');
  await pass(world, 120_000);
  expect(test.verdict).toBe('unknown');
  world.world.silent = [];
  await pass(world, 120_000);
  expect(test.verdict).toBe('good');
  world.world.silent = ALL;
  await pass(world, 120_000);
  test.heard();
  expect([test.verdict, test.isBroken]).toEqual(['bad', true]);
  test.stop();
});

it('witnesses that may not be asked say nothing, and neither does a family that is not there', async () => {
  const refused = capability();
  refused.world.spared = true;
  expect(await refused.test.doubt(0)).toBe('unknown');
  const nowhere = capability({ silent: ALL, exists: () => false });
  expect(await nowhere.test.doubt(0)).toBe('unknown');
  expect(nowhere.asked).toEqual([]);
});

it('what is asked while it is bad is told at once, and asked anew after a second', async () => {
  const world = capability({ silent: ALL });
  const verdict = world.test.doubt(0);
  await pass(world, 2_300);
  expect(await verdict).toBe('bad');
  expect(await world.test.doubt(2_300)).toBe('bad');
  expect(world.asked).toHaveLength(2);
  world.world.silent = [];
  await pass(world, 1_000);
  expect(await world.test.doubt(world.now())).toBe('good');
  await settle();
});
