import { CORE_ADDRESS, DARK_ADDRESS, type Site, SITES } from './plan.ts';
import type { World } from './world.ts';

/** The router between all sites: the lab's internet. */
export const ROUTER = 'net';

/** The router's interface towards a site. */
export const routerPort = (site: string): string => `v-${site}`;

// Without these the first IPv6 packet waits 2 s for duplicate address detection, and pinging needs a privilege.
const EVERYWHERE = [
  'net.ipv6.conf.all.accept_dad=0',
  'net.ipv6.conf.default.accept_dad=0',
  'net.ipv6.conf.all.accept_ra=0',
  'net.ipv6.conf.default.accept_ra=0',
  'net.ipv4.ping_group_range=0 2147483647',
];
const ON_THE_ROUTER = [
  'net.ipv4.ip_forward=1',
  'net.ipv6.conf.all.forwarding=1',
  'net.ipv4.conf.all.rp_filter=0',
  'net.ipv4.conf.default.rp_filter=0',
  'net.ipv4.icmp_ratelimit=0',
];

/** Builds the namespaces, links, addresses and routes of the plan. */
export async function buildTopology(world: World): Promise<void> {
  await world.run(undefined, ['bash', '-e'], { input: namespaces().join('\n') });
  await world.run(undefined, ['ip', '-batch', '-'], { input: links().join('\n') });
  const batches = [...SITES.map((site) => [site.name, inSite(site)] as const), [ROUTER, inRouter()] as const, ['core', inCore()] as const];
  await Promise.all(batches.map(([name, lines]) => world.run(undefined, ['ip', '-n', name, '-batch', '-'], { input: lines.join('\n') })));
}

const isV6 = (address: string): boolean => address.includes(':');
const host = (address: string): string => `${address}/${isV6(address) ? 128 : 32}`;

function namespaces(): string[] {
  const names = [ROUTER, ...SITES.map(({ name }) => name)];
  const quoted = (settings: readonly string[]) => settings.map((setting) => `'${setting}'`).join(' ');
  return [
    ...names.flatMap((name) => [`ip netns add ${name}`, `ip netns exec ${name} sysctl -qw ${quoted(EVERYWHERE)} &`]),
    'wait',
    `ip netns exec ${ROUTER} sysctl -qw ${quoted(ON_THE_ROUTER)}`,
    ...SITES.flatMap(({ name, resolver4 }) =>
      resolver4 === undefined ? [] : [`mkdir -p /etc/netns/${name}`, `echo nameserver ${resolver4} > /etc/netns/${name}/resolv.conf`],
    ),
  ];
}

function links(): string[] {
  return SITES.flatMap(({ name, mgmt }) => [
    `link add ${routerPort(name)} netns ${ROUTER} type veth peer name eth0 netns ${name}`,
    ...(mgmt === undefined ? [] : [`link add m-${name} netns core type veth peer name mgmt0 netns ${name}`]),
  ]);
}

function inSite(site: Site): string[] {
  const resolvers = [site.resolver4, site.resolver6].filter((address) => address !== undefined);
  return [
    'link set lo up',
    `addr add ${site.v4}/24 dev eth0`,
    `addr add ${site.v6}/64 dev eth0 nodad`,
    ...resolvers.map((address) => `addr add ${host(address)} dev eth0${isV6(address) ? ' nodad' : ''}`),
    ...site.extra.map((address) => `addr add ${host(address)} dev lo`),
    'link set eth0 up',
    `route add default via ${site.gateway4} src ${site.v4}`,
    `route add default via ${site.gateway6} src ${site.v6}`,
    ...(site.mgmt === undefined ? [] : [`addr add ${site.mgmt}/16 dev mgmt0`, 'link set mgmt0 up']),
  ];
}

function inRouter(): string[] {
  return [
    'link set lo up',
    ...SITES.flatMap(({ name, v4, v6, gateway4, gateway6, extra }) => [
      `addr add ${gateway4}/24 dev ${routerPort(name)}`,
      `addr add ${gateway6}/64 dev ${routerPort(name)} nodad`,
      `link set ${routerPort(name)} up`,
      ...extra.map((address) => `route add ${host(address)} via ${isV6(address) ? v6 : v4}`),
    ]),
    `route add blackhole ${DARK_ADDRESS}`,
  ];
}

function inCore(): string[] {
  return [
    'link add br0 type bridge',
    `addr add ${CORE_ADDRESS}/16 dev br0`,
    'link set br0 up',
    ...SITES.filter(({ mgmt }) => mgmt !== undefined).map(({ name }) => `link set m-${name} master br0 up`),
  ];
}
