import { createAddressPolicy } from '@vedette/probes/host';
import { type Dialler, parseHost, ProbeFailure, type Resolver } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { familiesOf } from '@vedette/probes/http';
import { type Family, judgeHost, type JudgeHostOptions } from '../../packages/probes/src/host/judge-host.ts';
import { fakeResolver, type FakeZone } from '../intel/fake-resolver.ts';

const unused = () => {
  throw new Error('judging opens no connection');
};
// Documentation addresses stand for public ones.
const policy = createAddressPolicy({ allowNets: ['192.0.2.0/24', '2001:db8::/32'] });
const dialler: Dialler = { policy, tcp: unused, operatorTcp: unused };

async function judge(zone: FakeZone, host: string, options: Partial<JudgeHostOptions> = {}) {
  const resolver = fakeResolver(zone);
  const parsed = parseHost(host)!;
  const all = { families: familiesOf(parsed), signal: new AbortController().signal, ...options };
  const verdict = await judgeHost(parsed, { resolver, dialler }, all).catch((error: unknown) => (error as ProbeFailure).code);
  return { verdict, queries: resolver.queries };
}
const allowed = (address: string) => ({ allowed: true, class: 'reserved', address });

describe('judgeHost', () => {
  it('takes the first IPv4 address, and does not ask for IPv6 then', async () => {
    expect(await judge({ 'a.test': { A: ['192.0.2.1', '192.0.2.2'], AAAA: ['::1'] } }, 'a.test')).toEqual({
      verdict: allowed('192.0.2.1'),
      queries: ['a.test A'],
    });
  });

  it('asks for IPv6 where there is no IPv4', async () => {
    expect(await judge({ 'a.test': { AAAA: ['2001:db8::1'] } }, 'a.test')).toEqual({
      verdict: allowed('2001:db8::1'),
      queries: ['a.test A', 'a.test AAAA'],
    });
  });

  it('says the address that is not allowed, wherever it stands', async () => {
    expect(await judge({ 'a.test': { A: ['192.0.2.1', '10.0.0.1', '192.0.2.2'] } }, 'a.test')).toEqual({
      verdict: { allowed: false, class: 'private', address: '10.0.0.1' },
      queries: ['a.test A'],
    });
  });

  it('does not take a failure for an absence', async () => {
    expect(await judge({ 'a.test': { A: 'SERVFAIL', AAAA: ['2001:db8::1'] } }, 'a.test')).toEqual({
      verdict: 'dns_servfail',
      queries: ['a.test A'],
    });
  });

  it('finds no address in the families asked for', async () => {
    const families: Family[] = [6];
    expect(await judge({ 'a.test': { A: ['192.0.2.1'] } }, 'a.test', { families })).toEqual({
      verdict: 'dns_no_address',
      queries: ['a.test AAAA'],
    });
  });

  it('asks nobody about a literal address', async () => {
    expect(await judge({}, '192.0.2.1')).toEqual({ verdict: allowed('192.0.2.1'), queries: [] });
    expect(await judge({}, '::1')).toEqual({ verdict: { allowed: false, class: 'loopback', address: '::1' }, queries: [] });
  });

  it('judges the port too', async () => {
    expect(await judge({}, '192.0.2.1', { port: 25 })).toEqual({ verdict: { ...allowed('192.0.2.1'), allowed: false }, queries: [] });
  });

  it('lets an alias be refused', async () => {
    const resolver: Resolver = {
      ...fakeResolver({}),
      async addresses(_host, _family, options) {
        options?.onAlias?.('b.gov');
        return ['192.0.2.1'];
      },
    };
    const onAlias = (name: string) => {
      throw new ProbeFailure('blocked_policy', name);
    };
    const { signal } = new AbortController();
    await expect(judgeHost(parseHost('a.test')!, { resolver, dialler }, { families: [4], signal, onAlias })).rejects.toMatchObject({
      code: 'blocked_policy',
      seen: 'b.gov',
    });
  });
});
