import { createAddressPolicy } from '@vedette/probes/host';
import { type EchoOptions, type EchoStrays, ProbeFailure, type ProbePorts } from '@vedette/contract';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { ping } from '@vedette/probes/ping';
import { fakeResolver, type FakeZone } from '../../intel/fake-resolver.ts';
import { type FakeEcho, fakeIcmp } from './fake-icmp.ts';
import { virtualClock } from './virtual-clock.ts';

interface World {
  zone?: FakeZone;
  hosts?: Record<string, FakeEcho[]>;
  families?: { v4?: boolean; v6?: boolean };
  budget_ms?: number;
  limits?: Partial<ProbePorts['limits']>;
  strays?: EchoStrays;
}

// Documentation addresses stand for public ones.
const policy = createAddressPolicy({ allowNets: ['192.0.2.0/24', '2001:db8::/32'] });

function world({ zone = {}, hosts = {}, families = {}, budget_ms = 10_000, limits = {}, strays }: World = {}) {
  const clock = virtualClock();
  const icmp = fakeIcmp(clock, hosts, families, strays);
  const resolver = fakeResolver(zone);
  const stop = new AbortController();
  const unused = () => {
    throw new Error('a ping needs no such thing');
  };
  const ports: ProbePorts = {
    clock,
    icmp,
    resolver,
    dialler: { policy, tcp: unused, operatorTcp: unused },
    limits: { echoes() {}, trace: unused, scan: unused, http: unused, dns: unused, ...limits },
    exits: [],
    ca: [],
    patterns: {
      match: () => Promise.reject(new Error('not part of this test')),
      groups: () => Promise.reject(new Error('not part of this test')),
    },
    isDenied: () => false,
    userAgent: 'test',
    signal: stop.signal,
    budget_ms,
  };
  return { ports, icmp, resolver, clock, stop };
}

const job = { host: 'a.test', family: 0 as const, count: 3, interval_ms: 200, wait_ms: 1000 };
const A = { 'a.test': { A: ['192.0.2.10'] } };
const NOTHING = {
  ip_address: '',
  ip_hostname: '',
  is_valid_ip: false,
  is_private_ip: false,
  is_loopback_ip: false,
  is_reserved_ip: false,
  packets_sent: 0,
  packets_received: 0,
  percent_packet_loss: 100,
  icmp_requests: [],
  rtt: { min: 0, avg: 0, max: 0, mdev: 0 },
  elapsed_ms: 0,
  engine: 'kernel',
  overhead_ms: 0.012,
};

const failureOf = async (run: Promise<unknown>): Promise<ProbeFailure> => {
  const error = await run.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProbeFailure)) throw error;
  return error;
};

describe('a host that answers', () => {
  it('summarises the replies and leaves out the lost echo', async () => {
    const { ports, icmp } = world({
      zone: { ...A, '10.2.0.192.in-addr.arpa': { PTR: ['Host-10.A.test'] } },
      hosts: { '192.0.2.10': [12, null, 18] },
    });
    const result = await ping.run(job, ports);
    expect(result).toEqual({
      ip_address: '192.0.2.10',
      ip_hostname: 'host-10.a.test',
      is_valid_ip: true,
      is_private_ip: false,
      is_loopback_ip: false,
      is_reserved_ip: true, // 192.0.2.0/24 is documentation
      packets_sent: 3,
      packets_received: 2,
      percent_packet_loss: 33,
      icmp_requests: [
        { bytes: 64, icmp_seq: 1, ttl: 57, time_ms: 12 },
        { bytes: 64, icmp_seq: 3, ttl: 57, time_ms: 18 },
      ],
      rtt: { min: 12, avg: 15, max: 18, mdev: 3 },
      elapsed_ms: 1200, // the lost echo was waited for
      engine: 'kernel',
      overhead_ms: 0.012,
    });
    expect(Value.Check(ping.result, result)).toBe(true);
    expect(icmp.sent.map(({ at }) => at)).toEqual([0, 200, 400]); // paced by the clock, the lost echo included
  });

  it('pings the IPv6 address of a name that has no other', async () => {
    const { ports } = world({ zone: { 'a.test': { AAAA: ['2001:db8::10'] } }, hosts: { '2001:db8::10': [5, 5, 5] } });
    expect(await ping.run(job, ports)).toMatchObject({ ip_address: '2001:db8::10', packets_received: 3, percent_packet_loss: 0 });
  });

  it.each([
    { family: 0 as const, ip_address: '192.0.2.10' },
    { family: 4 as const, ip_address: '192.0.2.10' },
    { family: 6 as const, ip_address: '2001:db8::10' },
  ])('asked for family $family, pings $ip_address of a dual-stack name', async ({ family, ip_address }) => {
    const { ports } = world({
      zone: { 'a.test': { A: ['192.0.2.10'], AAAA: ['2001:db8::10'] } },
      hosts: { '192.0.2.10': [1, 1, 1], '2001:db8::10': [1, 1, 1] },
    });
    expect(await ping.run({ ...job, family }, ports)).toMatchObject({ ip_address, packets_received: 3 });
  });

  it.each(['192.0.2.10', '2001:db8::10'])('pings the literal %s without asking for it', async (host) => {
    const { ports, resolver } = world({ hosts: { [host]: [1, 2, 3] } });
    expect(await ping.run({ ...job, host }, ports)).toMatchObject({ ip_address: host, packets_received: 3, ip_hostname: '' });
    expect(resolver.queries.filter((query) => !query.endsWith('PTR'))).toEqual([]);
  });

  it('shows what came in beside the answers, where the engine can tell', async () => {
    const given = { zone: A, hosts: { '192.0.2.10': [1, 2, 3] } };
    const told = await ping.run(job, world({ ...given, strays: { duplicate: 3, late: 2, wrong: 1 } }).ports);
    expect(told).toMatchObject({ packets_received: 3, packets_duplicate: 3, packets_late: 2, packets_wrong: 1 });
    expect(Value.Check(ping.result, told)).toBe(true);
    expect(await ping.run(job, world(given).ports)).not.toHaveProperty('packets_duplicate');
  });

  it('is not charged with an echo that this machine did not send', async () => {
    const { ports } = world({ zone: A, hosts: { '192.0.2.10': [1, { unsent: 'ENETUNREACH' }, 3] } });
    expect(await ping.run(job, ports)).toMatchObject({ packets_sent: 2, packets_received: 2, percent_packet_loss: 0 });
  });

  it('is not failed by a refusal among replies', async () => {
    const { ports } = world({ zone: A, hosts: { '192.0.2.10': [1, 'Destination Host Unreachable', 3] } });
    expect(await ping.run(job, ports)).toMatchObject({ packets_sent: 3, packets_received: 2, percent_packet_loss: 33 });
  });
});

describe('the reverse name', () => {
  const zone: FakeZone = A;
  const hosts = { '192.0.2.10': [1, 1, 1] };

  it.each<[string, FakeZone]>([
    ['is not there', {}],
    ['times out', { '10.2.0.192.in-addr.arpa': 'TIMEOUT' }],
    ['is no host name', { '10.2.0.192.in-addr.arpa': { PTR: ['<b>.test'] } }],
  ])('is empty when it %s', async (_, reverse) => {
    const { ports } = world({ zone: { ...zone, ...reverse }, hosts });
    expect(await ping.run(job, ports)).toMatchObject({ ip_hostname: '', packets_received: 3 });
  });

  it('is given up 500 ms after the last echo', async () => {
    const { ports, resolver } = world({ zone, hosts });
    ports.resolver = {
      ...resolver,
      query: (_name, _type, options) =>
        new Promise((_, reject) => options!.signal!.addEventListener('abort', () => reject(new Error('stopped')))),
    };
    expect(await ping.run(job, ports)).toMatchObject({ ip_hostname: '', packets_received: 3, elapsed_ms: 401 + 500 });
  });

  it('passes on a defect', async () => {
    const { ports, resolver } = world({ zone, hosts });
    ports.resolver = { ...resolver, query: () => Promise.reject(new TypeError('a defect')) };
    await expect(ping.run(job, ports)).rejects.toThrow('a defect');
  });
});

describe('no measurement', () => {
  it('reports total loss', async () => {
    const { ports } = world({ zone: A });
    const failure = await failureOf(ping.run(job, ports));
    expect({ code: failure.code, message: failure.message }).toEqual({
      code: 'icmp_timeout',
      message: 'No echo reply came back: 3 sent to 192.0.2.10',
    });
    expect(failure.partial).toEqual({
      ...NOTHING,
      ip_address: '192.0.2.10',
      is_valid_ip: true,
      is_reserved_ip: true,
      packets_sent: 3,
      percent_packet_loss: 100,
      elapsed_ms: 1400,
    });
    expect(Value.Check(ping.result, failure.partial)).toBe(true);
  });

  it('says what the network said', async () => {
    const { ports } = world({ zone: A, hosts: { '192.0.2.10': ['Packet filtered', null, 'Packet filtered'] } });
    const failure = await failureOf(ping.run(job, ports));
    expect({ code: failure.code, seen: failure.seen }).toEqual({ code: 'icmp_unreachable', seen: 'Packet filtered' });
    expect(failure.partial).toMatchObject({ packets_sent: 3, packets_received: 0, percent_packet_loss: 100 });
  });

  it.each<[string, FakeEcho[], object]>([
    ['none', Array.from({ length: 3 }, () => ({ unsent: 'ENETUNREACH' })), { packets_sent: 0, percent_packet_loss: 100 }],
    ['only some', [null, { unsent: 'ENETUNREACH' }, 'Packet filtered'], { packets_sent: 2, percent_packet_loss: 100 }],
  ])('does not blame the target where this machine sent %s of the echoes', async (_, echoes, partial) => {
    const { ports } = world({ zone: A, hosts: { '192.0.2.10': echoes } });
    const failure = await failureOf(ping.run(job, ports));
    expect(failure).toMatchObject({ code: 'no_network', source: 'vantage', seen: 'ENETUNREACH', partial });
  });

  it.each<[string, FakeZone, string]>([
    ['does not exist', {}, 'dns_nxdomain'],
    ['has no address', { 'a.test': { TXT: ['x'] } }, 'dns_no_address'],
    ['cannot be resolved', { 'a.test': 'SERVFAIL' }, 'dns_servfail'],
    ['gets no answer', { 'a.test': 'TIMEOUT' }, 'dns_timeout'],
  ])('says so when the name %s', async (_, zone, code) => {
    const failure = await failureOf(ping.run(job, world({ zone }).ports));
    expect(failure).toMatchObject({ code, source: 'resolver', partial: NOTHING });
  });

  it('gives up a resolver that stays silent while there is time for a failure', async () => {
    const { ports, resolver } = world({ budget_ms: 1000 });
    ports.resolver = {
      ...resolver,
      addresses: (_host, _family, options) =>
        new Promise((_, reject) => options!.signal!.addEventListener('abort', () => reject(options!.signal!.reason as Error))),
    };
    expect(await failureOf(ping.run(job, ports))).toMatchObject({ code: 'dns_timeout', partial: { ...NOTHING, elapsed_ms: 200 } });
  });

  it.each([
    ['10.1.2.3', { is_private_ip: true }],
    ['169.254.169.254', { is_private_ip: true }],
    ['127.0.0.1', { is_loopback_ip: true }],
    ['198.18.0.1', { is_reserved_ip: true }],
  ])('never contacts %s, whatever name points there', async (address, flags) => {
    const { ports, icmp, resolver } = world({ zone: { 'a.test': { A: ['192.0.2.10', address] } } });
    const failure = await failureOf(ping.run(job, ports));
    expect(failure).toMatchObject({ code: 'blocked_private_address', seen: 'a.test' });
    expect(failure.partial).toEqual({ ...NOTHING, ip_address: address, is_valid_ip: true, ...flags });
    expect(icmp.sent).toEqual([]);
    expect(resolver.queries).toEqual(['a.test A']); // and does not tell the resolver about it
  });

  it('refuses a government name before it asks for it', async () => {
    const { ports, resolver } = world();
    expect(await failureOf(ping.run({ ...job, host: 'www.example.gov' }, ports))).toMatchObject({
      code: 'blocked_policy',
      partial: NOTHING,
    });
    expect(resolver.queries).toEqual([]);
  });

  it('refuses what is no host', async () => {
    expect(await failureOf(ping.run({ ...job, host: 'a.test/../b' }, world().ports))).toMatchObject({ code: 'blocked_policy' });
  });

  it('sends nothing when the target is measured too often', async () => {
    const taken: unknown[] = [];
    const { ports, icmp } = world({
      zone: A,
      limits: {
        echoes(...target) {
          taken.push(target);
          throw new ProbeFailure('target_limited');
        },
      },
    });
    expect(await failureOf(ping.run(job, ports))).toMatchObject({
      code: 'target_limited',
      partial: { ip_address: '192.0.2.10', packets_sent: 0 },
    });
    expect(taken).toEqual([['192.0.2.10', 3, 'a.test']]);
    expect(icmp.sent).toEqual([]);
  });

  it('does not take an IPv4 address for an IPv6 one', async () => {
    expect(await failureOf(ping.run({ ...job, host: '192.0.2.10', family: 6 }, world().ports))).toMatchObject({ code: 'dns_no_address' });
  });

  it('is unsupported without a socket of the wanted family', async () => {
    const { ports } = world({ zone: A, families: { v6: false } });
    expect(await failureOf(ping.run({ ...job, family: 6 }, ports))).toMatchObject({ code: 'unsupported' });
  });
});

describe('a measurement cut short', () => {
  const hosts = { '192.0.2.10': [10, 30, 10] };

  it('counts only the echoes that had ended when the job was cancelled', async () => {
    const { ports, clock, stop, icmp } = world({ zone: A, hosts });
    void clock.sleep(215).then(() => stop.abort(new Error('client gone')));
    const failure = await failureOf(ping.run(job, ports));
    expect(failure.code).toBe('cancelled');
    expect(failure.partial).toMatchObject({ packets_sent: 1, packets_received: 1, percent_packet_loss: 0, rtt: { min: 10, mdev: 0 } });
    expect(icmp.sent.map(({ at }) => at)).toEqual([0, 200]);
  });

  it('keeps a later reply although an earlier echo is still waited for', async () => {
    const { ports, clock, stop } = world({ zone: A, hosts: { '192.0.2.10': [null, 20, 20] } });
    void clock.sleep(500).then(() => stop.abort(new Error('client gone')));
    const failure = await failureOf(ping.run(job, ports));
    expect(failure.partial).toMatchObject({ packets_sent: 2, packets_received: 2, icmp_requests: [{ icmp_seq: 2 }, { icmp_seq: 3 }] });
  });

  it.each([
    [250, { packets_sent: 2, packets_received: 2 }],
    [15, { packets_sent: 1, packets_received: 1 }],
  ])('is a result when the deadline passes after %i ms', async (at, result) => {
    const { ports, clock, stop } = world({ zone: A, hosts });
    void clock.sleep(at).then(() => stop.abort(new DOMException('too late', 'TimeoutError')));
    expect(await ping.run(job, ports)).toMatchObject(result);
  });

  it('is a timeout when the deadline passes before any reply', async () => {
    const { ports, clock, stop } = world({ zone: A });
    void clock.sleep(1100).then(() => stop.abort(new DOMException('too late', 'TimeoutError')));
    expect(await failureOf(ping.run(job, ports))).toMatchObject({
      code: 'icmp_timeout',
      partial: { packets_sent: 1, percent_packet_loss: 100 },
    });
  });

  it('fits a small budget by sending faster and waiting less', async () => {
    const { ports, icmp } = world({ zone: A, budget_ms: 800 });
    const failure = await failureOf(ping.run(job, ports));
    expect(failure).toMatchObject({ code: 'icmp_timeout', partial: { packets_sent: 3, elapsed_ms: 500 } });
    expect(icmp.sent.map(({ at }) => at)).toEqual([0, 100, 200]);
  });
});

describe('what /probe asks for beside', () => {
  it('is told: when the address was known, when the first echo left, and how many hops the last reply had left', async () => {
    const { ports } = world({ zone: A, hosts: { '192.0.2.10': [12, null, 18] } });
    const result = await ping.run({ ...job, detail: true }, ports);
    expect(result.detail).toEqual({ resolve_ms: 0, setup_ms: 0, reply_ttl: 57 });
    expect(Value.Check(ping.result, result)).toBe(true);
    expect(await ping.run(job, world({ zone: A, hosts: { '192.0.2.10': [12] } }).ports)).not.toHaveProperty('detail');
  });

  it('is told of a failure too', async () => {
    const { ports } = world({ zone: A, hosts: {} });
    const failure = await ping.run({ ...job, detail: true }, ports).catch((error: unknown) => error as ProbeFailure);
    expect(failure).toMatchObject({ code: 'icmp_timeout', partial: { detail: { reply_ttl: 0 } } });
  });

  it('reaches the engine, or is unsupported where that sends all echoes alike', async () => {
    const { ports, icmp } = world({ zone: A, hosts: { '192.0.2.10': [12, 12, 12] } });
    const shapes: unknown[] = [];
    const watched = {
      ...icmp,
      echoes: (address: string, options: EchoOptions) => (shapes.push(options.shape), icmp.echoes(address, options)),
    };
    const shaped = { ...job, payload_bytes: 1000, ttl: 7, dont_fragment: true };
    await ping.run(shaped, { ...ports, icmp: watched });
    expect(shapes).toEqual([{ payload_bytes: 1000, ttl: 7, dont_fragment: true }]);
    const plain = world({ zone: A, hosts: { '192.0.2.10': [12] } });
    const unable = { ...plain.ports, icmp: { ...plain.icmp, shapesEchoes: false } };
    await expect(ping.run(shaped, unable)).rejects.toMatchObject({ code: 'unsupported' });
    expect(plain.icmp.sent).toEqual([]);
  });

  it.each([{ payload_bytes: 7 }, { payload_bytes: 1473 }, { ttl: 0 }, { ttl: 256 }])('is no job with %o', (wrong) => {
    expect(Value.Check(ping.job, { ...job, ...wrong })).toBe(false);
  });
});
