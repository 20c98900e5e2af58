import { failure } from '@vedette/contract';
import { ping } from '@vedette/probes/ping';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { blank } from '../../../packages/operations/src/kit/blank.ts';
import { pingTest } from '../../../packages/operations/src/ping-test/index.ts';
import { read } from '../answer.ts';
import { PLACES, replyFrom, reportOf } from '../measured.ts';

/** Four echoes to 192.0.2.10, the third of them lost. */
const result = {
  ip_address: '192.0.2.10',
  ip_hostname: 'a.test',
  is_valid_ip: true,
  is_private_ip: false,
  is_loopback_ip: false,
  is_reserved_ip: false,
  packets_sent: 4,
  packets_received: 3,
  percent_packet_loss: 25,
  icmp_requests: [
    { bytes: 64, icmp_seq: 1, ttl: 57, time_ms: 12 },
    { bytes: 64, icmp_seq: 2, ttl: 57, time_ms: 18 },
    { bytes: 64, icmp_seq: 4, ttl: 57, time_ms: 15 },
  ],
  rtt: { min: 12, avg: 15, max: 18, mdev: 2.449 },
  elapsed_ms: 640,
  engine: 'kernel' as const,
  overhead_ms: 0.02,
};
/** What stands where nothing was measured. */
const nothing = blank(ping.result);

it('shows no loss of 0 where nothing was sent', () => {
  expect(nothing).toMatchObject({ packets_sent: 0, packets_received: 0, percent_packet_loss: 100 });
});

it('asks for four echoes to the host as it is written on the wire, of whichever family it has', () => {
  const job = { family: 0, count: 4, interval_ms: 200, wait_ms: 1000 };
  expect(pingTest.job(read(pingTest, { host: 'A.Test.' }))).toEqual({ host: 'a.test', ...job });
  expect(pingTest.job(read(pingTest, { host: 'bücher.example' }))).toEqual({ host: 'xn--bcher-kva.example', ...job });
  expect(pingTest.job(read(pingTest, { host: '2001:DB8:0::1' }))).toEqual({ host: '2001:db8::1', ...job });
});

it('reports each location, with the host as it was asked for', () => {
  const report = reportOf(pingTest, { host: 'A.Test' }, [
    replyFrom('eu-fra', { result }),
    replyFrom('sat-1', { result: { ...result, elapsed_ms: 700 }, simulated: true, agent_state: 'degraded' }),
  ]);
  expect(report).toEqual({
    host: 'A.Test',
    locations: [
      { ...PLACES['eu-fra'], location: 'eu-fra', ping_output: { host: 'A.Test', ...result }, error: '' },
      {
        ...PLACES['sat-1'],
        location: 'sat-1',
        ping_output: { host: 'A.Test', ...result, elapsed_ms: 700 },
        error: '',
        simulated: true,
        agent_state: 'degraded',
      },
    ],
  });
  expect(Value.Check(pingTest.response, report)).toBe(true);
});

it('keeps every field of a location that failed, whether it measured a part or nothing', () => {
  const silent = { ...result, packets_received: 0, percent_packet_loss: 100, icmp_requests: [], rtt: nothing.rtt };
  const [timeout, lost] = [failure('icmp_timeout'), failure('agent_lost')];
  const report = reportOf(pingTest, { host: 'a.test' }, [
    replyFrom('eu-fra', { result: silent, failure: timeout }),
    replyFrom('sat-1', { failure: lost }),
  ]);
  expect(report).toEqual({
    host: 'a.test',
    locations: [
      {
        ...PLACES['eu-fra'],
        location: 'eu-fra',
        ping_output: { host: 'a.test', ...silent },
        error: timeout.error,
        reason: 'icmp_timeout',
      },
      { ...PLACES['sat-1'], location: 'sat-1', ping_output: { host: 'a.test', ...nothing }, error: lost.error, reason: 'agent_lost' },
    ],
  });
  expect(Value.Check(pingTest.response, report)).toBe(true);
});

it.each(['', 'a..test', 'http://a.test/', '192.0.2.1:80'])('refuses %j, which is no host', (host) => {
  expect(() => read(pingTest, { host })).toThrow(expect.objectContaining({ code: 'invalid_parameter' }));
});

describe('options', () => {
  const query = (options: object) => read(pingTest, { host: 'a.test', options });
  const price = (options?: object) =>
    (pingTest.cost as { of(query: unknown): number }).of(read(pingTest, { host: 'a.test', ...(options && { options }) }));

  it('become the job', () => {
    const options = { count: 16, interval_ms: 400, payload_bytes: 1400, ttl: 12, dont_fragment: true, family: 6 as const };
    expect(pingTest.job(query(options))).toEqual({ host: 'a.test', wait_ms: 1000, ...options });
    expect(pingTest.job(query({ payload_bytes: 8 }))).toEqual({
      host: 'a.test',
      family: 0,
      count: 4,
      interval_ms: 200,
      wait_ms: 1000,
      payload_bytes: 8,
    });
  });
  it('are not sent to agents that would ignore them', () => {
    const since = (options: object) => ping.since!(pingTest.job(query(options)));
    expect([since({}), since({ count: 16, family: 4 }), since({ ttl: 3 }), since({ payload_bytes: 56 })]).toEqual([
      undefined,
      undefined,
      '1.2',
      '1.2',
    ]);
  });
  it.each([
    [undefined, 5],
    [{}, 5],
    [{ count: 1 }, 5],
    [{ count: 4, payload_bytes: 1472 }, 5],
    [{ count: 5 }, 6],
    [{ count: 8 }, 6],
    [{ count: 9 }, 7],
    [{ count: 16 }, 8],
  ])('%j costs %i', (options, credits) => {
    expect(price(options)).toBe(credits);
  });
  it('may take six seconds from the first echo request to the last', () => {
    expect(query({ count: 16, interval_ms: 400 })).toMatchObject({ options: { count: 16 } });
    const conflict = expect.objectContaining({
      code: 'parameter_conflict',
      message: expect.stringContaining('16 echo requests would take 6.015 s, and 6 s are allowed'),
    });
    expect(() => query({ count: 16, interval_ms: 401 })).toThrow(conflict);
  });
  it.each([
    [{ count: 0 }, 'options.count must be >= 1'],
    [{ count: 17 }, 'options.count must be <= 16'],
    [{ count: '4' }, 'options.count must be integer'],
    [{ interval_ms: 9 }, 'options.interval_ms must be >= 10'],
    [{ payload_bytes: 7 }, 'options.payload_bytes must be >= 8'],
    [{ payload_bytes: 1473 }, 'options.payload_bytes must be <= 1472'],
    [{ ttl: 0 }, 'options.ttl must be >= 1'],
    [{ ttl: 256 }, 'options.ttl must be <= 255'],
    [{ family: 5 }, 'options.family must be one of 0, 4, 6'],
    [{ wait_ms: 60_000 }, 'options: wait_ms; options takes count, interval_ms'],
    [{ coutn: 4 }, 'options: coutn; did you mean count?'],
    [{ constructor: 4 }, 'options: constructor; options takes'],
    [[], 'options must be object'],
    [null, 'options must be object'],
  ])('refuses %j', (options: any, sentence) => {
    expect(() => query(options)).toThrow(sentence);
  });
});
