import { type DnsAnswer, type DnsRecord, ProbeFailure, type ProbePorts } from '@vedette/contract';
import { dns } from '@vedette/probes/dns';
import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { loopbackPorts } from '../http/loopback-ports.ts';

const record = (name: string, type: 'NS' | 'A' | 'CNAME' | 'DS', data: unknown): DnsRecord =>
  ({ name, type, ttl: 60, rdata: new Uint8Array(), data }) as DnsRecord;

interface Said extends Partial<Pick<DnsAnswer, 'rcode' | 'aa' | 'answers' | 'authorities' | 'additionals'>> {
  fails?: ProbeFailure;
}
const referral = (zone: string, servers: Record<string, string | undefined>, more: DnsRecord[] = []): Said => ({
  authorities: [...Object.keys(servers).map((name) => record(zone, 'NS', name)), ...more],
  additionals: Object.entries(servers).flatMap(([name, address]) => (address === undefined ? [] : [record(name, 'A', address)])),
});
const found: Said = { aa: true, answers: [record('www.a.test', 'A', '192.0.2.1')] };

/** A world of name servers by address: what each says to any question. */
async function trace(world: Record<string, Said>, job: { host?: string; types?: ['A'] } = {}, ports: Partial<ProbePorts> = {}) {
  const asked: string[] = [];
  const whole = { host: 'www.a.test', types: ['A' as const], trace: true, ...job };
  expect(Value.Check(dns.job, whole)).toBe(true);
  const query = async (name: string, type: string, { server = 'resolver' }: { server?: string } = {}): Promise<DnsAnswer> => {
    asked.push(`${server} ${name} ${type}`);
    const { fails, ...said } = world[server] ?? { fails: new ProbeFailure('dns_timeout', server) };
    if (fails) throw fails;
    return {
      rcode: 'NOERROR',
      aa: false,
      ad: false,
      answers: [],
      authorities: [],
      additionals: [],
      server: `${server}:53`,
      rtt_ms: 1,
      tries: 1,
      transport: 'udp',
      cached: false,
      ...said,
    };
  };
  const addresses = async (name: string) => {
    if (name !== 'ns.b.test') throw new ProbeFailure('dns_nxdomain', name);
    return ['192.0.2.8'];
  };
  const ended = await dns.run(whole, loopbackPorts({ resolver: { servers: [], query, addresses }, ...ports })).then(
    (result) => ({ result, code: '' }),
    (error: unknown) => {
      if (!(error instanceof ProbeFailure) || error.partial === undefined) throw error;
      return { result: error.partial as Awaited<ReturnType<typeof dns.run>>, code: error.code };
    },
  );
  expect(Value.Check(dns.result, ended.result)).toBe(true);
  const steps = (ended.result.trace ?? []).map(({ zone, address, status, refers_to }) => [zone, address, status, refers_to]);
  return { ...ended, asked, steps };
}

const ROOT: Said = { answers: [record('.', 'NS', 'a.root')], additionals: [record('a.root', 'A', '192.0.2.2')] };

it('goes from the root down, by glue and without', async () => {
  const { result, code, asked, steps } = await trace({
    resolver: ROOT,
    '192.0.2.2': referral('test', { 'ns.test': '192.0.2.3' }, [record('test', 'DS', {})]),
    '192.0.2.3': referral('a.test', { 'ns.b.test': undefined }),
    '192.0.2.8': found,
  });
  expect(code).toBe('');
  expect(asked).toEqual(['resolver . NS', '192.0.2.2 www.a.test A', '192.0.2.3 www.a.test A', '192.0.2.8 www.a.test A']);
  expect(steps).toEqual([
    ['.', '192.0.2.2', 'NOERROR', 'test'],
    ['test', '192.0.2.3', 'NOERROR', 'a.test'],
    ['a.test', '192.0.2.8', 'NOERROR', ''],
  ]);
  expect(result.trace!.map(({ signed, authoritative }) => [signed, authoritative])).toEqual([
    [true, false],
    [false, false],
    [false, true],
  ]);
  expect(result.answers).toMatchObject([{ dns_type: 'A', rcode: 'NOERROR', records: ['192.0.2.1'], server: '192.0.2.8:53' }]);
});
it('tries the next server of a zone where one is silent, lame or without an address', async () => {
  const { steps, code, result } = await trace({
    resolver: ROOT,
    '192.0.2.2': referral('a.test', { 'ns.none': undefined, 'ns1.a.test': '192.0.2.4', 'ns2.a.test': '192.0.2.5' }),
    '192.0.2.4': { rcode: 'REFUSED' },
    '192.0.2.5': found,
  });
  expect(code).toBe('');
  expect(steps.map(([zone, address, status]) => [zone, address, status])).toEqual([
    ['.', '192.0.2.2', 'NOERROR'],
    ['a.test', '', ''],
    ['a.test', '192.0.2.4', 'REFUSED'],
    ['a.test', '192.0.2.5', 'NOERROR'],
  ]);
  expect(result.trace!.map(({ error }) => error !== '')).toEqual([false, true, true, false]);
});
it('ends where no server of a zone answers, with what it saw', async () => {
  const { steps, code } = await trace({ resolver: ROOT, '192.0.2.2': referral('a.test', { 'ns.a.test': '192.0.2.4' }) });
  expect([code, steps.length]).toEqual(['dns_timeout', 2]);
});
it('ends at a name that does not exist', async () => {
  expect(await trace({ resolver: ROOT, '192.0.2.2': { rcode: 'NXDOMAIN', aa: true } })).toMatchObject({
    code: 'dns_nxdomain',
    result: { answers: [{ rcode: 'NXDOMAIN' }] },
  });
});
it.each([
  ['to itself', '.'],
  ['to a zone of others', 'b.test'],
  ['past the name', 'x.www.a.test'],
])('follows no referral %s', async (_, zone) => {
  const { steps } = await trace({ resolver: ROOT, '192.0.2.2': referral(zone, { 'ns.b.test': '192.0.2.2' }) });
  expect(steps).toEqual([['.', '192.0.2.2', 'NOERROR', '']]);
});
it('stops after sixteen referrals, however long a name is', async () => {
  const host = Array.from({ length: 40 }, () => 'a').join('.');
  const world: Record<string, Said> = { resolver: ROOT };
  for (let i = 0; i < 40; i++) {
    const zone = Array.from({ length: i + 1 }, () => 'a').join('.');
    world[`192.0.2.${2 + i}`] = referral(zone, { 'ns.a': `192.0.2.${3 + i}` });
  }
  const { steps, code } = await trace(world, { host });
  expect([steps.length, code]).toEqual([16, 'dns_servfail']);
});
it('asks no server that may not be contacted: the resolver of the probe judges each', async () => {
  const refused = new ProbeFailure('blocked_private_address', '10.0.0.1');
  const { code } = await trace({
    resolver: ROOT,
    '192.0.2.2': referral('a.test', { 'ns.a.test': '10.0.0.1' }),
    '10.0.0.1': { fails: refused },
  });
  expect(code).toBe('blocked_private_address');
});
it('counts each question as one to that server', async () => {
  const counted: unknown[] = [];
  const limits = { echoes() {}, http: () => () => {}, trace() {}, scan() {}, dns: (...what: unknown[]) => void counted.push(what) };
  await trace({ resolver: ROOT, '192.0.2.2': found }, {}, { limits });
  expect(counted).toEqual([['www.a.test', 1, { address: '192.0.2.2', host: 'a.root' }]]);
});
