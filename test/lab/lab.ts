import { fileURLToPath } from 'node:url';
import { Dns, warmResolvers } from './dns.ts';
import { type Exits, startExits } from './exits.ts';
import { Faults } from './faults.ts';
import { Latency } from './latency.ts';
import { buildPki } from './pki.ts';
import { DNS } from './plan.ts';
import { buildTopology } from './topology.ts';
import { Web } from './web.ts';
import { type ExecOptions, type ExecResult, World, type WorldProcess } from './world.ts';

/**
 * The internet in a box: regions with distance between them, signed DNS, web servers good and bad, exits. Everything runs in
 * a world of its own (`world.ts`), so it is gone when the process that opened it is, whatever ended that.
 */
export class Lab {
  readonly world: World;
  readonly dns: Dns;
  readonly web: Web;
  readonly latency: Latency;
  readonly faults: Faults;
  readonly exits: Exits;
  readonly hostileDns: WorldProcess;

  private constructor(parts: Pick<Lab, 'world' | 'dns' | 'web' | 'latency' | 'exits' | 'hostileDns'>) {
    this.world = parts.world;
    this.dns = parts.dns;
    this.web = parts.web;
    this.latency = parts.latency;
    this.exits = parts.exits;
    this.hostileDns = parts.hostileDns;
    this.faults = new Faults(parts.world, parts.latency, parts.dns);
  }

  static async open(): Promise<Lab> {
    const world = await World.open();
    try {
      return await Lab.#furnish(world);
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  static async #furnish(world: World): Promise<Lab> {
    const [latency, dns, web] = [new Latency(world), new Dns(world), new Web(world)];
    await buildTopology(world);
    const startHostileDns = async () => {
      const server = await world.spawn('dns', [process.execPath, fileURLToPath(import.meta.resolve('./hostile-dns.ts')), DNS.hostile.v4]);
      await server.line(/^ready$/);
      return server;
    };
    const [exits, hostileDns] = await Promise.all([
      startExits(world),
      startHostileDns(),
      dns.start(),
      buildPki(world).then(() => web.start()),
      latency.start(),
    ]);
    await warmResolvers(world);
    return new Lab({ world, dns, web, latency, exits, hostileDns });
  }

  /** Runs a command in a site's network (`eu-fra`, `core`, `hosts`, `dns`, `vpn`, `net`). Any exit code is a result. */
  exec(site: string, argv: readonly string[], options?: ExecOptions): Promise<ExecResult> {
    return this.world.exec(site, argv, options);
  }

  /** Starts a command in a site's network that keeps running. */
  spawn(site: string, argv: readonly string[], env?: NodeJS.ProcessEnv): Promise<WorldProcess> {
    return this.world.spawn(site, argv, env);
  }

  close(): Promise<void> {
    return this.world.close();
  }
}
