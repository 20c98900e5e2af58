import { expect, it } from 'vitest';
import { PageTest } from '../../packages/renderer/src/jobs/page-test.ts';

/** A page test on a clock by hand, beside a browser that does as it is told. */
function setUp() {
  let now = 0;
  const sleepers: { until: number; wake: () => void }[] = [];
  const clock = {
    now: () => now,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        sleepers.push({ until: now + ms, wake: resolve });
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  };
  const state = { rendered: 0, rests: false, missing: '', fails: undefined as Error | undefined, onRun: () => {} };
  const page = { final_url: '', content_type: '', ip: '', status_code: 200, page_content_empty: false };
  const pool = {
    state: () => state,
    run: async () => {
      state.rendered++;
      state.onRun();
      if (state.fails) throw state.fails;
      return { result: { page, image_width: 16, image_height: 16 }, file: new Uint8Array(1) };
    },
  };
  const test = new PageTest({ pool: pool as never, clock, lacks: () => state.missing });
  const changes: string[] = [];
  const pass = async (ms: number) => {
    for (const until = now + ms; now < until;) {
      now += 500;
      for (const sleeper of sleepers.splice(0))
        if (sleeper.until <= now) sleeper.wake();
        else sleepers.push(sleeper);
      for (let i = 0; i < 20; i++) await Promise.resolve();
    }
  };
  return { state, test, changes, pass, start: () => test.start((problem) => changes.push(problem)) };
}

it('renders a page at the start, and later one only where no job has proven that pages are rendered', async () => {
  const { state, test, changes, pass, start } = setUp();
  await start();
  expect([state.rendered, test.problem, changes]).toEqual([1, '', []]);
  await pass(200_000);
  test.rendered();
  await pass(200_000);
  expect(state.rendered).toBe(1);
  await pass(120_000);
  expect(state.rendered).toBe(2);
});

it('leaves a browser alone that rests, since what was proven stands', async () => {
  const { state, pass, start } = setUp();
  await start();
  state.rests = true;
  await pass(400_000);
  expect(state.rendered).toBe(1);
  state.rests = false;
  await pass(11_000);
  expect(state.rendered).toBe(2);
});

it('says what is wrong from the first look on, and once that it is over', async () => {
  const { state, test, changes, pass, start } = setUp();
  state.fails = new Error('the browser is gone');
  await start();
  expect(test.problem).toBe('no page could be rendered: the browser is gone');
  await pass(5_000);
  state.fails = undefined;
  await pass(2_000);
  expect([test.problem, changes]).toEqual(['', ['no page could be rendered: the browser is gone', '']]);
});

it('renders nothing where the disk is full, which it sees without', async () => {
  const { state, test, pass, start } = setUp();
  await start();
  state.missing = '3 MB are free';
  await pass(11_000);
  expect([test.problem, state.rendered]).toEqual(['3 MB are free', 1]);
  state.missing = '';
  await pass(2_000);
  expect(test.problem).toBe('');
});

it('looks soon where a job failed by our doing, and no more often than that', async () => {
  const { state, test, pass, start } = setUp();
  await start();
  for (let i = 0; i < 100; i++) test.doubt();
  await pass(1_500);
  expect(state.rendered).toBe(2);
  test.rendered();
  await pass(8_000);
  expect(state.rendered).toBe(2);
});

it('a page of a job that was rendered meanwhile counts for more than the test that failed', async () => {
  const { state, test, pass, start } = setUp();
  await start();
  state.fails = new Error('the job did not end within its budget');
  state.onRun = () => test.rendered();
  test.doubt();
  await pass(5_000);
  expect([state.rendered, test.problem]).toEqual([2, '']);
});

it('ends', async () => {
  const { state, test, pass, start } = setUp();
  await start();
  test.stop();
  test.doubt();
  await pass(400_000);
  expect(state.rendered).toBe(1);
});
