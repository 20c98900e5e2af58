import { fileURLToPath } from 'node:url';
import { Dns, warmResolvers } from './dns.ts';
import { type Exits, startExits } from './exits.ts';
import { Faults } from './faults.ts';
import { Latency } from './latency.ts';
import { buildPki } from './pki.ts';
import { DNS, REGIONS, SITES } from './plan.ts';
import { buildTopology, ROUTER } from './topology.ts';
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
  readonly #spawned = new Set<WorldProcess>();

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
  async spawn(site: string, argv: readonly string[], env?: NodeJS.ProcessEnv): Promise<WorldProcess> {
    const started = await this.world.spawn(site, argv, env);
    this.#spawned.add(started);
    return started;
  }

  /** Ends what `spawn` has started. */
  async endSpawned(): Promise<void> {
    for (const started of this.#spawned) started.kill('SIGKILL');
    await Promise.all([...this.#spawned].map(({ ended }) => ended));
    this.#spawned.clear();
  }

  /** What a test may change and has to put back: packet filters, routes, delays, orders of resolvers, and what runs. */
  async state(): Promise<string[]> {
    const networks = [ROUTER, ...SITES.map(({ name }) => name)];
    const each =
      'nft list ruleset | sed "s/ *counter packets.*bytes [0-9]*//"; ip rule; ip route; ip -6 route; ip -o link | cut -d" " -f2-3';
    const said = await Promise.all([
      ...networks.map(async (name) => `${name}\n${await this.world.run(name, ['bash', '-c', each])}`),
      this.dns.orders(),
    ]);
    // Without children of processes: those that were entered here have no parent inside.
    const running = await this.world.run(undefined, ['bash', '-c', "ps -eo ppid,args | awk '$1 == 0 && !/ps -eo/' | sort"]);
    return [...said, running]
      .flatMap((text) => text.split('\n'))
      .concat(REGIONS.map(({ id }) => JSON.stringify([id, this.latency.get(id)])));
  }

  close(): Promise<void> {
    return this.world.close();
  }
}
