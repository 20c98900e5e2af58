import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostileDns, startHostileDns } from './hostile-dns.ts';
import { NO_BROWSER, type OneMachine, startOneMachine } from './one-machine.ts';

/** Where every name of the DNS below points, as to one front of a CDN. */
const TARGET = '127.0.0.2';
const TOKEN = 'token-of-the-attack-on-targets';
/** What one account gets of a target in a second: a part of what there is (docs/target-rates.md). */
const QUESTIONS = { burst: 1_200, perS: 12.5 };
const CONTACTS = { burst: 200, perS: 10 };

let dns: HostileDns;
let vedette: OneMachine;
/** Requests that the target has had, by Host. */
const requests: string[] = [];
const target = createServer(({ headers, url }, response) => {
  requests.push(headers.host!);
  if (!url!.startsWith('/hangs')) response.end('here');
});
let port: number;

beforeAll(async () => {
  dns = await startHostileDns((name, type) => {
    if (type === 'NS' && name === 'polled-lab.com') return [{ type, name, data: 'ns.polled-lab.com', ttl: 300 }];
    // Its name server is one that we do not ask.
    if (type === 'A' && name === 'ns.polled-lab.com') return [{ type, name, data: '127.0.0.3', ttl: 300 }];
    return type === 'A' ? [{ type, name, data: TARGET, ttl: name === 'polled-lab.com' ? 300 : 0 }] : [];
  });
  await once(target.listen(0, TARGET), 'listening');
  ({ port } = target.address() as AddressInfo);
  vedette = await startOneMachine({
    ...NO_BROWSER,
    VEDETTE_ALLOW_NETS: `${TARGET}/32`,
    VEDETTE_RESOLVERS: `127.0.0.1:${dns.port}`,
    VEDETTE_OWN_TARGETS: 'own-lab.com',
    VEDETTE_ADMIN_TOKEN: TOKEN,
  });
});
afterAll(async () => {
  target.closeAllConnections();
  target.close();
  await vedette.stop();
  dns.close();
});

let label = 0;
interface Outcome {
  status: number;
  code: string | undefined;
  retryAfter: number;
  free: boolean | string;
  reasons: string[];
}

async function post(
  operation: string,
  body: object,
  { signal, key = vedette.key }: { signal?: AbortSignal; key?: string } = {},
): Promise<Outcome> {
  const response = await vedette.post(operation, body, { 'x-api-key': key }, signal);
  const { code, locations } = (await response.json()) as { code?: string; locations?: { reason?: string }[] };
  return {
    status: response.status,
    code,
    retryAfter: Number(response.headers.get('retry-after')),
    free: response.headers.get('x-service-quota')?.endsWith('cost=0') ?? `no quota: ${response.status} ${code}`,
    reasons: (locations ?? []).flatMap(({ reason }) => reason ?? []),
  };
}

/** The key of a new account with so many credits. */
async function newKey(account: string, credits: number): Promise<string> {
  const admin = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const response = await fetch(`http://127.0.0.1:${vedette.opsPort}/admin/${path}`, { method, headers, body: JSON.stringify(body) });
    return (await response.json()) as { key: string };
  };
  await admin('PUT', `plans/${account}`, { monthly_credits: credits });
  await admin('POST', 'accounts', { id: account, name: account, plan: account });
  return (await admin('POST', 'keys', { account, name: 'test' })).key;
}

/** All of it from so many clients at once; how long it took in all, since what may arrive grows by the second. */
async function flood(count: number, send: () => Promise<Outcome>, clients = 20) {
  const began = performance.now();
  const outcomes: Outcome[] = [];
  let left = count;
  const client = async () => {
    while (left-- > 0) outcomes.push(await send());
  };
  await Promise.all(Array.from({ length: clients }, client));
  const refused = outcomes.filter(({ status }) => status !== 200);
  return { outcomes, refused, seconds: (performance.now() - began) / 1_000 };
}

const limited = expect.objectContaining({ status: 429, code: 'target_limited', free: true });
const questionsBelow = (domain: string) => dns.asked.filter((name) => name.endsWith(domain)).length;
const most = ({ burst, perS }: typeof QUESTIONS, seconds: number) => burst + perS * seconds;

describe('a flood of one account', () => {
  it('of dns-lookup: a zone had 2,496 questions a second', async () => {
    const { refused, seconds } = await flood(400, () => post('dns-lookup', { host: `label-${label++}.lookups-lab.com` }));
    expect(questionsBelow('lookups-lab.com')).toBeGreaterThan(500);
    expect(questionsBelow('lookups-lab.com')).toBeLessThanOrEqual(most(QUESTIONS, seconds));
    expect(refused.length).toBeGreaterThan(200);
    expect(refused).toEqual(refused.map(() => limited));
    expect(Math.min(...refused.map(({ retryAfter }) => retryAfter))).toBeGreaterThan(0);
  });

  it('of dkim-validator, whose every request is 587 questions: a zone had 276 a second', async () => {
    const search = () => post('dkim-validator', { host: `label-${label++}.searched-lab.com` });
    expect([await search(), await search()]).toMatchObject([{ status: 200 }, { status: 200 }]);
    const { refused, seconds } = await flood(40, search);
    expect(questionsBelow('searched-lab.com')).toBeLessThanOrEqual(most(QUESTIONS, seconds + 10));
    expect(refused).toEqual(refused.map(() => limited));
    expect(refused).toHaveLength(40);
  });

  it('of geo-request from three locations: an address had 819 GET/s, and more locations added more', async () => {
    const { refused, seconds } = await flood(400, () => post('geo-request', { url: `http://${TARGET}:${port}/${label++}` }));
    const arrived = requests.filter((host) => host === `${TARGET}:${port}`).length;
    expect(arrived).toBeLessThanOrEqual(most(CONTACTS, seconds));
    // At the least what three locations have at once against one host; the faster a flood, the more of it they refuse.
    expect(arrived).toBeGreaterThanOrEqual(15);
    expect(refused.length).toBeGreaterThan(200);
    expect(refused).toEqual(refused.map(() => limited));
  });

  it('of geo-request with random names: the names share the rate of their domain, and one question for an opt-out (it was one each)', async () => {
    const { refused, seconds } = await flood(200, () => post('geo-request', { url: `http://label-${label++}.visited-lab.com:${port}/` }));
    expect(requests.filter((host) => host.includes('.visited-lab.com')).length).toBeLessThanOrEqual(most(CONTACTS, seconds));
    expect(refused.length).toBeGreaterThan(50);
    expect(dns.asked.filter((name) => /^_probe-optout\..*visited-lab\.com$/.test(name))).toEqual(['_probe-optout.visited-lab.com']);
  });

  it('without credits: a zone had 1,844 questions a second, and has none', async () => {
    const key = await newKey('poor', 4);
    const { outcomes } = await flood(100, () => post('geo-request', { url: `http://label-${label++}.unpaid-lab.com:${port}/` }, { key }));
    expect(outcomes.map(({ code }) => code)).toEqual(outcomes.map(() => 'insufficient_credits'));
    expect(questionsBelow('unpaid-lab.com')).toBe(0);
  });

  it('leaves to others their part of the rate', async () => {
    const key = await newKey('honest', 1_000);
    const flooded = (count: number) => flood(count, () => post('dns-lookup', { host: `label-${label++}.shared-lab.com` }));
    expect((await flooded(400)).refused.length).toBeGreaterThan(200);
    await sleep(1_000);
    expect((await flooded(150)).refused.length).toBeGreaterThan(140);
    const look = () => post('dns-lookup', { host: `label-${label++}.shared-lab.com`, dns_types: 'A' }, { key });
    expect(await look()).toMatchObject({ status: 200 });
  });

  it("on the operator's own targets is nobody else's business", async () => {
    const { refused } = await flood(150, () => post('dns-lookup', { host: `label-${label++}.own-lab.com` }));
    expect(refused).toEqual([]);
    expect(questionsBelow('own-lab.com')).toBeGreaterThan(900);
  });
});

it('a hundred hosts of one zone looked up at once are no flood (the 43rd was refused), and one host looked up by the hundred even less', async () => {
  const hosts = await flood(100, () => post('dns-lookup', { host: `host-${label++}.portfolio-lab.com` }));
  expect(hosts.refused).toEqual([]);
  const polled = await flood(650, () => post('dns-lookup', { host: 'polled-lab.com', dns_types: 'A,NS' }), 1);
  expect(polled.refused).toEqual([]);
  // The resolver was asked for more than the zone would have been.
  expect(questionsBelow('polled-lab.com')).toBeGreaterThan(QUESTIONS.burst);
});

it('ordinary use does not meet the rates: 30 requests of each kind about one domain within seconds', async () => {
  const url = `http://www.monitored-lab.com:${port}/`;
  const kinds: [operation: string, body: object][] = [
    ['geo-request', { url }],
    ['dns-lookup', { host: 'www.monitored-lab.com' }],
    ['ping-test', { host: 'www.monitored-lab.com' }],
  ];
  const checked = async ([operation, body]: (typeof kinds)[number]) => {
    const { outcomes } = await flood(30, () => post(operation, body), 3);
    return outcomes.map(({ status, code, reasons }) => ({ status, code, limited: reasons.includes('target_limited') }));
  };
  expect((await Promise.all(kinds.map(checked))).flat()).toEqual(
    Array.from({ length: 90 }, () => ({ status: 200, code: undefined, limited: false })),
  );
});

it('five requests that hang at one site leave its address to the other sites: all of them were refused', async () => {
  const stop = new AbortController();
  const hanging = Array.from({ length: 5 }, () =>
    post('geo-request', { url: `http://slow-lab.com:${port}/hangs-${label++}` }, stop).catch(() => 'left'),
  );
  await expect.poll(() => requests.filter((host) => host.startsWith('slow-lab.com')).length, { timeout: 10_000 }).toBe(15);
  expect(await post('geo-request', { url: `http://slow-lab.com:${port}/` })).toMatchObject({ code: 'target_limited' });
  expect(await post('geo-request', { url: `http://quick-lab.com:${port}/` })).toMatchObject({ status: 200, reasons: [] });
  stop.abort();
  expect(await Promise.all(hanging)).toEqual(Array(5).fill('left'));
});
