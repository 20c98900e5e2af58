import { ApiError, parseHost } from '@vedette/contract';
import type { Ledger, NewMeasurement } from '@vedette/ledger';
import { afterEach, expect, it } from 'vitest';
import { createMeasurementLog, type Departure } from '../../packages/gateway/src/request/measurement-log.ts';
import { createMetrics } from '../../packages/gateway/src/metrics/metrics.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A log whose seconds pass when the test says so, over a database that takes what `refusal` lets it. */
function logged() {
  const world: { rows: NewMeasurement[]; calls: number; refusal: Error | undefined; warnings: number } = {
    rows: [],
    calls: 0,
    refusal: undefined,
    warnings: 0,
  };
  let now = 0;
  let wake = (): void => {};
  const metrics = createMetrics();
  const measurements = createMeasurementLog({
    ledger: {
      async addMeasurements(added: readonly NewMeasurement[]) {
        world.calls++;
        if (world.refusal) throw world.refusal;
        world.rows.push(...added);
      },
    } as Partial<Ledger> as Ledger,
    clock: {
      now: () => now,
      sleep: (_ms, signal) =>
        new Promise((resolve) => {
          wake = resolve;
          signal?.addEventListener('abort', () => resolve());
        }),
    },
    metrics,
    log: { debug() {}, info() {}, error() {}, warn: () => void world.warnings++ },
  });
  closers.push(() => measurements.close());
  return {
    world,
    measurements,
    async second() {
      now += 1_000;
      wake();
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => void setImmediate(resolve));
    },
    lost: async () => (await metrics.measurementsLost.get()).values[0]?.value ?? 0,
  };
}

const departure = (more: Partial<Departure> = {}): Departure => ({
  requestId: 'r1',
  account: 'acme',
  key: 'k1',
  client: '198.51.100.9',
  operation: 'ping-test',
  targets: [parseHost('example.org')!],
  firstQuestion: '',
  contacted: undefined,
  hosts: new Map(),
  locations: ['eu-fra'],
  started: 0,
  status: 200,
  ...more,
});
const row = (more: Partial<NewMeasurement> = {}): NewMeasurement => ({
  request_id: 'r1',
  account: 'acme',
  key: 'k1',
  client: '198.51.100.9',
  operation: 'ping-test',
  target: 'example.org',
  address: null,
  locations: ['eu-fra'],
  status: 200,
  age_ms: 1_000,
  ...more,
});

it('writes once a second, whatever came together, with the age of each', async () => {
  const { world, measurements, second } = logged();
  await second();
  expect(world.calls).toBe(0);
  for (let i = 0; i < 100; i++) measurements.record(departure());
  await second();
  expect([world.calls, world.rows.length]).toEqual([1, 100]);
  expect(world.rows[0]).toEqual(row({ age_ms: 2_000 }));
});

it.each([
  [
    'a name that was contacted',
    { contacted: new Set(['192.0.2.7', '2001:DB8::7']) },
    [{ address: '192.0.2.7' }, { address: '2001:db8::7' }],
  ],
  ['an address', { targets: [parseHost('192.0.2.7')!] }, [{ target: '192.0.2.7', address: '192.0.2.7' }]],
  ['the domain of an e-mail address', { targets: [], firstQuestion: 'example.net' }, [{ target: 'example.net' }]],
  [
    'hosts that a target led to',
    {
      contacted: new Set(['192.0.2.7']),
      hosts: new Map([
        ['cdn.example.net', new Set(['198.51.100.1', '2001:DB8::1'])],
        ['stolen.example.net', new Set(["'; --"])],
      ]),
    },
    [
      { address: '192.0.2.7' },
      { target: 'cdn.example.net', address: '198.51.100.1' },
      { target: 'cdn.example.net', address: '2001:db8::1' },
    ],
  ],
  ['what a stolen agent says', { contacted: new Set(["'; --", '192.0.2.7']) }, [{ address: '192.0.2.7' }]],
])('makes the rows of %s', async (_what, more, rows) => {
  const { world, measurements, second } = logged();
  measurements.record(departure(more));
  await second();
  expect(world.rows).toEqual(rows.map((each) => row(each)));
});

it('has at most 200 hosts of one request, whatever a renderer says', async () => {
  const { world, measurements, second } = logged();
  const hosts = new Map(Array.from({ length: 5_000 }, (_, i) => [`h${i}.example.net`, new Set(['192.0.2.1'])]));
  measurements.record(departure({ hosts }));
  await second();
  expect(world.rows).toHaveLength(201);
});

it('writes and keeps so many rows, and not so many requests: a thousand pages were 800,000 rows in one statement', async () => {
  const { world, measurements, second, lost } = logged();
  const hosts = new Map(
    Array.from({ length: 200 }, (_, i) => [`h${i}.example.net`, new Set(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'])]),
  );
  for (let i = 0; i < 10; i++) measurements.record(departure({ hosts }));
  await second();
  expect([world.calls, world.rows.length]).toEqual([5, 8_010]);
  world.refusal = new ApiError('ledger_unavailable');
  for (let i = 0; i < 100; i++) measurements.record(departure({ hosts }));
  await second();
  expect(await lost()).toBe(38);
});

it('keeps what the database does not take, says so once, and writes it when it is back', async () => {
  const { world, measurements, second, lost } = logged();
  world.refusal = new ApiError('ledger_unavailable');
  measurements.record(departure());
  for (let i = 0; i < 3; i++) await second();
  expect([world.calls, world.warnings]).toEqual([3, 1]);
  world.refusal = undefined;
  await second();
  expect([world.rows.length, await lost()]).toEqual([1, 0]);
});

it('loses the oldest when too many wait, counts them, and holds up nobody', async () => {
  const { world, measurements, second, lost } = logged();
  world.refusal = new ApiError('ledger_unavailable');
  for (let i = 0; i < 60_000; i++) measurements.record(departure({ requestId: String(i) }));
  await second();
  world.refusal = undefined;
  await second();
  expect([world.rows.length, await lost()]).toEqual([50_000, 10_000]);
  expect(world.rows.at(-1)?.request_id).toBe('59999');
});

it('does not try again what the database refuses for good', async () => {
  const { world, measurements, second, lost } = logged();
  world.refusal = new Error('no partition of relation "measurements" found for row');
  measurements.record(departure());
  await second();
  world.refusal = undefined;
  await second();
  expect([world.rows.length, await lost()]).toEqual([0, 1]);
});

it('writes what waits when the gateway stops', async () => {
  const { world, measurements } = logged();
  measurements.record(departure());
  await measurements.close();
  expect(world.rows).toHaveLength(1);
});
