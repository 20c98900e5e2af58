import { join } from 'node:path';
import type { mtu } from '@vedette/probes/mtu';
import type { trace } from '@vedette/probes/trace';
import type { Static } from 'typebox';
import { compileDelays, NEIGHBOUR_DISCOVERY, queueRules } from '../latency.ts';
import { World, WORLD_DIR } from '../world.ts';

/** Routers in a row, with two ways in the middle: S — R1 — (A | B) — R3 — R4 — D. A link's near end is .1, its far end .2. */
const LINKS = [
  ['S', 'R1'],
  ['R1', 'A'],
  ['R1', 'B'],
  ['A', 'R3'],
  ['B', 'R3'],
  ['R3', 'R4'],
  ['R4', 'D'],
] as const;
const NODES = ['S', 'R1', 'A', 'B', 'R3', 'R4', 'D'];

export type Family = 4 | 6;
/** The address of a link's near or far end; links count from 1. Networks behind the links are made for what happens to their packets. */
export const addressOf = (link: number, end: 1 | 2, family: Family): string =>
  family === 4 ? `62.1.${link}.${end}` : `2a00:1:${link}::${end}`;

/** What becomes of packets, by the network that they are for; the host is .2. */
export const NETWORKS = { target: 7, loop: 9, unreachable: 10, silent: 11, mpls: 12 } as const;
export const hostIn = (network: keyof typeof NETWORKS, family: Family = 4): string => addressOf(NETWORKS[network], 2, family);

/** The hops to the target by A. */
export const hopsBy = (branch: 'A' | 'B', family: Family): string[] => [
  addressOf(1, 2, family),
  addressOf(branch === 'A' ? 2 : 3, 2, family),
  addressOf(branch === 'A' ? 4 : 5, 2, family),
  addressOf(6, 2, family),
  addressOf(7, 2, family),
];

/** How long a router delays what goes to and fro, ms: round trips grow by twice that from hop to hop. */
export const DELAYS_MS: Readonly<Record<string, number>> = { R1: 1, A: 4, B: 4, R3: 10, R4: 3 };

const EVERYWHERE = [
  'net.ipv4.ip_forward=1',
  'net.ipv6.conf.all.forwarding=1',
  'net.ipv4.conf.all.rp_filter=0',
  'net.ipv4.conf.default.rp_filter=0',
  'net.ipv4.ping_group_range=0 2147483647',
  // Each packet is answered: a rate limit is what a test asks for.
  'net.ipv4.icmp_ratemask=0',
  'net.ipv6.icmp.ratemask=',
];
/** Paths by addresses, ports and protocol: the other policy takes the sender's own hash, which is another for each packet here. */
const ON_R1 = [
  'net.ipv4.fib_multipath_hash_policy=3',
  'net.ipv4.fib_multipath_hash_fields=55',
  'net.ipv6.fib_multipath_hash_policy=3',
  'net.ipv6.fib_multipath_hash_fields=55',
];

const sysctl = (settings: readonly string[]): string => settings.map((setting) => `'${setting}'`).join(' ');

const SET_UP = [
  'set -e',
  ...NODES.flatMap((node) => [
    `ip netns add ${node}; ip netns exec ${node} sysctl -qw net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0`,
    `ip -n ${node} link set lo up`,
  ]),
  ...LINKS.flatMap(([near, far], index) => {
    const link = index + 1;
    return [
      `ip link add n${link} netns ${near} type veth peer name f${link} netns ${far}`,
      `ip -n ${near} addr add 62.1.${link}.1/24 dev n${link}; ip -n ${near} addr add 2a00:1:${link}::1/64 dev n${link} nodad`,
      `ip -n ${far} addr add 62.1.${link}.2/24 dev f${link}; ip -n ${far} addr add 2a00:1:${link}::2/64 dev f${link} nodad`,
      `ip -n ${near} link set n${link} up; ip -n ${far} link set f${link} up`,
    ];
  }),
  ...NODES.map((node) => `ip netns exec ${node} sysctl -qw ${sysctl(EVERYWHERE)}`),
  `ip netns exec R1 sysctl -qw ${sysctl(ON_R1)}`,
  // Onwards, and back.
  'for v in -4 -6; do n() { [ $v = -4 ] && echo 62.1.$1.$2 || echo 2a00:1:$1::$2; }; net() { [ $v = -4 ] && echo 62.1.$1.0/24 || echo 2a00:1:$1::/64; }',
  'ip $v -n S route add default via $(n 1 2)',
  'ip $v -n R1 route add default nexthop via $(n 2 2) nexthop via $(n 3 2)',
  'ip $v -n A route add default via $(n 4 2); ip $v -n A route add $(net 1) via $(n 2 1); ip $v -n A route add $(net 3) via $(n 2 1)',
  'ip $v -n B route add default via $(n 5 2); ip $v -n B route add $(net 1) via $(n 3 1); ip $v -n B route add $(net 2) via $(n 3 1)',
  'ip $v -n R3 route add default via $(n 6 2); ip $v -n R3 route add $(net 1) via $(n 4 1)',
  'ip $v -n R4 route add default via $(n 6 1); ip $v -n D route add default via $(n 7 1)',
  // Networks behind R4: one that it sends back, one that it knows not to be, one whose packets vanish, one for its labels.
  `ip $v -n R4 route add $(net ${NETWORKS.loop}) via $(n 6 1); ip $v -n R4 route add unreachable $(net ${NETWORKS.unreachable})`,
  `ip $v -n R4 route add blackhole $(net ${NETWORKS.silent}); ip $v -n R4 route add $(net ${NETWORKS.mpls}) via $(n 7 2)`,
  `ip $v -n D addr add $(n ${NETWORKS.mpls} 2) dev lo`,
  'done',
].join('\n');

export type TraceJob = Static<typeof trace.job>;
const USUAL_JOB: Omit<TraceJob, 'host'> = {
  family: 0,
  protocol: 'icmp',
  port: 0,
  rounds: 3,
  max_hops: 30,
  flows: 1,
  interval_ms: 200,
  wait_ms: 400,
};
interface Failed {
  failure?: { reason: string; error: string };
}
export type Traced = Static<typeof trace.result> & Failed;
export type MtuFound = Static<typeof mtu.result> & Failed;

/** The routers between S and D, and what is run at S. */
export class PathNetwork {
  readonly world: World;

  private constructor(world: World) {
    this.world = world;
  }

  static async open(): Promise<PathNetwork> {
    const world = await World.open();
    try {
      await world.run(undefined, ['bash', '-c', SET_UP]);
      const network = new PathNetwork(world);
      await network.#delay();
      await network.#findNeighbours();
      return network;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  /** The result of the probe `trace` at S. */
  trace(job: Partial<TraceJob> & { host: string }): Promise<Traced> {
    return this.#measure('trace', { ...USUAL_JOB, ...job });
  }

  /** The result of the probe `mtu` at S. */
  mtu(host: string): Promise<MtuFound> {
    return this.#measure('mtu', { host });
  }

  /** Runs a probe as a user without any privilege. */
  async #measure<R>(kind: string, job: object): Promise<R> {
    const plain = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--inh-caps=-all', '--bounding-set=-all'];
    const command = [process.execPath, join(import.meta.dirname, 'measure-here.ts'), kind, JSON.stringify(job)];
    return JSON.parse(await this.world.run('S', [...plain, ...command])) as R;
  }

  /** Puts a table of rules into a router's netfilter; what it returns takes it away. */
  async rules(router: string, text: string): Promise<() => Promise<void>> {
    await this.world.run(router, ['nft', '-f', '-'], { input: `table inet test {\n${text}\n}\n` });
    return async () => void (await this.world.run(router, ['nft', 'delete table inet test']));
  }

  close(): Promise<void> {
    return this.world.close();
  }

  /** Before anything is measured. */
  async #findNeighbours(): Promise<void> {
    const ends = LINKS.flatMap((_, index) => ([4, 6] as const).map((family) => addressOf(index + 1, 2, family)));
    await this.world.run('S', ['bash', '-c', `for end in ${ends.join(' ')}; do ping -q -c 3 -i 0.2 -W 1 $end & done; wait`]);
  }

  async #delay(): Promise<void> {
    const program = await compileDelays();
    await Promise.all(
      Object.entries(DELAYS_MS).map(async ([router, delay_ms]) => {
        const config = `${WORLD_DIR}/delay-${router}`;
        this.world.write(config, `1 ${delay_ms} 0 0\n`);
        const daemon = await this.world.spawn(router, [program, config]);
        await daemon.line(/^loaded$/);
        // Only on the links towards S: before the TTL is looked at on the way there, and behind all that goes back.
        const towards = { R1: ['f1'], A: ['f2'], B: ['f3'], R3: ['f4', 'f5'], R4: ['f6'] }[router]!;
        const rules = towards.flatMap((link) => [
          `-A PREROUTING -i ${link} -j NFQUEUE --queue-num 1 --queue-bypass`,
          `-A POSTROUTING -o ${link} -j NFQUEUE --queue-num 1 --queue-bypass`,
        ]);
        await this.world.run(router, ['iptables-restore', '-n'], { input: queueRules('', rules) });
        await this.world.run(router, ['ip6tables-restore', '-n'], { input: queueRules(NEIGHBOUR_DISCOVERY, rules) });
      }),
    );
  }
}
