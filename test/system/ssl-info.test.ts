import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SslWorld, startSslWorld } from '../operations/ssl-info/world.ts';
import { startHostileDns } from './hostile-dns.ts';
import { NO_BROWSER, type OneMachine, startOneMachine } from './one-machine.ts';

/** Where every server of the world is, at ports 25, 80 and 443. */
const WORLD = '127.0.0.11';
const TTL = 300;

let world: SslWorld;
let machine: OneMachine;
const opened = new AsyncDisposableStack();
beforeAll(async () => {
  if (process.getuid?.() !== 0) return;
  world = opened.use(await startSslWorld({ address: WORLD, isReal: true }));
  const dns = await startHostileDns((name, type) => {
    if (name === '' || name === '.') return type === 'NS' ? [{ type: 'NS', name: '.', data: 'a.root-servers.net', ttl: TTL }] : [];
    if (name === 'private.test') return type === 'A' ? [{ type: 'A', name, data: '10.0.0.7', ttl: TTL }] : [];
    if (![...world.hosts, 'ca.test'].includes(name)) return 'NXDOMAIN';
    return type === 'A' ? [{ type: 'A', name, data: WORLD, ttl: TTL }] : [];
  });
  opened.defer(() => dns.close());
  const folder = mkdtempSync(join(tmpdir(), 'ssl-info-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'ca.pem'), world.root);
  machine = await startOneMachine({
    ...NO_BROWSER,
    VEDETTE_RESOLVERS: `127.0.0.1:${dns.port}`,
    VEDETTE_CA_FILE: join(folder, 'ca.pem'),
    VEDETTE_ALLOW_NETS: '127.0.0.0/8',
    VEDETTE_CONTACT: 'https://vedette.example/contact',
  });
  opened.defer(async () => void (await machine.stop()));
});
afterAll(() => opened.disposeAsync());

async function ask(body: object): Promise<{ status: number; cost: number; report: any }> {
  const response = await machine.post('ssl-info', body);
  const [, cost] = /cost=(\d+)/.exec(response.headers.get('x-service-quota') ?? '') ?? [];
  return { status: response.status, cost: Number(cost), report: await response.json() };
}

describe.skipIf(process.getuid?.() !== 0)('a machine with servers of every certificate around it', () => {
  it.each<[object, boolean, string[]]>([
    [{ host: 'good.test' }, true, []],
    [{ host: 'good.test', starttls: 'smtp' }, true, []],
    [{ host: WORLD, sni: 'cdn.test' }, true, []],
    [{ host: 'incomplete.test' }, false, ['MISSING_INTERMEDIATE', 'REVOCATION_UNKNOWN']],
    [{ host: 'revoked.test' }, true, ['REVOKED']],
    [{ host: 'expired.test' }, false, ['CERT_EXPIRED']],
    [{ host: 'self-signed.test', port: 25 }, false, ['SELF_SIGNED']],
  ])('%j: valid %j, found %j', async (request, valid, found) => {
    const { status, cost, report } = await ask(request);
    expect({ status, cost, valid: report.valid_ssl, found: report.issues_found.map(({ code }: { code: string }) => code) }).toEqual({
      status: 200,
      cost: 2,
      valid,
      found,
    });
  });

  it.each([
    [{ host: 'www.state.gov' }, 'blocked_target'],
    [{ host: 'www.mit.edu' }, 'blocked_target'],
    [{ host: 'private.test' }, 'private_address'],
    [{ host: '10.0.0.7' }, 'private_address'],
    [{ host: 'good.test', port: 9_100 }, 'invalid_parameter'],
  ])('%j is refused as %s, and free', async (request, code) => {
    const { status, cost, report } = await ask(request);
    expect({ status, cost, code: report.code }).toEqual({ status: 400, cost: 0, code });
  });
});
