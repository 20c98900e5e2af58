import type { Clock } from '@vedette/contract';
import { expect, it } from 'vitest';
import { createSelfTest } from '../../packages/agent/src/self-test.ts';

/** Time that moves only when told to. */
function handClock() {
  let now = 0;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  const clock: Clock = {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { at: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason as Error);
        });
      }),
  };
  return {
    clock,
    async advance(ms: number) {
      now += ms;
      for (const sleeper of sleepers)
        if (sleeper.at <= now) {
          sleepers.delete(sleeper);
          sleeper.wake();
        }
      await settle();
    },
  };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

it.each([
  [['a', 'b', 'c'], [], { ok: true, failing: 0, witnesses: 3 }],
  [['a', 'b', 'c'], ['a'], { ok: true, failing: 1, witnesses: 3 }],
  [['a', 'b', 'c'], ['a', 'c'], { ok: false, failing: 2, witnesses: 3 }],
  [['a'], ['a'], { ok: false, failing: 1, witnesses: 1 }],
  [[], [], { ok: true, failing: 0, witnesses: 0 }],
])('of %j with %j silent is %j', async (witnesses, silent, state) => {
  const { clock } = handClock();
  const resolver = {
    query: (_name: string, _type: string, { server = '' } = {}) =>
      silent.includes(server) ? Promise.reject(new Error('silent')) : Promise.resolve({} as never),
  };
  const test = createSelfTest({ witnesses, resolver, clock });
  test.start(() => {});
  await settle();
  expect(test.state()).toEqual(state);
  test.stop();
});

it('asks again every minute, and gives a witness that hangs three seconds', async () => {
  const { clock, advance } = handClock();
  let online = false;
  const asked: string[] = [];
  const changes: unknown[] = [];
  const resolver = {
    query: (name: string, type: string, { server = '', signal }: { server?: string; signal?: AbortSignal } = {}) =>
      new Promise<never>((resolve, reject) => {
        asked.push(`${name} ${type} @${server}`);
        if (online) resolve({} as never);
        signal!.addEventListener('abort', () => reject(signal!.reason as Error));
      }),
  };
  const test = createSelfTest({ witnesses: ['192.0.2.1', '192.0.2.2'], resolver, clock });
  test.start((state) => void changes.push(state));
  await advance(2_999);
  expect(changes).toEqual([]);
  await advance(1);
  online = true;
  await advance(59_999);
  expect(changes).toEqual([{ ok: false, failing: 2, witnesses: 2 }]);
  await advance(1);
  expect(changes).toEqual([
    { ok: false, failing: 2, witnesses: 2 },
    { ok: true, failing: 0, witnesses: 2 },
  ]);
  expect(asked).toEqual(['. NS @192.0.2.1', '. NS @192.0.2.2', '. NS @192.0.2.1', '. NS @192.0.2.2']);
  test.stop();
});
