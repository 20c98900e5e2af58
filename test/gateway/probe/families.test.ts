import { type Clock, type IcmpEngine, ProbeFailure } from '@vedette/contract';
import { createAddressPolicy } from '@vedette/probes/host';
import { dns } from '@vedette/probes/dns';
import { ping } from '@vedette/probes/ping';
import { createTargetLimits } from '@vedette/probes/target-limits';
import { trace } from '@vedette/probes/trace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeResolver } from '../../intel/fake-resolver.ts';
import { type Blackbox, hasBlackbox, startBlackbox } from '../../probes/blackbox.ts';
import { loopbackPorts } from '../../probes/http/loopback-ports.ts';
import { fakeIcmp } from '../../probes/ping/fake-icmp.ts';
import { virtualClock } from '../../probes/ping/virtual-clock.ts';
import { fakePaths } from '../../probes/trace/fake-paths.ts';
import { openProbe } from './scraping.ts';

const V4 = '127.0.0.1';
const V6 = '::1';
const HOSTS = { 'both.test': [V4, V6], 'four.test': [V4], 'six.test': [V6] };
const policy = createAddressPolicy({ allowNets: ['127.0.0.0/8', '::1/128'] });
const unused = () => Promise.reject(new ProbeFailure('connect_refused'));
const FAMILIES = [
  { preferred_ip_protocol: 'ip4' },
  { preferred_ip_protocol: 'ip6' },
  { preferred_ip_protocol: 'ip4', ip_protocol_fallback: false },
  { preferred_ip_protocol: 'ip6', ip_protocol_fallback: false },
  { ip_protocol_fallback: false },
];
const SECTIONS = { icmp: {}, dns: { query_name: 'a.test' }, trace: {} };
type Prober = keyof typeof SECTIONS;
const MODULES = Object.fromEntries(
  Object.entries(SECTIONS).flatMap(([prober, section]) =>
    FAMILIES.map((families, index) => [`${prober}${index}`, { prober, [prober]: { ...section, ...families } }]),
  ),
);
const PROBES = { icmp: ping, dns, trace };
const CASES = FAMILIES.flatMap((families, index) => Object.keys(HOSTS).map((host) => [JSON.stringify(families), host, index] as const));

/** The job of a scrape. */
async function jobOf(prober: Prober, index: number, target: string): Promise<any> {
  await using probe = await openProbe({}, { file: JSON.stringify({ modules: MODULES }) });
  await probe.scrape(`target=${target}&module=${prober}${index}&location=eu-fra`);
  return probe.asked[0]?.spec;
}

/** The ports of an agent that reaches nothing; the addresses of hosts are known. */
const portsWith = (clock: Clock, icmp: IcmpEngine) =>
  loopbackPorts({
    clock,
    icmp,
    resolver: fakeResolver({ 'both.test': { A: [V4], AAAA: [V6] }, 'four.test': { A: [V4] }, 'six.test': { AAAA: [V6] } }),
    limits: createTargetLimits({ clock, enabled: false, spares: [] }),
    dialler: { policy, tcp: unused, operatorTcp: unused },
  });

/** The address that the agents' probe takes for it; empty where there is none. */
async function addressOf(prober: Prober, job: any): Promise<string> {
  const clock = virtualClock();
  const ports = portsWith(clock, prober === 'trace' ? fakePaths(clock, () => undefined) : fakeIcmp(clock, {}));
  const probe: { run(job: any, own: typeof ports): Promise<any> } = PROBES[prober];
  const overTcp = prober === 'dns' ? { ...job, server: { ...job.server, transport: 'tcp' } } : job;
  const { partial } = await probe.run(overTcp, ports).catch((error: unknown) => error as { partial: any });
  return partial.ip_address ?? partial.direct.server.replace(/:\d+$/, '').replace(/[[\]]/g, '');
}
const protocolOf = (address: string): number => (address === '' ? 0 : address.includes(':') ? 6 : 4);

let blackbox: Blackbox | undefined;
beforeAll(async () => {
  const theirs = Object.entries(MODULES).filter(([name]) => !name.startsWith('trace'));
  if (hasBlackbox) blackbox = await startBlackbox(Object.fromEntries(theirs), HOSTS);
});
afterAll(() => blackbox?.[Symbol.asyncDispose]());

describe.skipIf(!hasBlackbox)('modules choose the family that blackbox_exporter does', () => {
  it.each(CASES)('%s for %s', async (_families, host, index) => {
    for (const prober of ['icmp', 'dns'] as const) {
      const theirs = await blackbox!.probe(`${prober}${index}`, host);
      const ours = protocolOf(await addressOf(prober, await jobOf(prober, index, host)));
      expect([prober, ours]).toEqual([prober, theirs.get('probe_ip_protocol')]);
    }
  });
});

it.each(CASES)('a trace module with %s takes the address of %s that an icmp module takes', async (_families, host, index) => {
  const traced = await addressOf('trace', await jobOf('trace', index, host));
  expect(traced).toBe(await addressOf('icmp', await jobOf('icmp', index, host)));
});

it('an engine without IPv6 falls back to IPv4, and one without IPv4 to IPv6', async () => {
  const job = await jobOf('icmp', 1, 'both.test');
  const clock = virtualClock();
  for (const [families, address] of [
    [{ v6: false }, V4],
    [{ v4: false }, V6],
  ] as const) {
    const icmp = fakeIcmp(clock, { [address]: [1, 1, 1, 1] }, families);
    expect(await ping.run(job, portsWith(clock, icmp))).toMatchObject({ ip_address: address, packets_received: 4 });
  }
});

it.each(['icmp', 'dns', 'trace'] as const)('agents before 1.4 are asked for %s where an order makes no difference', async (prober) => {
  const since = async (index: number, target: string): Promise<string | undefined> =>
    PROBES[prober].since?.((await jobOf(prober, index, target)) as never);
  const plain = await since(0, 'both.test');
  expect([await since(1, 'both.test'), await since(1, '192.0.2.1'), await since(1, '2001:db8::1')]).toEqual(['1.4', plain, plain]);
  expect(plain).toBeUndefined();
});
