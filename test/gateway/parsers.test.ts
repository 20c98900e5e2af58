import { ApiError } from '@vedette/contract';
import type { MessageFacts } from '@vedette/message/report';
import { type EndReason, ParserEnded, type ParserPool } from '@vedette/message/parser';
import { systemClock } from '@vedette/probes/net';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../packages/gateway/src/metrics/metrics.ts';
import { partsOf } from './parts.ts';
import { OutboundGate } from '../../packages/gateway/src/request/outbound-gate.ts';
import { parsersFor, parsersOf } from '../../packages/gateway/src/request/parsers.ts';
import { Pools } from '../../packages/gateway/src/shares/pools.ts';

const GB = 1024 ** 3;
const { signal } = new AbortController();
const eml = Buffer.from('Subject: Hello\r\n\r\n');
// What it says is not looked at here.
const READING = { body: { body_text: '', html_text: '' } } as MessageFacts;

it.each([
  ['two cores', { cores: 2, memoryBytes: 8 * GB }, 2],
  ['many', { cores: 64, memoryBytes: 64 * GB }, 4],
  ['the memory of a unit', { cores: 8, memoryBytes: 3 * GB }, 2],
  ['little memory', { cores: 1, memoryBytes: GB }, 2],
])('of a machine with %s, so many messages are read at a time', (_name, machine, count) => {
  expect(parsersFor(machine)).toBe(count);
});

/** Messages that are being read stay so until `done`. */
function setUp(parsers = 2) {
  const pools = new Pools({ clock: systemClock, presence: { slots: () => 0 }, renderers: { slots: () => 0 }, parsers, gateways: () => 1 });
  const metrics = createMetrics();
  const reading: PromiseWithResolvers<{ reading: MessageFacts; bytes: number }>[] = [];
  const pool = {
    read: (() => {
      const one = Promise.withResolvers<{ reading: MessageFacts; bytes: number }>();
      reading.push(one);
      return one.promise;
    }) as unknown as ParserPool['read'],
  };
  const request = (account: string) => {
    const gate = new OutboundGate({
      demand: { account, targets: [], jobs: 0, asks: undefined },
      pools,
      rates: undefined,
      waitMs: 20,
      queueMs: 0,
    });
    return { gate, parsers: parsersOf(partsOf({ parsers: pool, metrics }), gate) };
  };
  return { pools, metrics, reading, request };
}
const untilAsked = (reading: readonly unknown[], count: number) => expect.poll(() => reading.length).toBe(count);

it('a message is read with a permit, and what came of it is held until its answer has left', async () => {
  const { pools, reading, request, metrics } = setUp();
  const { gate, parsers } = request('a');
  const asked = parsers.message(eml, { signal });
  await untilAsked(reading, 1);
  expect([pools.parses.usage.held, gate.sentTraffic]).toEqual([1, true]);
  reading[0]!.resolve({ reading: READING, bytes: 5_000 });
  expect(await asked).toBe(READING);
  expect([pools.parses.usage.held, pools.results.usage.held]).toEqual([0, 5_000]);
  gate.release();
  expect(pools.results.usage.held).toBe(0);
  expect(await metrics.registry.metrics()).toMatch(
    /vedette_gateway_parses_total\{outcome="ok"\} 1\n[^]*vedette_gateway_parse_seconds_count 1\n/,
  );
});

it('an account that sends more than can be read leaves one of two places to the others: it had both, for as long as a message may take', async () => {
  const { reading, request, pools } = setUp();
  const greedy = Array.from({ length: 20 }, () => request('greedy').parsers.message(eml, { signal }));
  const settled = Promise.allSettled(greedy);
  await untilAsked(reading, 1);
  expect(pools.parses.usage).toMatchObject({ held: 1, waiting: 19, max: 2 });
  const modest = request('modest').parsers.message(eml, { signal });
  await untilAsked(reading, 2);
  reading[1]!.resolve({ reading: READING, bytes: 1 });
  expect(await modest).toBe(READING);
  reading[0]!.resolve({ reading: READING, bytes: 1 });
  for (let done = 2; done < 21; done++) {
    await untilAsked(reading, done + 1);
    reading[done]!.resolve({ reading: READING, bytes: 1 });
  }
  expect((await settled).every(({ status }) => status === 'fulfilled')).toBe(true);
});

it('where too many wait the newest is refused at once, and told when to come back', async () => {
  const { request, reading, pools } = setUp(1);
  const all = Array.from({ length: 40 }, () => request('a').parsers.message(eml, { signal }));
  const settled = Promise.allSettled(all);
  const refused = await Promise.race(
    all.map((one) =>
      one.then(
        () => undefined,
        (error: unknown) => error,
      ),
    ),
  );
  expect(refused).toMatchObject({ code: 'overloaded', status: 503, retryAfterS: 1 });
  expect(pools.parses.usage).toMatchObject({ held: 1, waiting: 16, refused: 23 });
  for (let done = 0; done < 17; done++) {
    await untilAsked(reading, done + 1);
    reading[done]!.resolve({ reading: READING, bytes: 1 });
  }
  expect((await settled).filter(({ status }) => status === 'fulfilled')).toHaveLength(17);
});

it('whoever leaves is let go at once; the message keeps its place until it has been read', async () => {
  const { request, reading, pools } = setUp();
  const control = new AbortController();
  const asked = request('a').parsers.message(eml, { signal: control.signal });
  await untilAsked(reading, 1);
  const gone = new ApiError('client_gone');
  control.abort(gone);
  await expect(asked).rejects.toBe(gone);
  expect(pools.parses.usage.held).toBe(1);
  reading[0]!.reject(new ParserEnded('cpu', ''));
  await expect.poll(() => pools.parses.usage.held).toBe(0);
});

describe('a message whose parser ended', () => {
  it.each<[EndReason, object]>([
    ['cpu', { code: 'invalid_parameter', status: 400, param: 'eml_base64', message: expect.stringContaining('more than 10 s to read') }],
    [
      'memory',
      { code: 'invalid_parameter', status: 400, param: 'eml_base64', message: expect.stringContaining('more than 512 MB of memory') },
    ],
    ['died', { code: 'invalid_parameter', status: 400, param: 'eml_base64' }],
    ['long_answer', { code: 'invalid_parameter', status: 400, param: 'eml_base64' }],
    ['time', { code: 'deadline', status: 504 }],
    ['defect', { code: 'internal', status: 500 }],
    ['no_answer', { code: 'internal', status: 500 }],
    ['no_start', { code: 'overloaded', status: 503, retryAfterS: 5 }],
    ['no_sandbox', { code: 'switched_off', status: 503, retryAfterS: undefined }],
    ['closed', { code: 'draining', status: 503 }],
  ])('(%s) is refused, and gives its place back', async (why, error) => {
    const { request, reading, pools, metrics } = setUp();
    const asked = request('a').parsers.message(eml, { signal });
    await untilAsked(reading, 1);
    const ended = new ParserEnded(why, 'for a test');
    reading[0]!.reject(ended);
    await expect(asked).rejects.toMatchObject({ ...error, cause: ended });
    expect([pools.parses.usage.held, pools.results.usage.held]).toEqual([0, 0]);
    expect(await metrics.registry.metrics()).toMatch(/vedette_gateway_parses_total\{outcome="\w+"\} 1\n/);
  });
});
