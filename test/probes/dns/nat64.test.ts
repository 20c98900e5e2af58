import { type Cidr, formatCidr, ProbeFailure } from '@vedette/contract';
import { expect, it } from 'vitest';
import { followNat64 } from '../../../packages/probes/src/dns/engine/nat64.ts';
import { fakeResolver } from '../../intel/fake-resolver.ts';

const clock = { now: () => 0, sleep: () => new Promise<void>(() => {}) };
const shown = (prefixes: readonly Cidr[]) => prefixes.map(formatCidr);

// 192.0.0.170 and .171 behind prefixes of every length (RFC 6052 §2.2, RFC 7050 §3).
it.each([
  ['/96', ['2001:db8:64::c000:aa', '2001:db8:64::c000:ab'], ['2001:db8:64::/96', '2001:db8:64::/96']],
  ['/96, well known', ['64:ff9b::c000:aa'], ['64:ff9b::/96']],
  ['/64', ['2001:db8:122:344:c0:0:aa00:0'], ['2001:db8:122:344::/64']],
  ['/56', ['2001:db8:122:3c0:0:aa::'], ['2001:db8:122:300::/56']],
  ['/48', ['2001:db8:122:c000:0:aa00::'], ['2001:db8:122::/48']],
  ['/40', ['2001:db8:1c0:0:aa::'], ['2001:db8:100::/40']],
  ['/32', ['2001:db8:c000:aa::'], ['2001:db8::/32']],
  ['none: an address of somebody', ['2001:db8::1'], []],
  ['none: no address', [], []],
])('finds a prefix of %s', async (_, addresses, expected) => {
  const nat64 = followNat64(fakeResolver({ 'ipv4only.arpa': { AAAA: addresses } }), clock);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(shown(nat64.prefixes())).toEqual(expected);
  nat64.stop();
});

it('asks again, and keeps what it knows while nobody answers', async () => {
  const answers = fakeResolver({ 'ipv4only.arpa': { AAAA: ['2001:db8:64::c000:aa'] } });
  let asked = 0;
  let again = () => {};
  const paced = { ...clock, sleep: () => new Promise<void>((resolve) => (again = resolve)) };
  const resolver = {
    query: (...question: Parameters<typeof answers.query>) =>
      ++asked === 2 ? Promise.reject(new ProbeFailure('dns_timeout')) : answers.query(...question),
  };
  const nat64 = followNat64(resolver, paced);
  await expect.poll(() => shown(nat64.prefixes())).toEqual(['2001:db8:64::/96']);
  again();
  await expect.poll(() => asked).toBe(2);
  expect(shown(nat64.prefixes())).toEqual(['2001:db8:64::/96']);
  nat64.stop();
});
