import { join } from 'node:path';
import type { EchoShape } from '@vedette/contract';
import { World } from '../../../lab/world.ts';
import type { Pinged } from './pinged.ts';

const here = import.meta.dirname;

export interface IcmpNetwork {
  readonly world: World;
  /** Runs an engine at the near end. */
  ping(
    engine: 'kernel' | 'net-ping',
    addresses: string[],
    options?: { count?: number; interval_ms?: number; wait_ms?: number; linger_ms?: number; shape?: EchoShape },
  ): Promise<{ results: Record<string, Pinged>; counters: { duplicate: number; late: number; foreign: number } }>;
  /** Which engine is chosen at the near end, by a user without any capability or by root, and why not another. */
  chosen(user: 'root' | 'nobody'): Promise<{ engine: { name: string; v4: boolean; v6: boolean } | null; notes: string[] }>;
  /** Whether the kernel engine gets datagram sockets, or has to take raw ones. */
  allowDatagramSockets(allow: boolean): Promise<void>;
  close(): Promise<void>;
}

/** The addresses of the far end and what they are good for. The responder's manners are in responder.py. */
const MANNERS = {
  '198.18.1.11': 'duplicate',
  '198.18.1.12': 'after300',
  '198.18.1.13': 'forged',
  '198.18.1.14': 'elsewhere',
  '198.18.1.15': 'damaged',
  '198.18.1.16': 'after20',
  '198.18.1.17': 'redirected',
  '198.18.1.18': 'quenched',
  '198.18.1.19': 'expired',
};

const SET_UP = `
set -e
for name in near router far manners; do 
  ip netns add $name; ip -n $name link set lo up
  ip netns exec $name sysctl -qw net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0
done
for link in 'near 0' 'far 1' 'manners 2'; do
  set -- $link
  ip link add e0 netns $1 type veth peer name e$2 netns router
  ip -n router addr add 198.18.$2.1/24 dev e$2; ip -n router addr add 2001:db8:$2::1/64 dev e$2 nodad
  ip -n router link set e$2 up; ip -n $1 link set e0 up
done
ip -n router link set e1 mtu 1400; ip -n far link set e0 mtu 1400
for host in near far; do
  n=0; [ $host = near ] || n=1
  for i in 2 3 4 5; do ip -n $host addr add 198.18.$n.$i/24 dev e0; ip -n $host addr add 2001:db8:$n::$i/64 dev e0 nodad; done
  ip -n $host route add 198.18.0.0/15 via 198.18.$n.1; ip -n $host route add 2001:db8::/32 via 2001:db8:$n::1
done
for i in ${Object.keys(MANNERS).join(' ')}; do ip -n manners addr add $i/32 dev e0; ip -n router route add $i dev e2; done
ip -n manners addr add 198.18.2.2/24 dev e0; ip -n manners route add default via 198.18.2.1
ip netns exec manners sysctl -qw net.ipv4.icmp_echo_ignore_all=1
ip netns exec router sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1 net.ipv4.icmp_ratelimit=0 net.ipv6.icmp.ratelimit=0
# Older kernels keep these two for all namespaces together: a flood of errors is a thousand a second there.
ip netns exec router sysctl -eqw net.ipv4.icmp_msgs_per_sec=100000 net.ipv4.icmp_msgs_burst=100000
# Refused by rules where the kernel would allow only a few errors a second for an unreachable route (IPv4).
ip -n router route add 198.18.90.0/23 via 198.18.1.2
ip -n router route add unreachable 2001:db8:90::/48; ip -n router route add prohibit 2001:db8:91::/48
ip -n near route add prohibit 198.18.92.0/24
ip netns exec router nft -f - <<'RULES'
table inet faults {
  chain early {
    type filter hook prerouting priority -300;
    ip daddr 198.18.1.4 icmp type echo-request ip ttl set 1
    ip6 daddr 2001:db8:1::4 icmpv6 type echo-request ip6 hoplimit set 1
  }
  chain forward {
    type filter hook forward priority 0;
    ip daddr 198.18.1.3 icmp type echo-request numgen inc mod 4 2 drop
    ip6 daddr 2001:db8:1::3 icmpv6 type echo-request numgen inc mod 4 2 drop
    ip daddr 198.18.90.0/24 reject with icmp host-unreachable
    ip daddr 198.18.91.0/24 reject with icmp net-unreachable
    ip daddr 198.18.1.5 reject with icmp admin-prohibited
    ip6 daddr 2001:db8:1::5 reject with icmpv6 admin-prohibited
  }
}
RULES
for i in $(seq 50); do ip netns exec near ping -6 -q -c 1 -W 0.2 2001:db8:1::2 >/dev/null && break; done
ip netns exec near nft 'table inet own { chain out { type filter hook output priority 0; ip daddr 198.18.93.1 drop; ip daddr 198.18.94.1 reject with icmp host-unreachable; ip6 daddr 2001:db8:94::1 reject with icmpv6 admin-prohibited; }; }'
`;

/** near — router — far: what a network may do to an echo, by address. */
export async function openIcmpNetwork(): Promise<IcmpNetwork> {
  const world = await World.open();
  try {
    await world.run(undefined, ['bash', '-c', SET_UP]);
    const manners = Object.entries(MANNERS).map(([address, manner]) => `${address}=${manner}`);
    const responder = await world.spawn('manners', ['python3', join(here, 'responder.py'), ...manners]);
    await responder.line(/^ready$/);
  } catch (error) {
    await world.close();
    throw error;
  }
  return {
    world,
    async ping(engine, addresses, { count = 4, interval_ms = 20, wait_ms = 400, linger_ms = 0, shape } = {}) {
      const options = JSON.stringify({ count, interval_ms, wait_ms, linger_ms, shape });
      const output = await world.run('near', [process.execPath, join(here, 'send-echoes.ts'), engine, options, ...addresses], {
        timeout_ms: 20_000,
      });
      return JSON.parse(output) as Awaited<ReturnType<IcmpNetwork['ping']>>;
    },
    async chosen(user) {
      const plain = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--inh-caps=-all', '--bounding-set=-all'];
      const command = [...(user === 'nobody' ? plain : []), process.execPath, join(here, 'choose-engine.ts')];
      return JSON.parse(await world.run('near', command, { timeout_ms: 20_000 })) as Awaited<ReturnType<IcmpNetwork['chosen']>>;
    },
    async allowDatagramSockets(allow) {
      await world.run('near', ['sysctl', '-qw', `net.ipv4.ping_group_range=${allow ? '0 2147483647' : '1 0'}`]);
    },
    close: () => world.close(),
  };
}
