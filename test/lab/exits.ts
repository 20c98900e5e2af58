import { EXITS } from './plan.ts';
import { buildTunnel, type Tunnel } from './tunnel.ts';
import { type World, WORLD_DIR, type WorldProcess } from './world.ts';

/** The exits of the plan, running. */
export interface Exits {
  socks: WorldProcess;
  connect: WorldProcess;
  tunnel: Tunnel;
}

/** Starts a SOCKS5 server with a password, an HTTP CONNECT proxy, and a WireGuard tunnel. Each leaves from an address of its own. */
export async function startExits(world: World): Promise<Exits> {
  const { socks, connect } = EXITS;
  const conf = `${WORLD_DIR}/tinyproxy.conf`;
  world.write(
    conf,
    [
      `Listen ${connect.address}`,
      `Port ${connect.port}`,
      `Bind ${connect.address}`,
      'Allow 0.0.0.0/0',
      'ConnectPort 443',
      'ConnectPort 80',
      'ConnectPort 53',
      'Timeout 30',
    ].join('\n'),
  );
  const [socksServer, connectServer, tunnel] = await Promise.all([
    // prettier-ignore
    world.spawn('vpn', ['microsocks', '-i', socks.address, '-b', socks.address, '-p', String(socks.port), '-u', socks.username, '-P', socks.password]),
    world.spawn('vpn', ['tinyproxy', '-d', '-c', conf]),
    buildTunnel(world),
  ]);
  await Promise.all([world.untilListening('vpn', socks.address, socks.port), world.untilListening('vpn', connect.address, connect.port)]);
  return { socks: socksServer, connect: connectServer, tunnel };
}

/** What `VEDETTE_VPN_EXITS` says to use one of them. */
export const EXIT_URLS = {
  socks: `socks5://${EXITS.socks.username}:${EXITS.socks.password}@${EXITS.socks.address}:${EXITS.socks.port}`,
  connect: `http://${EXITS.connect.address}:${EXITS.connect.port}`,
  wireguard: `iface:${EXITS.wireguard.interface}`,
} as const;

/** The exit that a region's agents use; the other regions have none. */
export const EXIT_OF_REGION: Readonly<Record<string, string>> = {
  [EXITS.wireguard.region]: EXIT_URLS.wireguard,
  'us-ash': EXIT_URLS.socks,
  'sg-sin': EXIT_URLS.connect,
};
