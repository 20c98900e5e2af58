import { ODD_PORTS } from './odd-ports.ts';
import { EXITS } from './plan.ts';
import { buildTunnel, type Tunnel } from './tunnel.ts';
import { type World, WORLD_DIR, type WorldProcess } from './world.ts';

/** A proxy, which may be killed and started again. */
export interface ExitServer {
  readonly process: WorldProcess;
  restart(): Promise<void>;
}

/** The exits of the plan, running. */
export interface Exits {
  socks: ExitServer;
  connect: ExitServer;
  tunnel: Tunnel;
  /** Wakes and starts again what tests have frozen or killed. */
  restore(): Promise<void>;
}

/** A port from which nothing comes back where a fault drops what is sent there. */
export const DROPPED_PORT = 7999;

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
      ...[...Object.values(ODD_PORTS), DROPPED_PORT].map((port) => `ConnectPort ${port}`),
      'Timeout 30',
    ].join('\n'),
  );
  const start = async ({ address, port }: { address: string; port: number }, command: readonly string[]): Promise<ExitServer> => {
    const run = async (): Promise<WorldProcess> => {
      const started = await world.spawn('vpn', command);
      await world.untilListening('vpn', address, port);
      return started;
    };
    let running = await run();
    return {
      get process() {
        return running;
      },
      async restart() {
        running = await run();
      },
    };
  };
  const [socksServer, connectServer, tunnel] = await Promise.all([
    // prettier-ignore
    start(socks, ['microsocks', '-i', socks.address, '-b', socks.address, '-p', String(socks.port), '-u', socks.username, '-P', socks.password]),
    start(connect, ['tinyproxy', '-d', '-c', conf]),
    buildTunnel(world),
  ]);
  const restore = async (): Promise<void> => {
    for (const still of [socksServer.process, connectServer.process, tunnel.end, tunnel.peer]) still.kill('SIGCONT');
    const dead = [...[socksServer, connectServer].filter(({ process }) => !process.running), ...(tunnel.end.running ? [] : [tunnel])];
    await Promise.all(dead.map((one) => one.restart()));
  };
  return { socks: socksServer, connect: connectServer, tunnel, restore };
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
