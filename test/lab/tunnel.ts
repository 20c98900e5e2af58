import { EXITS } from './plan.ts';
import type { World, WorldProcess } from './world.ts';

export interface Tunnel {
  /** The region's end: freeze it and packets vanish, kill it and the interface does. */
  readonly end: WorldProcess;
  /** The exit's end. */
  peer: WorldProcess;
  /** Starts the region's end again, once it has ended. */
  restart(): Promise<void>;
}

/** A WireGuard tunnel from one region to the exit, in userspace. The tunnel's table fails closed: without the tunnel, nothing leaves. */
export async function buildTunnel(world: World): Promise<Tunnel> {
  const { region, interface: name, address, port, inner, innerServer } = EXITS.wireguard;
  const keys = await world.run(undefined, ['bash', '-ec', 'for i in 1 2; do k=$(wg genkey); echo "$k $(wg pubkey <<<"$k")"; done']);
  const [server, client] = keys.split('\n').map((line) => line.split(' ') as [key: string, pub: string]);
  const [peer, first] = await Promise.all([tunnelEnd(world, 'vpn', 'wg-exit'), tunnelEnd(world, region, name)]);
  const configure = (site: string, device: string, lines: readonly string[]) =>
    world.run(site, ['bash', '-c', `cat | wg setconf ${device} /dev/stdin`], { input: lines.join('\n') });
  await configure('vpn', 'wg-exit', [
    '[Interface]',
    `ListenPort = ${port}`,
    `PrivateKey = ${server![0]}`,
    '[Peer]',
    `PublicKey = ${client![1]}`,
    `AllowedIPs = ${inner}/32`,
  ]);
  const near = [
    '[Interface]',
    `PrivateKey = ${client![0]}`,
    '[Peer]',
    `PublicKey = ${server![1]}`,
    'AllowedIPs = 0.0.0.0/0',
    `Endpoint = ${address}:${port}`,
  ];
  const batch = (site: string, lines: readonly string[]) =>
    world.run(undefined, ['ip', '-n', site, '-batch', '-'], { input: lines.join('\n') });
  await batch('vpn', [`addr add ${innerServer}/24 dev wg-exit`, 'link set wg-exit mtu 1420 up']);
  await world.run('vpn', ['sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv4.conf.all.rp_filter=0']);
  await world.run('vpn', ['nft', '-f', '-'], {
    input: `table inet nat { chain post { type nat hook postrouting priority 100; ip saddr ${inner}/32 oifname "eth0" snat ip to ${address}; }; }`,
  });
  const raise = async () => {
    await configure(region, name, near);
    await batch(region, [`addr add ${inner}/24 dev ${name}`, `link set ${name} mtu 1420 up`, `route add default dev ${name} table 99`]);
  };
  await raise();
  await batch(region, [
    'route add unreachable default metric 9999 table 99',
    `rule add from ${inner} lookup 99`,
    `rule add oif ${name} lookup 99`,
  ]);
  let end = first;
  return {
    get end() {
      return end;
    },
    peer,
    async restart() {
      end = await tunnelEnd(world, region, name);
      await raise();
    },
  };
}

async function tunnelEnd(world: World, site: string, device: string): Promise<WorldProcess> {
  const end = await world.spawn(site, ['wireguard-go', '-f', device], { WG_PROCESS_FOREGROUND: '1' });
  await world.run(site, ['bash', '-c', `for i in $(seq 200); do [ -S /run/wireguard/${device}.sock ] && exit; sleep .02; done; exit 1`]);
  return end;
}
