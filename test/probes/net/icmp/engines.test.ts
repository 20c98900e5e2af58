import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EchoShape } from '@vedette/contract';
import { type IcmpNetwork, openIcmpNetwork } from './network.ts';

let net: IcmpNetwork;
beforeAll(async () => {
  net = await openIcmpNetwork();
});
afterAll(() => net.close());

const mapValues = <V, R>(record: Record<string, V>, map: (value: V) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
const times = (text: string, count: number): string[] => Array<string>(count).fill(text);

const ENGINES = [
  { title: 'kernel engine, datagram sockets', engine: 'kernel', datagram: true, hopLimit: 63 },
  { title: 'kernel engine, raw sockets', engine: 'kernel', datagram: false, hopLimit: 63 },
  { title: 'net-ping engine', engine: 'net-ping', datagram: false, hopLimit: 0 },
] as const;

const REFUSALS = {
  '198.18.90.1': 'Destination Host Unreachable',
  '2001:db8:90::1': 'Destination unreachable: No route',
  '198.18.91.1': 'Destination Net Unreachable',
  '2001:db8:91::1': 'Destination unreachable: Administratively prohibited',
  '198.18.1.5': 'Packet filtered',
  '2001:db8:1::5': 'Destination unreachable: Administratively prohibited',
  '198.18.1.4': 'Time to live exceeded',
  '2001:db8:1::4': 'Time exceeded: Hop limit',
};
/** What this machine says itself, be it by an ICMP message. */
const UNSENT = {
  '203.0.113.1': 'not sent: ENETUNREACH',
  '2001:dead::1': 'not sent: ENETUNREACH',
  '198.18.92.1': 'not sent: EACCES',
  '198.18.93.1': 'not sent: EPERM',
  '198.18.94.1': 'not sent: EPERM',
  '2001:db8:94::1': 'not sent: EPERM',
};
/** The kernel lets such a send pass on ICMPv6 datagram sockets, and reports it as a router would, in its own name. */
const UNSENT_BY_REPORT = { ...UNSENT, '2001:db8:94::1': 'not sent: EACCES' };

describe.each(ENGINES)('$title', ({ engine, datagram, hopLimit }) => {
  beforeAll(() => net.allowDatagramSockets(datagram));

  it('tells size and hops of every reply through a router', async () => {
    const { results } = await net.ping(engine, ['198.18.1.2', '2001:db8:1::2', '127.0.0.1', '::1']);
    expect(mapValues(results, ({ echoes }) => echoes)).toEqual({
      '198.18.1.2': times('63/64', 4),
      '2001:db8:1::2': times(`${hopLimit}/64`, 4),
      '127.0.0.1': times('64/64', 4),
      '::1': times(hopLimit === 0 ? '0/64' : '64/64', 4),
    });
  });

  it('loses exactly what the network drops', async () => {
    const { results } = await net.ping(engine, ['198.18.1.3', '2001:db8:1::3'], { count: 12 });
    for (const [address, hops] of [
      ['198.18.1.3', 63],
      ['2001:db8:1::3', hopLimit],
    ] as const) {
      const { echoes } = results[address]!;
      expect(echoes.toSorted()).toEqual([...times(`${hops}/64`, 9), ...times('lost', 3)]);
      // Every fourth: the losses are four apart, whichever was first.
      expect(echoes.map((echo, index) => (echo === 'lost' ? index % 4 : -1)).filter((place) => place >= 0)).toEqual(
        times('', 3).map(() => echoes.indexOf('lost')),
      );
    }
  });

  it('tells why an address cannot be reached', async () => {
    const { results } = await net.ping(engine, Object.keys(REFUSALS), { count: 2 });
    expect(results).toEqual(mapValues(REFUSALS, (text) => ({ echoes: times(text, 2), rtts_ms: [] })));
  });

  it('tells what this machine did not send from what the network refused', async () => {
    const { results } = await net.ping(engine, Object.keys(UNSENT), { count: 2 });
    const expected = datagram ? UNSENT_BY_REPORT : UNSENT;
    expect(results).toEqual(mapValues(expected, (text) => ({ echoes: times(text, 2), rtts_ms: [] })));
  });

  it('waits for the reply whatever a router says about an echo that it passed on: a redirect, a source quench', async () => {
    const { results } = await net.ping(engine, ['198.18.1.17', '198.18.1.18', '198.18.1.19'], { count: 3 });
    expect(mapValues(results, ({ echoes }) => echoes)).toEqual({
      '198.18.1.17': times('63/64', 3),
      '198.18.1.18': times('63/64', 3),
      '198.18.1.19': times('Time to live exceeded', 3),
    });
  });

  it('is not disturbed by what becomes of other echoes', async () => {
    const refused = ['198.18.90.1', '198.18.91.1', '198.18.92.1', '198.18.1.4', '203.0.113.1'];
    const { results } = await net.ping(engine, [...refused, '198.18.1.2'], { count: 8, interval_ms: 5 });
    expect(results['198.18.1.2']!.echoes).toEqual(times('63/64', 8));
  });

  it('believes only whole replies from the target with its own cookie, each once', async () => {
    const manners = ['198.18.1.11', '198.18.1.13', '198.18.1.14', '198.18.1.15', '198.18.1.16'];
    const { results } = await net.ping(engine, manners, { count: 3, wait_ms: 200 });
    expect(manners.map((address) => [address, results[address]!.echoes])).toEqual([
      ['198.18.1.11', times('63/64', 3)], // three replies to each
      ['198.18.1.13', times('lost', 3)],
      ['198.18.1.14', times('lost', 3)],
      ['198.18.1.15', times('lost', 3)],
      ['198.18.1.16', times('63/64', 3)],
    ]);
    for (const rtt_ms of results['198.18.1.16']!.rtts_ms) expect(rtt_ms).toBeGreaterThanOrEqual(20);
  });

  it('takes a reply after its wait for a loss', async () => {
    const { results } = await net.ping(engine, ['198.18.1.12'], { count: 2, wait_ms: 100, linger_ms: 400 });
    expect(results).toEqual({ '198.18.1.12': { echoes: times('lost', 2), rtts_ms: [] } });
  });
});

describe.each(ENGINES.slice(0, 2))('$title', ({ datagram }) => {
  beforeAll(() => net.allowDatagramSockets(datagram));

  it('sends echoes of the shape that is asked for, and others as always beside them', async () => {
    const far = ['198.18.1.2', '2001:db8:1::2'];
    const seen = async (shape: EchoShape, count = 2) => {
      const { results } = await net.ping('kernel', far, { count, shape });
      return far.map((address) => results[address]!.echoes);
    };
    expect(await seen({ payload_bytes: 8 })).toEqual(far.map(() => times('63/16', 2)));
    expect(await seen({ payload_bytes: 1000 })).toEqual(far.map(() => times('63/1008', 2)));
    expect(await seen({ ttl: 1 })).toEqual([times('Time to live exceeded', 2), times('Time exceeded: Hop limit', 2)]);
    expect(await seen({ ttl: 2 })).toEqual(far.map(() => times('63/64', 2)));
    // The link behind the router takes 1400 bytes; the one to it 1500, and IPv6 has the longer header. This machine remembers what the router said.
    expect(await seen({ payload_bytes: 1472, dont_fragment: true }, 1)).toEqual([
      [expect.stringMatching(/^(Frag needed and DF set|Message too long)$/)],
      ['Message too long'],
    ]);
    expect(await seen({ payload_bytes: 1300, dont_fragment: true }, 1)).toEqual(far.map(() => ['63/1308']));
  });

  it("takes no flood of others' errors for its own, nor for this machine's refusal", async () => {
    const refused = Array.from({ length: 100 }, (_, index) => `198.18.90.${index + 1}`);
    const ours = ['198.18.1.17', '198.18.1.18', '198.18.1.19', '203.0.113.1', '198.18.92.1', '198.18.94.1'];
    const { results } = await net.ping('kernel', [...refused, ...ours], { count: 40, interval_ms: 5 });
    expect(ours.map((address) => [address, [...new Set(results[address]!.echoes)]])).toEqual([
      ['198.18.1.17', ['63/64']],
      ['198.18.1.18', ['63/64']],
      ['198.18.1.19', ['Time to live exceeded']],
      ['203.0.113.1', ['not sent: ENETUNREACH']],
      ['198.18.92.1', ['not sent: EACCES']],
      ['198.18.94.1', ['not sent: EPERM']],
    ]);
    const outcomes = refused.flatMap((address) => results[address]!.echoes);
    expect(outcomes).toHaveLength(4000);
    // A router may say fewer errors than it could.
    expect(new Set(outcomes.filter((outcome) => outcome !== 'lost'))).toEqual(new Set(['Destination Host Unreachable']));
  });

  it('counts what is no answer', async () => {
    const strays = ['198.18.1.11', '198.18.1.12', '198.18.1.13', '198.18.1.14', '198.18.1.15'];
    const { counters } = await net.ping('kernel', strays, { count: 2, wait_ms: 100, linger_ms: 400 });
    // Two copies too many of each; late; a wrong cookie and another source. What is damaged is nothing at all.
    expect(counters).toEqual({ duplicate: 4, late: 2, foreign: 4 });
  });
});

describe('the engine chosen', () => {
  it.each([
    { user: 'nobody', datagram: true, engine: { name: 'kernel', v4: true, v6: true }, notes: [] },
    {
      user: 'nobody',
      datagram: false,
      engine: null,
      notes: ['ICMP engine kernel does not work here', 'ICMP engine net-ping does not work here'],
    },
    { user: 'root', datagram: false, engine: { name: 'kernel', v4: true, v6: true }, notes: [] },
  ] as const)('by $user with ping_group_range open: $datagram', async ({ user, datagram, engine, notes }) => {
    await net.allowDatagramSockets(datagram);
    expect(await net.chosen(user)).toEqual({ engine, notes });
  });

  it('is the kernel one where the machine answers no echoes', async () => {
    await net.world.run('near', ['sysctl', '-qw', 'net.ipv4.icmp_echo_ignore_all=1']);
    try {
      expect(await net.chosen('root')).toEqual({
        engine: { name: 'kernel', v4: true, v6: true },
        notes: ['ICMP engine kernel does not hear the loopback', 'ICMP engine net-ping does not hear the loopback'],
      });
    } finally {
      await net.world.run('near', ['sysctl', '-qw', 'net.ipv4.icmp_echo_ignore_all=0']);
    }
  });
});
