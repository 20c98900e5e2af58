import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf, DELAYS_MS, type Family, hopsBy, hostIn, PathNetwork, type Traced, type TraceJob } from './paths/network.ts';
import { missingForLab } from './preflight.ts';

/** What other programs say of a path. */
interface Seen {
  addresses: string[];
  percent_loss: number;
  avg_ms: number;
}

const describeLab = missingForLab().length === 0 ? describe : describe.skip;

describeLab('a path through real routers', () => {
  let net: PathNetwork;
  beforeAll(async () => {
    net = await PathNetwork.open();
  });
  afterAll(() => net?.close());

  const addresses = ({ hops }: Traced): string[] => hops.map(({ answers }) => answers.map(({ ip_address }) => ip_address).join(' '));
  const lost = ({ hops }: Traced): number[] => hops.map(({ packets_sent, packets_received }) => packets_sent - packets_received);
  const limited = ({ hops }: Traced): number[] => hops.flatMap(({ hop, answers_limited }) => (answers_limited ? [hop] : []));
  const trace = (host: string, job: Partial<TraceJob> = {}) => net.trace({ host, ...job });

  /** Every address of a hop in one list, since `-n -c` of mtr counts them together. */
  async function mtr(host: string, packets = 3): Promise<Seen[]> {
    const text = await net.world.run('S', ['mtr', '--json', '-n', '-c', String(packets), '-i', '0.2', '-G', '1', host]);
    const { report } = JSON.parse(text) as { report: { hubs: { host: string; 'Loss%': number; Avg: number }[] } };
    return report.hubs.map((hub) => ({ addresses: [hub.host], percent_loss: hub['Loss%'], avg_ms: hub.Avg }));
  }

  async function traceroute(host: string, ...options: string[]): Promise<string[]> {
    const text = await net.world.run('S', ['traceroute', '-I', '-n', '-q', '3', '-N', '30', ...options, host]);
    return text.trim().split('\n').slice(1);
  }
  const firstAddress = (line: string): string => /^ *\d+ +(\S+)/.exec(line)![1]!;

  it.each([4, 6] as const)(
    'has the hops, the losses and the order of times that mtr and traceroute see, over IPv%i',
    async (family: Family) => {
      const host = hostIn('target', family);
      const [ours, theirs, classic] = [await trace(host), await mtr(host), await traceroute(host)];
      expect(ours).toMatchObject({ ip_address: host, reached: true, stopped_by: 'target' });
      // Every router answers from the interface towards S; which of the two branches is taken is the router's choice for all packets of a sender.
      const [, branch] = addresses(ours);
      const expected = hopsBy(branch === addressOf(2, 2, family) ? 'A' : 'B', family);
      // R3's way back is by A, whichever way packets come: its IPv4 errors say so. See the test of asymmetry below.
      if (family === 4) expected[2] = addressOf(4, 2, family);
      expect(addresses(ours)).toEqual(expected);
      expect(lost(ours)).toEqual([0, 0, 0, 0, 0]);
      // They send plain echoes, whose checksums differ: by addresses and protocol alone they take one branch, too, and the same.
      expect(theirs.flatMap((hop) => hop.addresses)).toEqual(expected);
      expect(theirs.map(({ percent_loss }) => percent_loss)).toEqual([0, 0, 0, 0, 0]);
      expect(classic.map(firstAddress)).toEqual(expected);
      // The delays add up: 2, 10, 30 and 36 ms. The target is as far as the last router.
      let least = 0;
      const least_ms = ['R1', 'A', 'R3', 'R4'].map((router) => (least += 2 * DELAYS_MS[router]!));
      for (const seen of [ours.hops.map(({ rtt }) => rtt.min), theirs.map(({ avg_ms }) => avg_ms)])
        expect(seen.map((ms, index) => ms >= (least_ms[index] ?? least))).toEqual([true, true, true, true, true]);
    },
  );

  it('says how far the way back is', async () => {
    const { hops } = await trace(hostIn('target'));
    expect(hops.flatMap(({ answers }) => answers.map(({ ttl }) => ttl))).toEqual([64, 63, 62, 61, 60]);
  });

  it('keeps a flow on one path where routers share traffic by the first bytes behind the IP header, and shows others by other flows', async () => {
    const off = await net.rules(
      'R1',
      'chain pre { type filter hook prerouting priority mangle; iifname "f1" icmp type echo-request meta mark set jhash ip saddr . ip daddr . @th,0,32 mod 2 offset 1; }',
    );
    const routes = (verb: string) => `ip rule ${verb} fwmark 1 lookup 101; ip rule ${verb} fwmark 2 lookup 102`;
    await net.world.run('R1', [
      'bash',
      '-c',
      `ip route add default via 62.1.2.2 table 101; ip route add default via 62.1.3.2 table 102; ${routes('add')}`,
    ]);
    try {
      const one = await trace(hostIn('target'), { rounds: 6 });
      expect(one.hops[1]!.answers).toHaveLength(1);
      // Eight flows miss one of two branches once in 128 identifiers of the socket: then another one is tried.
      let many = await trace(hostIn('target'), { flows: 8 });
      for (let tries = 0; tries < 4 && many.hops[1]!.answers.length < 2; tries++) many = await trace(hostIn('target'), { flows: 8 });
      const branches = many.hops[1]!.answers;
      expect(branches.map(({ ip_address }) => ip_address).toSorted()).toEqual([addressOf(2, 2, 4), addressOf(3, 2, 4)]);
      expect(branches.flatMap(({ flows }) => flows).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]); // none has both
      // mtr's echoes have another checksum each, and take both.
      const report = await net.world.run('S', ['mtr', '-r', '-n', '-c', '12', '-i', '0.1', '-G', '1', hostIn('target')]);
      expect([addressOf(2, 2, 4), addressOf(3, 2, 4)].filter((branch) => report.includes(branch))).toHaveLength(2);
    } finally {
      await off();
      await net.world.run('R1', ['bash', '-c', routes('del')]);
    }
  });

  it.each([4, 6] as const)('ends where routers pass packets in a circle, over IPv%i', async (family: Family) => {
    const ours = await trace(hostIn('loop', family));
    expect(ours).toMatchObject({ reached: false, stopped_by: 'loop' });
    // R3, R4, R3, R4, R3: its third sight. Over IPv6 R3 answers from the interface where a packet came in, so R4 may be the first to be seen thrice.
    const last = addresses(ours).at(-1)!;
    expect(ours.hops.length).toBeLessThanOrEqual(family === 4 ? 7 : 8);
    expect(addresses(ours).filter((address) => address === last)).toHaveLength(3);
  });

  it('ends at the router that knows no way on', async () => {
    const ours = await trace(hostIn('unreachable'));
    expect(ours).toMatchObject({ reached: false, stopped_by: 'unreachable' });
    expect(ours.hops.at(-1)).toMatchObject({ hop: 4, answers: [{ ip_address: addressOf(6, 2, 4), kind: 'icmp', type: 3, code: 1 }] });
  });

  it('lists nothing behind the last hop that answered', async () => {
    const ours = await trace(hostIn('silent'));
    expect(ours).toMatchObject({ reached: false, stopped_by: 'silence' });
    expect(ours.hops).toHaveLength(3);
    // Thirty hops in the first round; then three behind the last that answered.
    expect(ours.packets_sent).toBe(30 + 2 * (3 + 3));
  });

  it.each([4, 6] as const)(
    'shows a router that says nothing as silent, and its loss as none of the path, over IPv%i',
    async (family: Family) => {
      const off = await net.rules(
        'R3',
        'chain out { type filter hook output priority 0; icmp type time-exceeded drop; icmpv6 type time-exceeded drop; }',
      );
      try {
        const [ours, theirs] = [await trace(hostIn('target', family)), await mtr(hostIn('target', family))];
        expect(lost(ours)).toEqual([0, 0, 3, 0, 0]);
        expect(limited(ours)).toEqual([3]);
        // mtr calls it ??? and a loss of 100 %.
        expect(theirs.map(({ percent_loss }) => percent_loss)).toEqual([0, 0, 100, 0, 0]);
      } finally {
        await off();
      }
    },
  );

  it('tells a limit of answers from loss', async () => {
    await net.world.run('R3', ['sysctl', '-qw', 'net.ipv4.icmp_ratemask=6168', 'net.ipv4.icmp_ratelimit=1000']);
    try {
      const ours = await trace(hostIn('target'), { rounds: 12, interval_ms: 50 });
      expect(limited(ours)).toEqual([3]);
      expect(ours.hops[2]!.packets_received).toBeGreaterThanOrEqual(5); // Linux answers six at once, then one a second
      expect(lost(ours).map((count) => count > 0)).toEqual([false, false, true, false, false]);
      // mtr shows the same limit as a loss.
      const theirs = await mtr(hostIn('target'), 12);
      expect(theirs.map(({ percent_loss }) => percent_loss > 0)).toEqual([false, false, true, false, false]);
    } finally {
      await net.world.run('R3', ['sysctl', '-qw', 'net.ipv4.icmp_ratemask=0']);
    }
  });

  it('takes loss on the last link for loss', async () => {
    const off = await net.rules('R4', 'chain on { type filter hook forward priority 0; ip daddr 62.1.7.2 numgen inc mod 3 0 drop; }');
    try {
      const ours = await trace(hostIn('target'), { rounds: 6, interval_ms: 50 });
      expect(ours).toMatchObject({ reached: true, stopped_by: 'target' });
      expect(limited(ours)).toEqual([]);
      const { packets_sent, packets_received } = ours.hops[4]!;
      expect(packets_received).toBeGreaterThan(0);
      expect(packets_received).toBeLessThan(packets_sent);
      expect(lost(ours).slice(0, 4)).toEqual([0, 0, 0, 0]);
    } finally {
      await off();
    }
  });

  it.each([4, 6] as const)('sees the same path by UDP and by TCP, and what the target says to them, over IPv%i', async (family: Family) => {
    const server = await net.world.spawn('D', [
      process.execPath,
      '-e',
      "require('node:net').createServer((socket) => socket.on('error', () => {})).listen(443, '::', () => console.log('ready'))",
    ]);
    try {
      await server.line(/^ready$/);
      const host = hostIn('target', family);
      const udp = await trace(host, { protocol: 'udp', port: 33_434 });
      expect(udp.hops[4]!.answers).toMatchObject([
        { ip_address: host, kind: 'icmp', type: family === 4 ? 3 : 1, code: family === 4 ? 3 : 4 },
      ]);
      const open = await trace(host, { protocol: 'tcp', port: 443 });
      expect(open.hops[4]!.answers).toMatchObject([{ ip_address: host, kind: 'syn_ack' }]);
      const closed = await trace(host, { protocol: 'tcp', port: 8443 });
      expect(closed.hops[4]!.answers).toMatchObject([{ ip_address: host, kind: 'rst' }]);
      for (const seen of [udp, open, closed]) {
        expect(seen).toMatchObject({ reached: true, stopped_by: 'target' });
        expect(lost(seen)).toEqual([0, 0, 0, 0, 0]);
        // A SYN's source port is its own, so each may take another branch.
        expect([0, 3].map((index) => addresses(seen)[index])).toEqual([addressOf(1, 2, family), addressOf(6, 2, family)]);
      }
      // One flow keeps to one branch, and so do the routers' answers about it.
      expect(udp.hops.map(({ answers }) => answers.length)).toEqual([1, 1, 1, 1, 1]);
    } finally {
      server.kill('SIGKILL');
    }
  });

  it('sees both branches by UDP flows, each of which keeps to one', async () => {
    let many = await trace(hostIn('target'), { protocol: 'udp', port: 33_434, flows: 8 });
    for (let tries = 0; tries < 4 && many.hops[1]!.answers.length < 2; tries++)
      many = await trace(hostIn('target'), { protocol: 'udp', port: 33_434, flows: 8 });
    const branches = many.hops[1]!.answers;
    expect(branches.map(({ ip_address }) => ip_address).toSorted()).toEqual([addressOf(2, 2, 4), addressOf(3, 2, 4)]);
    expect(branches.flatMap(({ flows }) => flows).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('sees another address of a router whose way back is another', async () => {
    const third = async () => addresses(await trace(hostIn('target')))[2];
    expect(await third()).toBe(addressOf(4, 2, 4));
    await net.world.run('R3', ['ip', 'route', 'replace', '62.1.1.0/24', 'via', addressOf(5, 1, 4)]);
    try {
      expect(await third()).toBe(addressOf(5, 2, 4));
      expect(firstAddress((await traceroute(hostIn('target')))[2]!)).toBe(addressOf(5, 2, 4));
    } finally {
      await net.world.run('R3', ['ip', 'route', 'replace', '62.1.1.0/24', 'via', addressOf(4, 1, 4)]);
    }
  });

  it('tells a small MTU, which a router announces, from a black hole, over both families', async () => {
    const host = (family: Family) => hostIn('target', family);
    expect(await net.mtu(host(4))).toMatchObject({
      ipv4: { state: 'full', path_mtu: 1_500, interface_mtu: 1_500 },
      ipv6: { ip_address: '' },
    });
    await net.world.run(undefined, ['bash', '-c', 'ip -n R3 link set n6 mtu 1300; ip -n R4 link set f6 mtu 1300']);
    try {
      const four = await net.mtu(host(4));
      expect(four.ipv4).toMatchObject({ state: 'small', path_mtu: 1_300, routers: [{ ip_address: addressOf(4, 2, 4), mtu: 1_300 }] });
      const six = await net.mtu(host(6));
      expect(six.ipv6).toMatchObject({ state: 'small', path_mtu: 1_300, routers: [{ mtu: 1_300 }] });
      const off = await net.rules(
        'R3',
        'chain out { type filter hook output priority 0; icmp type destination-unreachable icmp code frag-needed drop; icmpv6 type packet-too-big drop; }',
      );
      const [dark4, dark6] = [(await net.mtu(host(4))).ipv4, (await net.mtu(host(6))).ipv6];
      await off();
      for (const found of [dark4, dark6]) {
        expect(found).toMatchObject({ state: 'black_hole', interface_mtu: 1_500, routers: [] });
        expect(found.path_mtu).toBeGreaterThan(1_300 - 9);
        expect(found.path_mtu).toBeLessThanOrEqual(1_300);
      }
    } finally {
      await net.world.run(undefined, ['bash', '-c', 'ip -n R3 link set n6 mtu 1500; ip -n R4 link set f6 mtu 1500']);
    }
  });

  it('tells the MPLS labels that traceroute -e tells, and knows a packet by eight octets of it', async () => {
    const off = await net.rules(
      'R4',
      'chain pre { type filter hook prerouting priority -300; iifname "f6" ip daddr 62.1.12.0/24 ip ttl 1 drop; }',
    );
    const router = (quoted: string) =>
      net.world.spawn('R4', ['python3', join(import.meta.dirname, 'paths/mpls-router.py'), 'f6', addressOf(6, 2, 4), '62.1.12.', quoted]);
    try {
      const modern = await router('0');
      await modern.line(/^ready$/);
      const ours = await trace(hostIn('mpls'));
      expect(ours.hops.map(({ answers }) => answers[0]!.labels)).toEqual([
        [],
        [],
        [],
        [
          { label: 16_000, traffic_class: 3, bottom: false, ttl: 1 },
          { label: 24_017, traffic_class: 0, bottom: true, ttl: 1 },
        ],
        [],
      ]);
      const theirs = await traceroute(hostIn('mpls'), '-e');
      expect(theirs[3]).toContain('<MPLS:L=16000,E=3,S=0,T=1/L=24017,E=0,S=1,T=1>');
      modern.kill('SIGKILL');
      await modern.ended;
      const old = await router('8');
      await old.line(/^ready$/);
      const short = await trace(hostIn('mpls'));
      expect(lost(short)).toEqual([0, 0, 0, 0, 0]);
      expect(short.hops[3]!.answers[0]!.labels).toEqual([]);
      old.kill('SIGKILL');
    } finally {
      await off();
    }
  });
});
