import { setTimeout as sleep } from 'node:timers/promises';
import { createNkey, natsServerConfig } from '@vedette/bus';
import { TRUST_ANCHOR_FILE } from './dns.ts';
import type { RawJob } from './ask-agents.ts';
import { EXIT_OF_REGION } from './exits.ts';
import type { Lab } from './lab.ts';
import { CA_FILE } from './pki.ts';
import { CORE_ADDRESS, REGIONS } from './plan.ts';
import { WORLD_DIR, type WorldProcess } from './world.ts';

const REPOSITORY = `${import.meta.dirname}/../..`;
const DIR = `${WORLD_DIR}/system`;
const LOCATIONS_FILE = `${DIR}/locations.json`;
const NO_FEEDS = `${import.meta.dirname}/../intel/feeds/none.json`;
const NATS_PORT = 4222;
/** Of the operators' listener of the lab's renderer, on the core's loopback. */
export const RENDERER_OPS_PORT = 9465;
/** Of the first gateway. */
export const DATA_DIR = `${DIR}/data`;
const START_TIMEOUT_MS = 50_000;

export const API_KEY = 'vedette-lab-key';

/** Agents of one location; two of them are twins. */
export type AgentName = 'a' | 'b';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Parsed, where it is JSON. */
  body: any;
  /** As the client measured it. */
  elapsed_ms: number;
}

export interface StartOptions {
  /** Where agent `a` runs; every region unless given. */
  regions?: readonly string[];
  /** Search domain in the resolv.conf of gateway and regions. */
  search?: string;
  /** For the gateway, beyond what the lab needs. */
  gatewayEnv?: NodeJS.ProcessEnv;
}

/**
 * The product inside the lab: nats-server and gateway in the core, an agent in each region, as they run in production. Only
 * the resolvers (each site's own), the trusted CA and the root's DNSSEC anchor differ; the address policy has no exception.
 */
export class System {
  readonly #lab: Lab;
  readonly #agents = new Map<string, WorldProcess>();
  /** Agents of tests, beside the usual ones or instead of them, and those that they replaced; most have ended. */
  readonly #unusual = new Set<WorldProcess>();
  readonly #regions: readonly string[];
  #gateway: WorldProcess | undefined;
  #gatewayEnv: NodeJS.ProcessEnv = {};
  #others: WorldProcess[] = [];
  #nats: WorldProcess | undefined;
  #renderer: WorldProcess | undefined;

  private constructor(lab: Lab, regions: readonly string[]) {
    this.#lab = lab;
    this.#regions = regions;
  }

  static async start(lab: Lab, { regions = REGIONS.map(({ id }) => id), search, gatewayEnv = {} }: StartOptions = {}): Promise<System> {
    const system = new System(lab, regions);
    system.#gatewayEnv = gatewayEnv;
    system.#configure();
    for (const id of search === undefined ? [] : ['core', ...regions])
      await lab.world.run(undefined, ['sh', '-c', `mkdir -p /etc/netns/${id} && echo 'search ${search}' >>/etc/netns/${id}/resolv.conf`]);
    await system.startNats();
    await Promise.all([
      system.startGateway({ env: gatewayEnv }).then((gateway) => (system.#gateway = gateway)),
      ...regions.map((id) => system.startAgent(id)),
    ]);
    await system.untilAgents(Object.fromEntries(regions.map((id) => [id, 1])));
    return system;
  }

  /** A first gateway with these settings, on the same database, and agents: processes that have no answer of the DNS in their caches. */
  async renew(gatewayEnv: NodeJS.ProcessEnv): Promise<void> {
    this.#gatewayEnv = gatewayEnv;
    await Promise.all([this.gateway, ...this.#regions.map((id) => this.agent(id))].map(end));
    const startGateway = async () => void (this.#gateway = await this.startGateway({ env: gatewayEnv }));
    await Promise.all([startGateway(), ...this.#regions.map((id) => this.startAgent(id))]);
    await this.untilAgents(Object.fromEntries(this.#regions.map((id) => [id, 1])));
  }

  /** Ends what tests have started, and starts what they have ended: afterwards there is one usual agent in each region, and one gateway. */
  async restore(): Promise<void> {
    if (!this.nats.running) await this.startNats();
    this.nats.kill('SIGCONT');
    await Promise.all([...this.#unusual, ...this.#others].map(end));
    this.#unusual.clear();
    this.#others = [];
    for (const name of this.#agents.keys()) if (name.endsWith('-b')) this.#agents.delete(name);
    for (const agent of this.#agents.values()) agent.kill('SIGCONT');
    await Promise.all(this.#regions.flatMap((id) => (this.agent(id).running ? [] : [this.startAgent(id)])));
    if (!this.gateway.running) this.#gateway = await this.startGateway({ env: this.#gatewayEnv });
    await this.untilAgents(Object.fromEntries(this.#regions.map((id) => [id, 1])));
  }

  get gateway(): WorldProcess {
    return this.#gateway!;
  }

  get nats(): WorldProcess {
    return this.#nats!;
  }

  agent(region: string, name: AgentName = 'a'): WorldProcess {
    return this.#agents.get(`${region}-${name}`)!;
  }

  async startNats(): Promise<void> {
    this.#nats = await this.#lab.world.spawn('core', ['nats-server', '-c', `${DIR}/nats-server.conf`]);
    await this.#lab.world.untilListening('core', CORE_ADDRESS, NATS_PORT);
  }

  /** A gateway on a port of its own; the second shares the first one's database. Resolves once it listens. */
  async startGateway({
    port = 8080,
    env = {},
    under = [],
  }: { port?: number; env?: NodeJS.ProcessEnv; under?: readonly string[] } = {}): Promise<WorldProcess> {
    const first = port === 8080;
    const gateway = await this.#lab.world.spawn('core', [...under, ...this.#node('gateway')], {
      ...COMMON,
      VEDETTE_HOST: CORE_ADDRESS,
      VEDETTE_PORT: String(port),
      VEDETTE_OPS_PORT: String(port + 1000),
      VEDETTE_DATA_DIR: first ? DATA_DIR : `${DIR}/data-${port}`,
      VEDETTE_NATS_CREDS: `${DIR}/gateway-${port}.nkey`,
      VEDETTE_BOOTSTRAP_KEY: API_KEY,
      VEDETTE_LOCATIONS_FILE: LOCATIONS_FILE,
      VEDETTE_FEEDS_FILE: NO_FEEDS,
      VEDETTE_ENGINES_FILE: `${import.meta.dirname}/../intel/engines/none.json`,
      VEDETTE_TRUST_ANCHOR_FILE: TRUST_ANCHOR_FILE,
      VEDETTE_PORT_SCAN: 'on',
      ...(first ? {} : { VEDETTE_DATABASE_URL: this.#databaseOfFirst() }),
      ...env,
    });
    if (!first) this.#others.push(gateway);
    await Promise.race([
      this.#lab.world.untilListening('core', CORE_ADDRESS, port),
      gateway.ended.then((how) => Promise.reject(new Error(`the gateway ended with ${how}:\n${gateway.lines.slice(-20).join('\n')}`))),
    ]);
    return gateway;
  }

  /** The embedded database of the first gateway, with the password that it made. */
  #databaseOfFirst(): string {
    const password = this.#lab.world.read(`${DIR}/data/pg/password`).trim();
    const [host, secret] = [`${DIR}/data/pg/socket`, password].map(encodeURIComponent);
    return `postgresql:///postgres?host=${host}&user=vedette&password=${secret}`;
  }

  /** `under` is a command that runs the agent's, such as setpriv(1). Resolves once it takes jobs. */
  async startAgent(
    region: string,
    name: AgentName = 'a',
    { env = {}, under = [] }: { env?: NodeJS.ProcessEnv; under?: readonly string[] } = {},
  ): Promise<WorldProcess> {
    const agent = await this.#lab.world.spawn(region, [...under, ...this.#node('agent')], {
      ...COMMON,
      VEDETTE_LOCATION: region,
      VEDETTE_AGENT_ID: `${region}-${name}`,
      VEDETTE_NATS_CREDS: `${DIR}/${region}-${name}.nkey`,
      ...(EXIT_OF_REGION[region] !== undefined && { VEDETTE_VPN_EXITS: EXIT_OF_REGION[region] }),
      ...env,
    });
    const replaced = this.#agents.get(`${region}-${name}`);
    if (replaced !== undefined) this.#unusual.add(replaced);
    if (name === 'b' || under.length > 0 || Object.keys(env).length > 0) this.#unusual.add(agent);
    this.#agents.set(`${region}-${name}`, agent);
    await agent.line(/"msg":"ready"/, START_TIMEOUT_MS);
    return agent;
  }

  /** A renderer in the core, with a listener for operators. Resolves once it takes jobs. */
  async startRenderer(): Promise<WorldProcess> {
    const renderer = await this.#lab.world.spawn('core', this.#node('renderer'), {
      ...COMMON,
      VEDETTE_OPS_PORT: String(RENDERER_OPS_PORT),
      VEDETTE_NATS_CREDS: `${DIR}/renderer.nkey`,
      VEDETTE_FEEDS_FILE: NO_FEEDS,
    });
    this.#renderer = renderer;
    this.#others.push(renderer);
    await renderer.line(/"msg":"ready"/, START_TIMEOUT_MS);
    return renderer;
  }

  /** Waits until `GET /v2/locations` shows these regions as ready, each with so many agents or more. */
  async untilAgents(
    wanted: Record<string, number>,
    { port = 8080, timeout_ms = START_TIMEOUT_MS }: { port?: number; timeout_ms?: number } = {},
  ): Promise<void> {
    const until = performance.now() + timeout_ms;
    for (;;) {
      const { body } = await this.get('/v2/locations', { port });
      const seen = new Map<string, number>((body?.locations ?? []).map((each: any) => [each.id, each.state === 'ready' ? each.agents : 0]));
      const missing = Object.entries(wanted).filter(([id, count]) => !(seen.get(id)! >= count));
      if (missing.length === 0) return;
      if (performance.now() > until) throw new Error(`agents missing: ${missing.map(([id]) => id).join(', ')}\n${this.#logs()}`);
      await sleep(50);
    }
  }

  /** Asks the API as a client does. After `timeout_s` the client leaves and this rejects. */
  post(
    operation: string,
    parameters: object,
    { port = 8080, timeout_s = 60 }: { port?: number; timeout_s?: number } = {},
  ): Promise<Answer> {
    const url = `http://${CORE_ADDRESS}:${port}/v2/${operation}`;
    return this.#curl(['-m', String(timeout_s), '-H', 'Content-Type: application/json', '--data-binary', JSON.stringify(parameters), url]);
  }

  /** Asks for `text/event-stream` and returns the events in the order they came. */
  async stream(operation: string, parameters: object): Promise<{ event: string; data: any }[]> {
    const url = `http://${CORE_ADDRESS}:8080/v2/${operation}`;
    const { body } = await this.#curl([
      '-m',
      '60',
      '-H',
      'Accept: text/event-stream',
      '-H',
      'Content-Type: application/json',
      '-d',
      JSON.stringify(parameters),
      url,
    ]);
    return [...(body as string).matchAll(/event: (.*)\ndata: (.*)\n\n/g)].map(([, event, data]) => ({
      event: event!,
      data: JSON.parse(data!),
    }));
  }

  get(path: string, { port = 8080 }: { port?: number } = {}): Promise<Answer> {
    return this.#curl(['-m', '10', `http://${CORE_ADDRESS}:${port}${path}`]);
  }

  /** Distributed requests that a gateway has under way, by its own metrics. */
  async requestsInFlight(port = 8080): Promise<number> {
    const text = await this.#lab.world.run('core', ['curl', '-sS', `http://127.0.0.1:${port + 1000}/metrics`]);
    return [...text.matchAll(/^vedette_gateway_inflight_jobs\{.*\} (\d+)$/gm)].reduce((sum, [, value]) => sum + Number(value), 0);
  }

  /** Hands jobs to agents past the gateway and its checks, one after the other, and returns the replies in order. */
  async askAgents(jobs: readonly RawJob[]): Promise<any[]> {
    const argv = [process.execPath, '--disable-warning=ExperimentalWarning', `${import.meta.dirname}/ask-agents.ts`];
    const args = [COMMON.VEDETTE_NATS_URL, `${DIR}/gateway-unchecked.nkey`];
    const { stdout, stderr } = await this.#lab.exec('core', [...argv, ...args], { input: JSON.stringify(jobs), timeout_ms: 100_000 });
    if (stdout === '') throw new Error(`the agents could not be asked: ${stderr}`);
    return JSON.parse(stdout) as any[];
  }

  async #curl(args: readonly string[]): Promise<Answer> {
    const head = ['curl', '-sS', '-w', '\n%{http_code} %{time_total}%{stderr}%{header_json}', '-H', `X-API-Key: ${API_KEY}`];
    const { stdout, stderr, code } = await this.#lab.exec('core', [...head, ...args], { timeout_ms: 90_000 });
    if (code !== 0) throw new Error(`no answer from ${args.at(-1)}: ${stderr}`);
    const end = stdout.lastIndexOf('\n');
    const [status, seconds] = stdout.slice(end + 1).split(' ');
    const headers = Object.entries(JSON.parse(stderr) as Record<string, string[]>).map(([name, values]) => [name, values.join(', ')]);
    const text = stdout.slice(0, end);
    return {
      status: Number(status),
      headers: Object.fromEntries(headers),
      body: text.startsWith('{') ? JSON.parse(text) : text,
      elapsed_ms: Number(seconds) * 1000,
    };
  }

  /** Identities for all processes that a test may start, and the files they read. */
  #configure(): void {
    const { world } = this.#lab;
    const identity = (name: string) => {
      const { seed, publicKey } = createNkey();
      world.write(`${DIR}/${name}.nkey`, `${seed}\n`);
      return publicKey;
    };
    const agents = REGIONS.flatMap(({ id }) =>
      (['a', 'b'] as const).map((name) => ({ location: id, publicKey: identity(`${id}-${name}`) })),
    );
    const gateways = ['8080', '8081', 'unchecked'].map((id) => ({ publicKey: identity(`gateway-${id}`) }));
    const renderers = [{ publicKey: identity('renderer') }];
    world.write(`${DIR}/nats-server.conf`, natsServerConfig({ host: CORE_ADDRESS, port: NATS_PORT, gateways, agents, renderers }));
    const places = REGIONS.map(({ id, continent_code, country_code, city_name, lat, lon }) => [
      id,
      { continent: continent_code, country: country_code, city: city_name, lat, lon },
    ]);
    world.write(LOCATIONS_FILE, JSON.stringify({ locations: Object.fromEntries(places) }));
  }

  #node(process_: 'gateway' | 'agent' | 'renderer'): string[] {
    return [process.execPath, '--disable-warning=ExperimentalWarning', `${REPOSITORY}/packages/${process_}/src/main.ts`];
  }

  #logs(): string {
    const all = [['gateway', this.#gateway] as const, ['renderer', this.#renderer] as const, ...this.#agents];
    return all.map(([name, each]) => `${name}: ${each?.lines.slice(-8).join('\n') ?? 'not started'}`).join('\n');
  }
}

/** Ends a process that may stand still. */
const end = async (running: WorldProcess): Promise<void> => {
  running.kill('SIGTERM');
  running.kill('SIGCONT');
  await running.ended;
};

const COMMON = {
  VEDETTE_NATS_URL: `nats://${CORE_ADDRESS}:${NATS_PORT}`,
  VEDETTE_CA_FILE: CA_FILE,
};
