/* oxlint-disable no-console -- figures are what this prints */
// What one account sees while another floods with what hangs, or takes long: node test/bench/floods.ts [part of a name]. Calm, attacked and calm again in one run; the ratios
// count, not the figures. The flood comes from a process of its own, goes on as long as the attack does, and waits a second after a refusal,
// as it is told to: what comes faster than that is refused at the door, which is not what is measured here.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOSTILE_MESSAGES } from '../message/message/hostile.ts';
import { startWorld, TARGET, type World } from '../system/hostile-world.ts';
import { median, quantile } from './figures.ts';

const SELF = fileURLToPath(import.meta.url);
/** Until a flood has all that it can get, and until nothing is left of it. */
const SETTLE_MS = 2_500;
const ROUNDS = 4;
const REFUSED_MS = 1_000;
/** Hostile messages are of so many bytes; and one in so many of all that there are, since each is made first. */
const MESSAGE_BYTES = 5_000_000;
const MESSAGE_STEP = 12;

interface Flood {
  name: string;
  clients: number;
  keys: number;
  operation: 'geo-request' | 'dns-lookup' | 'eml-insights' | 'slow body';
  events?: true;
}

const FLOODS: readonly Flood[] = [
  { name: 'targets that hang', clients: 120, keys: 1, operation: 'geo-request' },
  { name: 'targets that hang, 20 keys', clients: 400, keys: 20, operation: 'geo-request' },
  { name: 'event streams', clients: 120, keys: 1, operation: 'geo-request', events: true },
  { name: 'zones that are silent', clients: 600, keys: 20, operation: 'dns-lookup' },
  { name: 'bodies that do not come', clients: 300, keys: 1, operation: 'slow body' },
  { name: 'hostile messages', clients: 30, keys: 1, operation: 'eml-insights' },
];

/** What the flooder is told. */
interface Orders {
  flood: Flood;
  url: string;
  site: string;
  keys: string[];
}

const bodyOfMessage = (make: (bytes: number) => Buffer): string =>
  JSON.stringify({
    eml_base64: make(MESSAGE_BYTES)
      .subarray(0, 5 * 1024 * 1024)
      .toString('base64'),
  });

async function attack({ flood: { clients, operation, events }, url, site, keys }: Orders): Promise<void> {
  let n = 0;
  const headers = (key: string) => ({
    'content-type': 'application/json',
    'x-api-key': key,
    'x-forwarded-for': '198.51.100.200',
    ...(events && { accept: 'text/event-stream' }),
  });
  const messages =
    operation === 'eml-insights'
      ? Object.values(HOSTILE_MESSAGES)
          .filter((_, i) => i % MESSAGE_STEP === 0)
          .map(bodyOfMessage)
      : [];
  const body = () =>
    messages[n++ % messages.length] ??
    JSON.stringify(operation === 'geo-request' ? { url: `${site}/hangs?${n}` } : { host: `f${n}.silent.hostile-lab.com` });
  process.send!('ready');
  const ask = async (key: string) => {
    const response = await fetch(`${url}/v2/${operation}`, { method: 'POST', headers: headers(key), body: body() });
    const text = await response.text();
    if (response.status !== 200 || text.includes('event: error')) await sleep(REFUSED_MS);
  };
  const dawdle = async (key: string) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    const lines = Object.entries({ host: 'a', 'content-length': 60_000, ...headers(key) }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST /v2/ping-test HTTP/1.1\r\n${lines.join('')}\r\n{`);
    socket.resume();
    await once(socket, 'close');
  };
  const client = async (key: string) => {
    for (;;) await (operation === 'slow body' ? dawdle(key) : ask(key)).catch(() => sleep(REFUSED_MS));
  };
  await Promise.all(Array.from({ length: clients }, (_, i) => client(keys[i % keys.length]!)));
}

interface Seen {
  ms: number[];
  failed: number;
}

const nothing = (): Seen => ({ ms: [], failed: 0 });

/** What the victim sees, one request after the other. */
async function see(seen: Seen, world: World, key: string, operation: string, times: number, body: () => object): Promise<void> {
  for (let n = 0; n < times; n++) {
    const start = performance.now();
    const response = await world.post(operation, body(), { 'x-api-key': key });
    const text = await response.text();
    seen.ms.push(performance.now() - start);
    if (response.status !== 200 || text.includes('"reason"')) seen.failed += 1;
  }
}

async function measure(): Promise<void> {
  const world = await startWorld({ VEDETTE_OWN_TARGETS: `${TARGET}/32,com`, VEDETTE_LOG_LEVEL: 'warn' });
  try {
    const flooder = await world.account('flooder', 20);
    const [victim] = (await world.account('victim', 1)) as [string];
    let page = 0;
    const both = async (seen: Record<'dns-lookup' | 'geo-request', Seen>) => {
      await see(seen['dns-lookup'], world, victim, 'dns-lookup', 150, () => ({ host: 'good.hostile-lab.com', dns_types: 'A,TXT' }));
      await see(seen['geo-request'], world, victim, 'geo-request', 100, () => ({ url: `${world.site.url}/?${page++}` }));
    };
    await both({ 'dns-lookup': nothing(), 'geo-request': nothing() }); // warm
    for (const flood of FLOODS.filter(({ name }) => name.includes(process.argv[2] ?? ''))) {
      const calm = { 'dns-lookup': nothing(), 'geo-request': nothing() };
      const attacked = { 'dns-lookup': nothing(), 'geo-request': nothing() };
      for (let round = 0; round < ROUNDS; round++) {
        await both(calm);
        const child = fork(SELF, ['flood']);
        child.send({ flood, url: world.vedette.url, site: world.site.url, keys: flooder.slice(0, flood.keys) } satisfies Orders);
        await once(child, 'message');
        await sleep(SETTLE_MS);
        await both(attacked);
        child.kill('SIGKILL');
        await once(child, 'exit');
        await sleep(SETTLE_MS);
      }
      for (const operation of ['dns-lookup', 'geo-request'] as const) {
        const ratio = (of: (values: readonly number[]) => number) =>
          Number((of(attacked[operation].ms) / of(calm[operation].ms)).toFixed(2));
        const p99 = (values: readonly number[]) => quantile(values, 0.99);
        console.log(
          JSON.stringify({
            bench: 'floods',
            flood: flood.name,
            operation,
            calm_p50_ms: Number(median(calm[operation].ms).toFixed(1)),
            calm_p99_ms: Number(p99(calm[operation].ms).toFixed(1)),
            p50_ratio: ratio(median),
            p99_ratio: ratio(p99),
            failed: `${attacked[operation].failed} of ${attacked[operation].ms.length}`,
          }),
        );
      }
    }
  } finally {
    await world.close();
  }
}

if (process.argv[2] === 'flood') process.once('message', (orders: Orders) => void attack(orders));
else await measure();
