import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNatsServer } from '../bus/nats-server.ts';
import { createDatabase, startServer } from '../ledger/servers.ts';
import { a, response, type ScriptedServer, startServer as startDns } from '../probes/dns/scripted-server.ts';
import { makePki } from '../probes/http/certificates.ts';
import { scratchFolder } from '../scratch.ts';
import { type GatewayProcess, spawnGateway } from './money/gateway-process.ts';
import { withUs } from './one-machine.ts';
import { startOldAgent } from './old-agent.ts';

// A gateway and an agent at each of three places. The resolvers of each place lead to another address of the host.
const AGENT = fileURLToPath(new URL('../../packages/agent/src/main.ts', import.meta.url));
const KEY = 'a-key-of-ours';
const HOST = 'cdn-lab.com';
const QUIET = 'quiet-lab.com';
const ADDRESSES = { 'eu-fra': '127.0.83.1', 'us-ash': '127.0.83.2', 'sg-sin': '127.0.83.3' } as const;
type Location = keyof typeof ADDRESSES;

let gateway: GatewayProcess;
let port: number;
const agents = new Map<Location, ChildProcess>();
const opened = new AsyncDisposableStack();
const certificates: Partial<Record<Location, string>> = {};
let natsUrl: string;
let handshakes = 0;
/** Where the server accepts connections and says nothing, and how many it had by then. */
const mute = new Map<string, number>();

async function startDnsOf(address: string): Promise<ScriptedServer> {
  return await startDns(({ query, question: { name, type }, reply }) => {
    const host = name.toLowerCase();
    const isConsent = host === `_probe-optout.${QUIET}` && type === 'TXT';
    const isHost = [HOST, QUIET].includes(host) && type === 'A';
    const isRoot = host === '' || host === '.';
    const answers = isConsent
      ? [{ type: 'TXT' as const, name, ttl: 60, data: 'v=optout1' }]
      : isHost
        ? [a(name, address)]
        : isRoot && type === 'NS'
          ? [{ type: 'NS' as const, name, ttl: 60, data: 'a.root-servers.net' }]
          : [];
    reply(response(query, { answers }));
  });
}

function startAgent(location: Location, settings: Record<string, string>): void {
  const env = { ...process.env, ...settings, VEDETTE_LOCATION: location };
  agents.set(location, spawn(...withUs(AGENT), { env, stdio: 'ignore' }));
}

beforeAll(async () => {
  const folder = scratchFolder('ssl');
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const pki = opened.use(
    makePki({
      one: { names: `DNS:${HOST}` },
      two: { names: `DNS:${HOST}` },
      expired: { names: `DNS:${HOST}`, until: '20250601000000Z' },
    }),
  );
  const shown: Record<Location, string> = { 'eu-fra': 'one', 'us-ash': 'two', 'sg-sin': 'expired' };
  for (const location of Object.keys(ADDRESSES) as Location[]) {
    const file = (kind: string) => readFileSync(join(pki.folder, `${shown[location]}.${kind}`), 'utf8');
    certificates[location] = file('pem');
    const secured = createServer({ key: file('key'), cert: file('pem') });
    secured.on('tlsClientError', () => {}).on('secureConnection', (socket) => socket.on('error', () => {}).resume());
    const server: Server = createPlainServer((socket) => {
      handshakes++;
      socket.on('error', () => {});
      const ignored = mute.get(ADDRESSES[location]);
      if (ignored === undefined) secured.emit('connection', socket);
      else mute.set(ADDRESSES[location], ignored + 1);
    });
    await new Promise<void>((resolve) => server.listen(port ?? 0, ADDRESSES[location], resolve));
    port ??= (server.address() as AddressInfo).port;
    opened.defer(() => void server.close());
  }
  const [database, nats] = await Promise.all([startServer('embedded'), startNatsServer()]);
  opened.defer(() => database.stop());
  opened.defer(() => nats.stop());
  natsUrl = nats.url;
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, pki.root);
  const common = { VEDETTE_NATS_URL: nats.url, VEDETTE_ALLOW_NETS: '127.0.0.0/8', VEDETTE_WITNESSES: '', VEDETTE_CA_FILE: caFile };
  const resolversOf = async (address: string) => {
    const dns = await startDnsOf(address);
    opened.defer(() => dns.stop());
    return { VEDETTE_RESOLVERS: `${dns.endpoint.address}:${dns.endpoint.port}` };
  };
  for (const [location, address] of Object.entries(ADDRESSES))
    startAgent(location as Location, { ...common, ...(await resolversOf(address)) });
  opened.defer(async () => {
    for (const child of agents.values()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  });
  gateway = await spawnGateway({
    ...common,
    ...(await resolversOf(ADDRESSES['eu-fra'])),
    VEDETTE_DATA_DIR: folder,
    VEDETTE_DATABASE_URL: await createDatabase(database),
    VEDETTE_BOOTSTRAP_KEY: KEY,
  });
  opened.defer(() => gateway.stop());
  while ((await ready()).length < 3) await sleep(100);
}, 60_000);
afterAll(() => opened.disposeAsync());

async function ready(): Promise<string[]> {
  const { locations } = (await (await fetch(`${gateway.url}/v2/locations`, { headers: { 'x-api-key': KEY } })).json()) as any;
  return locations.filter(({ state }: any) => state === 'ready').map(({ id }: any) => id);
}

const send = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${gateway.url}/v2/ssl-info`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ host: HOST, port, ...body }),
  });

async function ask(body: object): Promise<{ status: number; cost: number; report: any }> {
  const answer = await send(body);
  const [, cost] = /cost=(\d+)/.exec(answer.headers.get('x-service-quota') ?? '') ?? [];
  return { status: answer.status, cost: Number(cost), report: await answer.json() };
}

const perLocation = ({ locations }: any) =>
  locations.map(({ location, ip, valid_ssl, reason = '' }: any) => [location, ip, valid_ssl, reason]);

describe('ssl-info', () => {
  it('without locations is the answer of the gateway alone, at its own price', async () => {
    const { status, cost, report } = await ask({});
    expect({ status, cost }).toEqual({ status: 200, cost: 2 });
    expect(report).toMatchObject({ ip: ADDRESSES['eu-fra'], valid_ssl: true });
    expect(report).not.toHaveProperty('locations');
    expect(report).not.toHaveProperty('differences');
  });

  it('names different valid certificates at two addresses, and accuses none', async () => {
    const { status, cost, report } = await ask({ locations: ['eu-fra', 'us-ash'] });
    expect({ status, cost }).toEqual({ status: 200, cost: 7 });
    expect(perLocation(report)).toEqual([
      ['eu-fra', ADDRESSES['eu-fra'], true, ''],
      ['us-ash', ADDRESSES['us-ash'], true, ''],
    ]);
    expect(report.differences).toMatchObject({
      state: 'several_valid',
      fields: ['ip', 'fingerprint_sha256', 'chain_sent'],
      certificates: [
        { ips: [ADDRESSES['eu-fra']], locations: ['eu-fra'], valid_ssl: true },
        { ips: [ADDRESSES['us-ash']], locations: ['us-ash'], valid_ssl: true },
      ],
    });
    expect(report.ssl_details.pem).toBe(certificates['eu-fra']);
    expect(report.locations[0]).toMatchObject({ tls_version: 'TLSv1.3', chain_complete: true });
  });

  it('says at which address an invalid certificate is, by a selection as in other operations', async () => {
    const { report } = await ask({ locations: ['country:DE', 'sg-sin', '!us-ash'] });
    expect(perLocation(report)).toEqual([
      ['eu-fra', ADDRESSES['eu-fra'], true, ''],
      ['sg-sin', ADDRESSES['sg-sin'], false, ''],
    ]);
    const { state, summary } = report.differences;
    expect(state).toBe('some_invalid');
    expect(summary).toMatch(/^At sg-sin: The certificate has expired/);
    expect(summary).toContain(`Only ${ADDRESSES['sg-sin']} had the fault: look at the servers there`);
    expect(report.locations[1].issues).toContain('CERT_EXPIRED');
  });

  it('tells which locations it asks, what each was shown, and then the report; without locations the report alone', async () => {
    const stream = async (body: object): Promise<{ event: string; data: any }[]> => {
      const answer = await send(body, { accept: 'text/event-stream' });
      return [...(await answer.text()).matchAll(/event: (.*)\ndata: (.*)\n\n/g)].map(([, event, data]) => ({
        event: event!,
        data: JSON.parse(data!),
      }));
    };
    const [chosen, ...told] = await stream({ locations: ['continent:EU', 'us-ash'] });
    expect(chosen).toMatchObject({
      event: 'locations',
      data: { locations: [{ location: 'eu-fra', city_name: 'Frankfurt' }, { location: 'us-ash' }] },
    });
    expect(told.map(({ event }) => event)).toEqual(['location', 'location', 'report']);
    const report = told.at(-1)!.data;
    expect(told.slice(0, 2).map(({ data }) => data)).toEqual(expect.arrayContaining(report.locations));
    expect(report).toMatchObject({
      differences: { state: 'several_valid' },
      locations: [{ certificate_found: true }, { certificate_found: true }],
    });
    const alone = await stream({});
    expect(alone.map(({ event }) => event)).toEqual(['locations', 'report']);
    expect(alone).toMatchObject([{ data: { locations: [] } }, { data: { valid_ssl: true } }]);
    expect((await send({}, { accept: 'text/event-stream', 'last-event-id': 'a-1' })).status).toBe(204);
  });

  it.each([
    ['an owner who opted out', { host: QUIET, locations: ['eu-fra'] }, 'denied_target'],
    ['an opted-out name as `sni`', { sni: QUIET, locations: ['eu-fra'] }, 'denied_target'],
    ['a government', { host: 'www.state.gov', locations: ['eu-fra'] }, 'blocked_target'],
    ['an inner address', { host: '10.0.0.7', locations: ['eu-fra'] }, 'private_address'],
    ['an unknown location', { locations: ['atlantis'] }, 'unknown_location'],
    ['a port of printers', { port: 9_100, locations: ['eu-fra'] }, 'invalid_parameter'],
  ])('refuses %s, for free, and before a connection', async (_what, request, code) => {
    const before = handshakes;
    const { status, cost, report } = await ask(request);
    expect({ status, cost, code: report.code }).toEqual({ status: 400, cost: 0, code });
    expect(handshakes).toBe(before);
  });

  it('asks no agent that is too old to show a chain', async () => {
    const place = 'old-lab';
    await using old = await startOldAgent(natsUrl, { location: place, minor: 4, kinds: ['tcp'] });
    while (!(await ready()).includes(place)) await sleep(100);
    const alone = await ask({ locations: [place] });
    expect(alone).toMatchObject({ status: 503, cost: 0, report: { code: 'no_agent' } });
    expect(alone.report.error).toContain('cannot do this measurement');
    const { status, cost, report } = await ask({ locations: [place, 'eu-fra'] });
    expect({ status, cost }).toEqual({ status: 200, cost: 7 });
    expect(perLocation(report)).toEqual([
      [place, '', false, 'unsupported'],
      ['eu-fra', ADDRESSES['eu-fra'], true, ''],
    ]);
    expect(old.jobs).toEqual([]);
  });

  it('names the location whose agent dies in the middle, and is free where that was the only one', async () => {
    const silent = ADDRESSES['sg-sin'];
    mute.set(silent, 0);
    const both = ask({ locations: ['eu-fra', 'sg-sin'] });
    const alone = ask({ locations: ['sg-sin'] });
    // The jobs of both requests share one run.
    while (mute.get(silent) === 0) await sleep(20);
    agents.get('sg-sin')!.kill('SIGKILL');
    const { status, cost, report } = await both;
    expect({ status, cost }).toEqual({ status: 200, cost: 7 });
    expect(perLocation(report)).toEqual([
      ['eu-fra', ADDRESSES['eu-fra'], true, ''],
      ['sg-sin', '', false, 'agent_lost'],
    ]);
    expect(report.differences).toMatchObject({
      state: 'same',
      summary: 'One location was shown a certificate. 1 location could not measure',
    });
    expect(await alone).toMatchObject({ status: 503, cost: 0, report: { code: 'no_agent' } });
  });
});
