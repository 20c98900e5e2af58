import { ProbeFailure, type DnsAnswer, type Resolver } from '@vedette/contract';
import { systemClock } from '@vedette/probes/net';
import { expect, it } from 'vitest';
import { countedDns } from '../../packages/gateway/src/intel/counted-dns.ts';
import { createMetrics } from '../../packages/gateway/src/metrics/metrics.ts';

const answer = (rcode: DnsAnswer['rcode']): DnsAnswer => ({ rcode, answers: [] }) as unknown as DnsAnswer;
const NAMES: Record<string, () => Promise<DnsAnswer>> = {
  'there.example': async () => answer('NOERROR'),
  'absent.example': async () => answer('NXDOMAIN'),
  'broken.example': async () => answer('SERVFAIL'),
  'silent.example': () => Promise.reject(new ProbeFailure('dns_timeout')),
  'left.example': () => Promise.reject(new DOMException('left', 'AbortError')),
};
const resolver: Resolver = { servers: ['192.0.2.1:53'], query: (name) => NAMES[name]!(), addresses: async () => ['192.0.2.2'] };

it('counts questions by how they ended, and changes nothing of what is told', async () => {
  const metrics = createMetrics();
  const counted = countedDns(resolver, { clock: systemClock, metrics });
  expect(counted.servers).toEqual(['192.0.2.1:53']);
  expect(await counted.query('there.example', 'A')).toMatchObject({ rcode: 'NOERROR' });
  expect(await counted.query('absent.example', 'A')).toMatchObject({ rcode: 'NXDOMAIN' });
  expect(await counted.query('broken.example', 'A')).toMatchObject({ rcode: 'SERVFAIL' });
  await expect(counted.query('silent.example', 'A')).rejects.toMatchObject({ code: 'dns_timeout' });
  await expect(counted.query('left.example', 'A')).rejects.toThrow('left');
  expect(await counted.addresses('there.example', 4)).toEqual(['192.0.2.2']);
  expect((await metrics.registry.metrics()).match(/(?<=^vedette_gateway_dns_duration_seconds_count).*/gm)).toEqual([
    '{outcome="answered"} 3',
    '{outcome="dns_servfail"} 1',
    '{outcome="dns_timeout"} 1',
    '{outcome="cancelled"} 1',
  ]);
});
