// Calm against attacked, in one run: an honest account with one connection, before and while somebody attacks. Ratios count, not figures:
// the attackers share the machine. node test/bench/under-attack.ts [attack …]; JSON lines. An attack is a function of `ATTACKS`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FloodResult, type RunningFlood, startFlood } from '../system/flood.ts';
import { startHostileDns } from '../system/hostile-dns.ts';
import { type OneMachine, startOneMachine } from '../system/one-machine.ts';
import { median } from './figures.ts';

const MS = Number(process.env['SECONDS'] ?? 3) * 1000;
const PAIRS = Number(process.env['PAIRS'] ?? 5);
const SETTLE_MS = 1_000;
/** More than one, so that it is not the limit of an address that is measured. */
const ADDRESSES = 20;

interface World {
  vedette: OneMachine;
  port: number;
  /** Keys of two accounts. */
  attacker: string;
  honest: string;
  rssMb(): number;
}

/** Paid, and answered from the cache: what is measured is the gateway. */
const check = (key: string): string => {
  const body = '{"host":"example.com"}';
  return `POST /v2/spf-validator HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

const honestOnes = ({ port, honest }: World): Promise<FloodResult> =>
  startFlood({ port, connections: 1, octets: check(honest), ms: MS }).result;
const round = (value: number): number => Number(value.toPrecision(3));
const okOf = ({ answers }: FloodResult): number => answers[200] ?? 0;

/** What an attack does to the honest account. */
async function beside(world: World, attack: () => RunningFlood): Promise<object> {
  const calm = await honestOnes(world);
  const attackers = attack();
  await attackers.opened;
  await sleep(SETTLE_MS);
  const attacked = await honestOnes(world);
  const { answers, closed } = await attackers.result;
  return {
    p50_ms: [round(calm.p50Ms), round(attacked.p50Ms)],
    p50_ratio: round(attacked.p50Ms / calm.p50Ms),
    p99_ratio: round(attacked.p99Ms / calm.p99Ms),
    refused: Object.entries(attacked.answers)
      .filter(([status]) => status !== '200')
      .reduce((sum, [, count]) => sum + count, 0),
    attackers: { answers, closed },
  };
}

/** Long enough for the honest account to be measured meanwhile. */
const FLOOD_MS = MS + 2 * SETTLE_MS;

const ATTACKS: Record<string, (world: World) => Promise<object>> = {
  /** Ten times the connections with which one account has its best goodput. */
  async 'ten times too many'(world) {
    const { port, attacker } = world;
    const flooding = (connections: number, ms: number) =>
      startFlood({ port, connections, addresses: ADDRESSES, octets: check(attacker), ms });
    const goodput = async (connections: number) => (okOf(await flooding(connections, MS).result) / MS) * 1000;
    let peak = { connections: 0, perS: 0 };
    for (const connections of [16, 32, 64, 128]) {
      const perS = await goodput(connections);
      if (perS > peak.perS) peak = { connections, perS };
    }
    const pairs: { peak: number; ten: number }[] = [];
    for (let i = 0; i < PAIRS; i++) pairs.push({ peak: await goodput(peak.connections), ten: await goodput(10 * peak.connections) });
    return {
      peak_connections: peak.connections,
      goodput_per_s: [round(median(pairs.map(({ peak }) => peak))), round(median(pairs.map(({ ten }) => ten)))],
      limit: round(await metric(world, 'vedette_gateway_concurrency_limit')),
      goodput_ratio: round(median(pairs.map(({ peak, ten }) => ten / peak))),
      ...(await beside(world, () => flooding(10 * peak.connections, FLOOD_MS))),
    };
  },
  'paths that do not exist': (world) =>
    beside(world, () => startFlood({ port: world.port, connections: 256, addresses: ADDRESSES, octets: get('/v2/nothing'), ms: FLOOD_MS })),
  'the script of the reference page': (world) =>
    beside(world, () => startFlood({ port: world.port, connections: 20, octets: get('/docs/js/scalar.js'), ms: FLOOD_MS })),
  async 'sockets that are not read'(world) {
    const { port, rssMb } = world;
    await fetch(`${world.vedette.url}/docs/js/scalar.js`).then((response) => response.arrayBuffer());
    const before = rssMb();
    const flooding = () => startFlood({ port, connections: 200, octets: get('/docs/js/scalar.js'), ms: 20_000, manner: 'never reads' });
    const first = flooding();
    await first.opened;
    await sleep(SETTLE_MS);
    const added = rssMb() - before;
    await first.result;
    return { added_mb: round(added), cut_off: await metric(world, 'vedette_gateway_connections_cut_total{why="stalled"}') };
  },
  async 'idle sockets'(world) {
    const { port, rssMb } = world;
    const before = rssMb();
    const figures = await beside(world, () =>
      startFlood({ port, connections: 12_000, addresses: ADDRESSES, octets: '', ms: FLOOD_MS, manner: 'idles' }),
    );
    return { added_mb: round(rssMb() - before), ...figures };
  },
};

async function metric({ vedette }: World, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${vedette.opsPort}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1] ?? 0,
  );
}

async function newKey({ opsPort, dataDir }: OneMachine, id: string): Promise<string> {
  const authorization = `Bearer ${readFileSync(`${dataDir}/admin-token`, 'utf8').trim()}`;
  const call = async (method: string, path: string, body: object) =>
    (
      await fetch(`http://127.0.0.1:${opsPort}${path}`, { method, headers: { authorization }, body: JSON.stringify(body) })
    ).json() as Promise<{ key?: string }>;
  await call('PUT', `/admin/plans/${id}`, { monthly_credits: 100_000_000 });
  await call('POST', '/admin/accounts', { id, name: id, plan: id });
  return (await call('POST', '/admin/keys', { account: id, name: id })).key!;
}

const wanted = process.argv.slice(2);
const dns = await startHostileDns((name, type) => (type === 'TXT' ? [{ type, name, data: ['v=spf1 -all'], ttl: 3600 }] : []));
const vedette = await startOneMachine({ VEDETTE_RESOLVERS: `127.0.0.1:${dns.port}` });
try {
  const gateway = execFileSync('pgrep', ['-P', String(vedette.process.pid), '-f', 'packages/gateway/src/main.ts'], { encoding: 'utf8' });
  const world: World = {
    vedette,
    port: Number(new URL(vedette.url).port),
    attacker: await newKey(vedette, 'attacker'),
    honest: await newKey(vedette, 'honest'),
    rssMb: () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${gateway.trim()}/status`, 'utf8'))![1]) / 1024,
  };
  await startFlood({ port: world.port, connections: 32, octets: check(world.attacker), ms: MS }).result; // warm
  for (const [attack, run] of Object.entries(ATTACKS))
    if (wanted.length === 0 || wanted.includes(attack)) process.stdout.write(`${JSON.stringify({ attack, ...(await run(world)) })}\n`);
} finally {
  await vedette.stop();
  dns.close();
}
