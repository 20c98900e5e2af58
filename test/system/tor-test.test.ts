import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listen } from '../probes/http/raw-server.ts';
import { type FakeTor, onionOf, startFakeTor } from '../probes/proxy/fake-tor.ts';
import { askPriced, startMachineWithSites } from './machine-with-sites.ts';
import type { OneMachine } from './one-machine.ts';

const SERVICE = onionOf(5);

let machine: OneMachine;
let tor: FakeTor;
/** Port of the site. */
let port: number;
/** What Tor replies in place of a connection. */
let reply: number | undefined;
let requests = 0;
const opened = new AsyncDisposableStack();
beforeAll(async () => {
  const site = opened.use(await listen(createServer((_request, response) => (requests++, response.end('<title>Bread</title>')))));
  ({ port } = site);
  tor = opened.use(await startFakeTor({ services: { [SERVICE]: port }, reply: () => reply }));
  const settings = () => ({ VEDETTE_TOR_SOCKS: `127.0.0.1:${tor.port}` });
  machine = await startMachineWithSites(
    { address: '127.0.0.1', hosts: ['a.test', 'www.quiet-lab.com'], optedOut: ['quiet-lab.com'], settings },
    opened,
  );
});
afterAll(() => opened.disposeAsync());

const ask = (url: string) => askPriced(machine, 'tor-test', { url });

it('visits a site through the Tor client of the operator and without it', async () => {
  expect(await ask(`http://a.test:${port}/`)).toMatchObject({
    status: 200,
    cost: 10,
    report: { accessible: true, blocks_tor: 'no', through_tor: { title: 'Bread' }, direct: { title: 'Bread' } },
  });
  expect(tor.requests.at(-1)).toMatchObject({ host: '127.0.0.1', byName: false, port });
});

it('visits an onion service, and no other operation does', async () => {
  expect(await ask(`http://www.${SERVICE}/`)).toMatchObject({ status: 200, report: { is_onion: true, accessible: false } });
  expect(await ask(`http://${SERVICE}/`)).toMatchObject({ status: 200, cost: 10, report: { is_onion: true, accessible: true } });
  for (const [operation, body] of [
    ['url-status', { url: `http://${SERVICE}/` }],
    ['geo-request', { url: `http://${SERVICE}/` }],
    ['dns-lookup', { host: SERVICE, dns_types: 'A' }],
  ] as const)
    expect(await askPriced(machine, operation, body)).toMatchObject({ status: 400, cost: 0, report: { code: 'special_use_name' } });
});

it.each([
  ['https://www.irs.gov/', 'blocked_target'],
  ['http://10.0.0.7/', 'private_address'],
  ['http://private.test/', 'private_address'],
  ['http://printer.local/', 'special_use_name'],
  [`http://${'a'.repeat(56)}.onion/`, 'invalid_parameter'],
])('refuses %s for free, and Tor hears nothing of it', async (url, code) => {
  const before = tor.connections();
  expect(await ask(url)).toMatchObject({ status: 400, cost: 0, report: { code } });
  expect(tor.connections()).toBe(before);
});

it.each<[operation: string, body: object]>([
  ['tor-test', { url: 'http://www.quiet-lab.com:PORT/' }],
  ['qr-scan', { image_url: 'http://www.quiet-lab.com:PORT/' }],
  ['security-headers', { url: 'http://www.quiet-lab.com:PORT/' }],
  ['parked-domain', { host: 'www.quiet-lab.com' }],
  ['ssl-info', { host: 'www.quiet-lab.com', port: 8443 }],
  ['tls-check', { host: 'www.quiet-lab.com', port: 8443 }],
])('%s contacts no host whose owner has opted out, for free', async (operation, body) => {
  const before = [requests, tor.connections()];
  const asked = JSON.parse(JSON.stringify(body).replace('PORT', String(port))) as object;
  expect(await askPriced(machine, operation, asked)).toMatchObject({ status: 400, cost: 0, report: { code: 'denied_target' } });
  expect([requests, tor.connections()]).toEqual(before);
});

it('takes no credits where Tor fails, and leaves the site alone then', async () => {
  const before = requests;
  reply = 1;
  expect(await ask(`http://a.test:${port}/`)).toMatchObject({ status: 503, cost: 0, report: { code: 'no_tor' } });
  expect(requests).toBe(before);
  await tor[Symbol.asyncDispose]();
  expect(await ask(`http://a.test:${port}/`)).toMatchObject({ status: 503, cost: 0, report: { code: 'no_tor' } });
});
