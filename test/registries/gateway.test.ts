import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNkey, natsServerConfig } from '@vedette/bus';
import type { Running } from '@vedette/process/run';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runGateway } from '../../packages/gateway/src/gateway.ts';
import { type NatsServer, startNatsServer } from '../bus/nats-server.ts';
import { type FakeRegistries, rdapAutnum, rdapDomain, rdapRegistrant, startFakeRegistries } from './fake-registries.ts';

const SHOP = 'example-shop.com';
const KEY = 'vedette-test-key';
let dir: string;
let nats: NatsServer;
let servers: FakeRegistries;
let gateway: Running;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'vedette-registries-'));
  const nkey = createNkey();
  writeFileSync(join(dir, 'gateway.nkey'), nkey.seed, { mode: 0o600 });
  nats = await startNatsServer((port) =>
    natsServerConfig({ host: '127.0.0.1', port, gateways: [{ publicKey: nkey.publicKey }], agents: [] }),
  );
  servers = await startFakeRegistries(({ registrar, whoisRegistry }) => ({
    suffixes: ['com'],
    autnums: ['60000-60999'],
    registry: { [`domain/${SHOP}`]: rdapDomain(SHOP, { related: `${registrar}domain/${SHOP}` }), 'autnum/60001': rdapAutnum(60_001) },
    registrar: { [`domain/${SHOP}`]: rdapDomain(SHOP, { registrant: rdapRegistrant('Jo.Doe@gmail.com') }) },
    whoisRoot: () => `refer: ${whoisRegistry}\n`,
    whoisRegistry: () => 'Domain Name: example-shop.zz\nRegistered on: 14-Feb-1999\nRegistrar: Somebody\n',
  }));
  gateway = await runGateway({
    VEDETTE_NATS_URL: nats.url,
    VEDETTE_NATS_CREDS: join(dir, 'gateway.nkey'),
    VEDETTE_DATA_DIR: join(dir, 'data'),
    VEDETTE_PORT: '0',
    VEDETTE_OPS_PORT: '0',
    VEDETTE_LOG_LEVEL: 'error',
    VEDETTE_BOOTSTRAP_KEY: KEY,
    VEDETTE_FEEDS_FILE: join(import.meta.dirname, '../intel/feeds/none.json'),
    VEDETTE_ENGINES_FILE: join(import.meta.dirname, '../intel/engines/none.json'),
    VEDETTE_RESOLVERS: '127.0.0.1:9',
    VEDETTE_WITNESSES: '',
    VEDETTE_ALLOW_NETS: '127.0.0.0/8',
    VEDETTE_CA_FILE: servers.caFile,
    VEDETTE_RDAP_BOOTSTRAP: servers.bootstrap,
    VEDETTE_WHOIS_SERVER: servers.whois,
  });
});
afterAll(async () => {
  await gateway.stop();
  await nats.stop();
  await servers[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true });
});

async function ask(operation: string, body: object): Promise<{ status: number; report: Record<string, unknown> }> {
  const answer = await fetch(`http://127.0.0.1:${gateway.addresses?.api?.port}/v2/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': KEY },
    body: JSON.stringify(body),
  });
  return { status: answer.status, report: (await answer.json()) as Record<string, unknown> };
}
const questions = (): number => servers.asked.filter((line) => line.startsWith('registry')).length;

it('a gateway tells what registries say, out of its database the second time', async () => {
  const first = await ask('domain-info', { host: `www.${SHOP}`, timeout: 10 });
  expect(first).toMatchObject({
    status: 200,
    report: {
      domain_registered: 'yes',
      domain_creation_date: '1997-09-15',
      owner_organization: 'Example Shop LLC',
      owner_email_domain: 'gmail.com',
      owner_free_email: true,
      debug_message: '',
    },
  });
  expect(JSON.stringify(first)).not.toMatch(/jo\.?doe/i);
  expect(questions()).toBe(1);
  expect(await ask('domain-info', { host: SHOP, cache_only: true })).toMatchObject({ report: { domain_creation_date: '1997-09-15' } });
  expect(questions()).toBe(1);
  expect(await ask('domain-info', { host: 'not-there.com' })).toMatchObject({ report: { domain_registered: 'no', nameservers: [] } });
  expect(await ask('domain-info', { host: 'www.example-shop.zz' })).toMatchObject({ report: { domain_creation_date: '1999-02-14' } });
  expect(await ask('domain-age', { host: `www.${SHOP}` })).toMatchObject({
    status: 200,
    report: { registrable_domain: SHOP, domain_age_found: true, domain_creation_date: '1997-09-15', debug_message: '' },
  });
  expect(await ask('domain-age', { host: 'not-there.com' })).toMatchObject({
    report: { domain_registered: 'no', debug_message: 'The registry knows no such domain' },
  });
  expect(questions()).toBe(2); // both are in the cache
  expect(await ask('asn-info', { asn: 'AS60001' })).toMatchObject({
    status: 200,
    report: { asname: 'EXAMPLE-AS', rir: 'RIPE', created: '2003-05-12' },
  });
});
