import { systemClock } from '@vedette/probes/net';
import { expect, it } from 'vitest';
import { readConfig } from '../../packages/gateway/src/config/config.ts';
import { Documents } from '@vedette/intel/datasets';
import { openRegistries } from '../../packages/gateway/src/intel/registries.ts';
import { unlimited } from '../intel/fake-resolver.ts';
import { silent } from '../ledger/servers.ts';
import { SHUT } from '../operations/shut.ts';

/** Which hosts are looked for when somebody asks for a domain, with a feed's file of IANA's. */
async function hostsAsked(env: Record<string, string>): Promise<Set<string>> {
  const documents = new Documents();
  documents.set('iana-rdap-dns', Buffer.from(JSON.stringify({ version: '1.0', services: [[['org'], ['https://rdap.somewhere.net/']]] })));
  const asked = new Set<string>();
  const resolver = {
    ...SHUT.resolver,
    addresses(host: string): Promise<never> {
      asked.add(host);
      return Promise.reject(new Error('nobody there'));
    },
  };
  const ports = { ...SHUT, resolver, clock: systemClock, ca: [], userAgent: 'test' };
  const ledger = { isDenied: () => false, gateways: () => 1, registrations: { get: async () => undefined, put: async () => undefined } };
  const config = readConfig({ VEDETTE_NATS_CREDS: '', VEDETTE_CACHE: 'off', ...env });
  const registries = openRegistries(config, { ports, ledger, documents, log: silent });
  const signal = AbortSignal.timeout(5_000);
  const ways = {
    account: SHUT.account,
    resolver: unlimited(resolver),
    dialler: SHUT.dialler,
    signal,
    isDenied: () => false,
    timeout_ms: 1_000,
    cachedOnly: false,
  };
  await registries.domain('wikipedia.org', ways).catch(() => undefined);
  return asked;
}

it('IANA’s file that a feed has brought says which registry to ask; IANA is not asked for it again', async () => {
  const asked = await hostsAsked({});
  expect([asked.has('rdap.somewhere.net'), asked.has('data.iana.org')]).toEqual([true, false]);
});

it('an operator’s own bootstrap counts, whatever a feed has brought', async () => {
  const asked = await hostsAsked({ VEDETTE_RDAP_BOOTSTRAP: 'https://rdap.elsewhere.net' });
  expect([asked.has('rdap.somewhere.net'), asked.has('rdap.elsewhere.net')]).toEqual([false, true]);
});
