import { createAddressPolicy } from '@vedette/probes/host';
import type { ProbePorts } from '@vedette/contract';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '@vedette/probes/net';
import { openIcmpEngine } from '../../../packages/probes/src/net/icmp/open.ts';
import { ping } from '@vedette/probes/ping';
import { rttSummary } from '../../../packages/probes/src/ping/rtt.ts';
import { fakeResolver } from '../../intel/fake-resolver.ts';

let icmp: NonNullable<Awaited<ReturnType<typeof openIcmpEngine>>>;
beforeAll(async () => {
  icmp = (await openIcmpEngine({ clock: systemClock }))!;
});
afterAll(() => icmp.close());

const unused = () => {
  throw new Error('a ping needs no such thing');
};

it.each([
  { host: 'four.test', ip_address: '127.0.0.1', ip_hostname: 'localhost' },
  { host: 'six.test', ip_address: '::1', ip_hostname: '' },
])('pings $ip_address with the real engine', async ({ host, ip_address, ip_hostname }) => {
  const ports: ProbePorts = {
    clock: systemClock,
    icmp,
    resolver: fakeResolver({
      'four.test': { A: ['127.0.0.1'] },
      'six.test': { AAAA: ['::1'] },
      '1.0.0.127.in-addr.arpa': { PTR: ['localhost'] },
    }),
    dialler: { policy: createAddressPolicy({ allowNets: ['127.0.0.0/8', '::1/128'] }), tcp: unused, operatorTcp: unused },
    limits: { echoes() {}, trace: unused, scan: unused, http: unused, dns: unused },
    exits: [],
    ca: [],
    patterns: {
      match: () => Promise.reject(new Error('not part of this test')),
      groups: () => Promise.reject(new Error('not part of this test')),
    },
    isDenied: () => false,
    userAgent: 'test',
    signal: new AbortController().signal,
    budget_ms: 10_000,
  };
  const result = await ping.run({ host, family: 0, count: 4, interval_ms: 10, wait_ms: 1000 }, ports);
  const times = result.icmp_requests.map(({ time_ms }) => time_ms);
  expect(result).toEqual({
    ip_address,
    ip_hostname,
    is_valid_ip: true,
    is_private_ip: false,
    is_loopback_ip: true,
    is_reserved_ip: false,
    packets_sent: 4,
    packets_received: 4,
    percent_packet_loss: 0,
    packets_duplicate: 0,
    packets_late: 0,
    packets_wrong: 0,
    icmp_requests: times.map((time_ms, index) => ({ bytes: 64, icmp_seq: index + 1, ttl: 64, time_ms })),
    rtt: rttSummary(times),
    elapsed_ms: expect.any(Number) as number,
    engine: 'kernel',
    overhead_ms: expect.any(Number) as number,
  });
  expect(Value.Check(ping.result, result)).toBe(true);
});
