import { canonicalUrl, createUrls, exactExpression, UrlList } from '@vedette/intel/urls';
import type { BlacklistOptions, Listing, Mark } from '@vedette/intel/ports';
import type { Clock, Gate } from '@vedette/contract';
import { createAddressPolicy } from '@vedette/probes/host';
import { budgeted, createResolver } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { createBlacklists, type Engine, readEngineCatalogue } from '@vedette/intel/engines';
import { type FakeZone, startFakeDnsbl } from './fake-dnsbl.ts';
import { ManualClock } from './manual-clock.ts';

export interface Opening {
  zones?: Record<string, FakeZone>;
  /** Name servers of zones, by address; they are asked on port 53. */
  servers?: Record<string, readonly string[]>;
  catalogue?: readonly Engine[];
  engines?: Record<string, Partial<Engine>>;
  clock?: Clock;
  cache?: boolean;
  isOnline?: () => Promise<boolean>;
  marks?: Record<string, readonly Mark[]>;
  listings?: readonly Listing[];
  /** Lists of URLs, as URLs. */
  urls?: Readonly<Record<string, readonly string[]>>;
  lists?: readonly string[];
  rank?: (domain: string) => number | undefined;
}

/** An engine for a zone of the fake, on. */
export const zoneEngine = (zone: string, more: Partial<Engine> = {}): Partial<Engine> => ({
  name: zone,
  subject: 'address',
  lists: 'test',
  terms: 'test',
  zone,
  codes: { '127.0.0.2': 'spam' },
  reference: 'https://example.org/{ip}',
  rate: { per_s: 1000, burst: 10_000 },
  ...more,
});

/** A resolver whose only server is a fake DNSBL. */
export async function openResolver(zones: Record<string, FakeZone>, servers: Record<string, readonly string[]> = {}) {
  const dnsbl = await startFakeDnsbl({ zones, servers });
  const resolver = createResolver({
    servers: [{ address: dnsbl.address, port: dnsbl.port }],
    policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'] }),
    clock: systemClock,
    cache: true,
  });
  return {
    dnsbl,
    resolver,
    async close() {
      resolver.close();
      await dnsbl.close();
    },
  };
}

function urlsOf(lists: Opening['urls'] = {}): ReturnType<typeof createUrls> {
  const urls = createUrls();
  for (const [list, entries] of Object.entries(lists))
    urls.setList(list, 'test', new UrlList(UrlList.compile(entries.map((entry) => exactExpression(canonicalUrl(entry)!)))));
  return urls;
}

/** Blacklists over a DNSBL server on loopback: real sockets, the clock of the blacklists alone may be a test's. */
export async function openBlacklists({ clock = new ManualClock(), cache = true, lists = [], ...given }: Opening) {
  const { dnsbl, resolver, close } = await openResolver(given.zones ?? {}, given.servers);
  const outcomes: string[] = [];
  const health: string[] = [];
  const blacklists = createBlacklists({
    urls: urlsOf(given.urls),
    catalogue: given.catalogue ?? readEngineCatalogue(JSON.stringify({ built_in: false, engines: given.engines ?? {} })),
    networks: { marks: (address) => given.marks?.[address] ?? [], hasList: (list) => lists.includes(list) },
    names: {
      listings: (name) => (given.listings ?? []).filter(({ entry }) => name === entry || name.endsWith(`.${entry}`)),
      hasList: (list) => lists.includes(list),
      rank: (domain) => given.rank?.(domain),
    },
    resolver,
    clock,
    cache,
    isOnline: given.isOnline,
    onHealth: ({ id }, family, { state, problem }) => health.push(`${id} ${family} ${state} ${problem}`),
    onOutcome: (id, outcome) => outcomes.push(`${id} ${outcome}`),
  });
  const options = (more: Partial<BlacklistOptions> & { gate?: Gate } = {}): BlacklistOptions => ({
    resolver: budgeted(resolver, {}, systemClock, more.gate),
    signal: new AbortController().signal,
    exclude: [],
    key: undefined,
    ...more,
  });
  return {
    dnsbl,
    resolver,
    blacklists,
    outcomes,
    health,
    address: (address: string, more?: Parameters<typeof options>[0]) => blacklists.address(address, options(more)),
    host: (host: string, more?: Parameters<typeof options>[0]) => blacklists.host(host, options(more)),
    async [Symbol.asyncDispose]() {
      blacklists.stop();
      await close();
    },
  };
}
