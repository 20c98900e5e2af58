import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FEED_CATALOGUE } from '@vedette/intel/datasets';
import type { Answer } from 'dns-packet';
import { type FakeDnsbl, startFakeDnsbl } from '../intel/engines/fake-dnsbl.ts';
import { zoneEngine } from '../intel/engines/open-blacklists.ts';
import { FAKE_SITES, type FakeSites, startFakeSites } from '../operations/site-trust/fake-sites.ts';
import { type FakeRegistries, rdapAutnum, rdapDomain, rdapRegistrant, startFakeRegistries } from '../registries/fake-registries.ts';
import { NO_BROWSER, type OneMachine, startOneMachine } from './one-machine.ts';

/** Where every fake site is, one address for each worker: they hold ports 80 and 443. */
export const SITE = `127.0.9.${process.env['VITEST_POOL_ID'] ?? 1}`;
/** On one of the two lists. */
export const LISTED = '93.184.215.14';
const TTL = 300;

/** Blacklists, a DNS, registries and sites on loopback, and one machine that knows no others. */
export interface IntelligenceWorld extends AsyncDisposable {
  machine: OneMachine;
  dns: FakeDnsbl;
  registries: FakeRegistries;
  sites: FakeSites;
}

const text = (name: string, data: string): Answer => ({ type: 'TXT', name, data, ttl: TTL });
const address = (name: string, data: string): Answer => ({ type: 'A', name, data, ttl: TTL });

/** What the DNS holds beside the blacklists: the sites, and the name of one address. Undefined for names that do not exist. */
function held(name: string, type: string): Answer[] | undefined {
  if (name === '' || name === '.') return type === 'NS' ? [{ type: 'NS', name: '.', data: 'a.root-servers.net', ttl: TTL }] : [];
  if (name === '8.8.8.8.in-addr.arpa') return type === 'PTR' ? [{ type: 'PTR', name, data: 'dns.google', ttl: TTL }] : [];
  if (name === 'dns.google') return type === 'A' ? [address(name, '8.8.8.8')] : [];
  if (name === 'ns1.host.test') return type === 'A' ? [address(name, '198.51.100.53')] : [];
  const site = FAKE_SITES.find((host) => name === host || name === `www.${host}` || name === `_dmarc.${host}`);
  if (site === undefined) return undefined;
  if (name.startsWith('_dmarc.')) return type === 'TXT' ? [text(name, 'v=DMARC1; p=reject')] : [];
  if (type === 'A') return [address(name, SITE)];
  if (name !== site) return [];
  if (type === 'NS') return [{ type: 'NS', name, data: 'ns1.host.test', ttl: TTL }];
  return type === 'TXT' ? [text(name, 'v=spf1 -all')] : [];
}

export async function startIntelligenceWorld(env: Record<string, string> = NO_BROWSER): Promise<IntelligenceWorld> {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'intelligence-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const dns = await startFakeDnsbl({
    zones: {
      'bl.one.test': { listed: { [LISTED]: ['127.0.0.2'] } },
      'bl.two.test': {},
      'names.one.test': { listed: { 'phishing.test': ['127.0.0.2'] } },
    },
    others: held,
  });
  opened.defer(() => dns.close());
  const sites = opened.use(await startFakeSites({ address: SITE, httpPort: 80, httpsPort: 443 }));
  const registries = opened.use(
    await startFakeRegistries(({ registrar }) => ({
      suffixes: ['test', 'com'],
      autnums: ['64000-66000', '3333-3333'],
      registry: {
        'domain/plain.test': rdapDomain('plain.test', { created: '2001-02-03T04:05:06Z', related: `${registrar}domain/plain.test` }),
        'autnum/3333': rdapAutnum(3333),
      },
      registrar: { 'domain/plain.test': rdapDomain('plain.test', { created: '2001-02-03T04:05:06Z', registrant: rdapRegistrant() }) },
    })),
  );
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const engines = {
    'one-addresses': zoneEngine('bl.one.test'),
    'two-addresses': zoneEngine('bl.two.test'),
    'one-names': zoneEngine('names.one.test', { subject: 'name', reference: 'https://example.org/{host}' }),
  };
  const brands = { ...FEED_CATALOGUE.find(({ name }) => name === 'brands')!, name: undefined };
  const machine = await startOneMachine({
    ...env,
    VEDETTE_FEEDS_FILE: file('feeds.json', JSON.stringify({ built_in: false, feeds: { brands } })),
    VEDETTE_RESOLVERS: `${dns.address}:${dns.port}`,
    VEDETTE_ENGINES_FILE: file('engines.json', JSON.stringify({ built_in: false, engines })),
    VEDETTE_RDAP_BOOTSTRAP: registries.bootstrap,
    VEDETTE_WHOIS_SERVER: registries.whois,
    VEDETTE_CA_FILE: file('ca.pem', `${sites.root}\n${registries.ca}`),
    VEDETTE_ALLOW_NETS: '127.0.0.0/8',
  });
  opened.defer(async () => void (await machine.stop()));
  const world = opened.move();
  return { machine, dns, registries, sites, [Symbol.asyncDispose]: () => world.disposeAsync() };
}
