import { type Clock, type Dialler, isAtOrUnder, isSpecialUseName, type Resolver } from '@vedette/contract';
import { createAddressPolicy } from '@vedette/probes/host';
import { ENGINE_CATALOGUE } from '@vedette/intel/engines';
import { createNames } from '@vedette/intel/names';
import { createRegistries } from '@vedette/intel/registration';
import { refusing } from '@vedette/probes/dns';
import { createDialler, systemClock } from '@vedette/probes/net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineRates } from '../../packages/gateway/src/intel/blacklists.ts';
import { OptOuts } from '@vedette/probes/host';
import { registrableDomain } from '../../packages/gateway/src/shares/registrable-domain.ts';
import { TargetRates } from '../../packages/gateway/src/shares/target-rates.ts';
import { domainReputation } from '../../packages/operations/src/domain-reputation/index.ts';
import { ipReputation } from '../../packages/operations/src/ip-reputation/index.ts';
import { siteTrust } from '../../packages/operations/src/site-trust/index.ts';
import { fakeResolver } from '../intel/fake-resolver.ts';
import { openBlacklists } from '../intel/engines/open-blacklists.ts';
import { SHUT } from '../operations/shut.ts';
import { type FakeSites, startFakeSites } from '../operations/site-trust/fake-sites.ts';
import { rdapDomain } from '../registries/fake-registries.ts';
import { openApp, stubLedger } from './app-server.ts';

// Forty phishing kits of one day, six at a time: fifteen were trusted 40, and 25 were sold at 81, since their registry was not asked.
const KITS = Array.from({ length: 40 }, (_, i) => `kit${i}.test`);
const AT_ONCE = 6;
const DAY_MS = 86_400_000;
const FIVE_DAYS_AGO = new Date(Date.now() - 5 * DAY_MS).toISOString();

/** Time stands still for rates, which so let through their bursts and no more; who waits for his turn gets it at once, and no deadline passes. */
const standing = (waited_ms: number): Clock => ({
  now: () => 0,
  sleep: (ms, signal) => (ms <= waited_ms ? Promise.resolve() : systemClock.sleep(DAY_MS, signal)),
});

const SITE = { A: ['127.0.0.1'], NS: ['ns1.host.test'] };

/** Engines have all the time that a busy machine takes. */
const patient = (times: number): Clock => ({ ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms * times, signal) });

let sites: FakeSites;
beforeAll(async () => {
  sites = await startFakeSites({ kits: KITS });
});
afterAll(() => sites[Symbol.asyncDispose]());

type RegistrationCache = NonNullable<Parameters<typeof createRegistries>[0]['cache']>;
type KeptRegistration = NonNullable<Awaited<ReturnType<RegistrationCache['get']>>>;

function memory(): RegistrationCache {
  const kept = new Map<string, KeptRegistration>();
  return {
    get: async (kind, name) => kept.get(`${kind} ${name}`),
    put: async (kind, name, answer) => void kept.set(`${kind} ${name}`, { answer, heard: new Date(), fresh: true }),
  };
}

/** A gateway with the limits that it has by default; the internet is a registry, the zones of the catalogue's engines, and sites. */
async function open({ listed = [] as readonly string[], waited_ms = 3_500, patience = 50, isTried = true } = {}) {
  await using opened = new AsyncDisposableStack();
  const catalogue = ENGINE_CATALOGUE.filter(({ key }) => key !== true).map((engine) => ({
    ...engine,
    test: { listed: 'listed', clean: 'clean' },
  }));
  const zoneEntries = catalogue.flatMap(({ zone, zone6, codes = {} }) => {
    const [code = '127.0.0.2'] = Object.keys(codes).map((range) => range.replace(/-.*/, ''));
    const entries = Object.fromEntries(['listed', ...listed].map((key) => [key, [code]]));
    return [zone, zone6].flatMap((name) => (name === undefined ? [] : [[name, { listed: entries }] as const]));
  });
  const engineZones = Object.fromEntries(zoneEntries);
  const {
    blacklists,
    dnsbl,
    resolver: engineDns,
  } = opened.use(
    await openBlacklists({
      catalogue,
      clock: patient(patience),
      zones: engineZones,
      lists: catalogue.flatMap(({ list }) => list ?? []),
    }),
  );
  blacklists.start();
  if (isTried) while (blacklists.status().some(({ state }) => state === 'untried')) await systemClock.sleep(5);
  const asked: string[] = [];
  const registries = createRegistries({
    clock: standing(waited_ms),
    today: () => new Date(),
    plain: false,
    fetch: async () => ({ version: '1.0', services: [[['test'], ['https://rdap.test/']]] }),
    wire: {
      async rdap({ url }) {
        asked.push(url);
        const json = rdapDomain(url.split('/').at(-1)!, { created: FIVE_DAYS_AGO });
        return { status: 200, json, isPage: false, retryAfter: '', url };
      },
      whois: () => Promise.reject(new Error('not asked')),
    },
    whoisRoot: { host: 'whois.test', port: 43 },
    gateways: () => 1,
    limits: true,
    cache: memory(),
    onCacheFailed() {},
  });
  const inner = createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'] }) });
  const dialler: Dialler = {
    ...inner,
    tcp: (options) => inner.tcp({ ...options, port: options.port === 443 ? sites.httpsPort : sites.httpPort }),
  };
  const names = fakeResolver({ test: { NS: ['a.nic.test'] }, ...Object.fromEntries(KITS.map((kit) => [kit, SITE])) });
  const zones = new Set(Object.keys(engineZones));
  const isEngines = (name: string): boolean => [...zones].some((zone) => isAtOrUnder(name, zone));
  const resolver: Resolver = {
    ...names,
    query: (name, ...rest) => (isEngines(name) ? engineDns : names).query(name, ...rest),
  };
  const open = refusing(resolver, isSpecialUseName);
  const settled: string[] = [];
  const app = opened.use(
    await openApp({
      operations: [siteTrust, domainReputation, ipReputation],
      ledger: { ...stubLedger(), settle: async ({ operation }) => void settled.push(operation) },
      optOuts: new OptOuts({ siteOf: registrableDomain, resolver: open, clock: systemClock }),
      rates: new TargetRates({ clock: standing(0), spares: [], gateways: () => 1, zones: engineRates(ENGINE_CATALOGUE) }),
      ports: {
        ...SHUT,
        clock: systemClock,
        resolver: open,
        dialler,
        ca: [sites.root],
        names: createNames(),
        registries,
        blacklists,
      },
    }),
  );
  const stack = opened.move();
  const post = async (operation: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${app.port}/v2/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'key-of-a' },
      body: JSON.stringify(body),
    });
    return { status: response.status, retryAfter: response.headers.get('retry-after'), report: (await response.json()) as any }; // oxlint-disable-line typescript/no-explicit-any
  };
  return {
    asked,
    settled,
    /** What all zones do from now on, until it is called again without a word. */
    behave: (all?: 'silent') => Object.entries(engineZones).forEach(([zone, good]) => dnsbl.zones.set(zone, all ?? good)),
    /** Asks about all, so many at a time. */
    async ask(operation: string, bodies: readonly object[], atOnce = AT_ONCE) {
      const answers: Awaited<ReturnType<typeof post>>[] = [];
      const left = bodies.entries();
      const one = async (): Promise<void> => {
        for (const [, body] of left) answers.push(await post(operation, body));
      };
      await Promise.all(Array.from({ length: atOnce }, one));
      return answers;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** The ways in which answers were refused, each once. */
const refusals = (answers: readonly { status: number; retryAfter: string | null; report: { code?: string } }[]): string[] => [
  ...new Set(
    answers.flatMap(({ status, retryAfter, report }) =>
      status === 200 ? [] : [`${report.code}, ${Number(retryAfter) > 0 ? 'come back' : 'no word when'}`],
    ),
  ),
];
const told = (answers: readonly { status: number }[], status: number) => answers.filter((answer) => answer.status === status).length;

/**
 * An account's part of a zone's burst is 25 questions where the zone's terms allow least, and two more have their turn within 4 s. At a listing the
 * zone's test entry takes up to two of these.
 */
function expectShareOf(answers: readonly { status: number }[], settled: readonly unknown[]): void {
  expect([25, 26, 27]).toContain(told(answers, 200));
  expect([told(answers, 200) + told(answers, 429), settled.length]).toEqual([40, told(answers, 200)]);
}

describe('forty subjects of one kind at once, with the limits that there are by default', () => {
  it('site-trust: get one verdict, or a free word to come back', async () => {
    await using gateway = await open({ waited_ms: 7_500 });
    const answers = await gateway.ask(
      'site-trust',
      KITS.map((host) => ({ host })),
    );
    const verdicts = answers.flatMap(({ status, report }) =>
      status === 200 ? [`${report.security_checks.is_domain_very_recent} ${report.trust_score.result}`] : [],
    );
    expect([...new Set(verdicts)]).toEqual(['yes 40']);
    // Ten of the registry's burst, and seven within half of the fifteen seconds that a request waits.
    expect([told(answers, 200), told(answers, 429)]).toEqual([17, 23]);
    expect(refusals(answers)).toEqual(['target_limited, come back']);
    expect(gateway.settled).toHaveLength(17);
  });
  it('domain-reputation: get one verdict for one name, and its registry is asked once', async () => {
    await using gateway = await open();
    const answers = await gateway.ask(
      'domain-reputation',
      Array.from({ length: 40 }, () => ({ host: 'kit1.test', include_domain_age: true })),
    );
    const verdicts = answers.map(
      ({ status, report }) => `${status} ${report.security_checks?.is_domain_very_recent} ${report.risk_score?.result}`,
    );
    expect([...new Set(verdicts)]).toEqual(['200 yes 55']); // 1 − 0.65 × 0.7: it is five days old, and its address is of the loopback
    expect(gateway.asked).toEqual(['https://rdap.test/domain/kit1.test']);
  });

  it.each([
    ['listed by every zone', true, 97],
    ['listed by no zone', false, 0],
  ])('ip-reputation: get one verdict, or a free word to come back, being %s', async (_, isListed, risk) => {
    const ips = Array.from({ length: 40 }, (_, i) => `9.9.${i}.1`);
    await using gateway = await open({ listed: isListed ? ips : [] });
    const answers = await gateway.ask(
      'ip-reputation',
      ips.map((ip) => ({ ip, disable_reverse_dns: true })),
      ips.length,
    );
    const verdicts = answers.flatMap(({ status, report }) =>
      status === 200 ? [`${report.risk_score.result}, ${report.blacklists.unanswered.length} silent`] : [],
    );
    expect([...new Set(verdicts)]).toEqual([`${risk}, 0 silent`]);
    expectShareOf(answers, gateway.settled);
    expect(refusals(answers)).toEqual(['target_limited, come back']);
  });

  it('domain-reputation: get one verdict, or a free word to come back, being listed by every zone', async () => {
    await using gateway = await open({ listed: KITS });
    const answers = await gateway.ask(
      'domain-reputation',
      KITS.map((host) => ({ host })),
      KITS.length,
    );
    const verdicts = answers.flatMap(({ status, report }) =>
      status === 200 ? [`${report.risk_score.result}, ${report.blacklists.unanswered.length} silent`] : [],
    );
    expect([...new Set(verdicts)]).toEqual(['74, 0 silent']);
    expectShareOf(answers, gateway.settled);
    expect(refusals(answers)).toEqual(['target_limited, come back']);
  });
});

describe('ten subjects that every zone lists, with real DNS servers', () => {
  const ips = (from: number) => Array.from({ length: 10 }, (_, i) => `9.9.${from + i}.1`);
  const bodies = (from: number) => ips(from).map((ip) => ({ ip, disable_reverse_dns: true }));
  const verdicts = (answers: readonly { status: number; report: any }[]): string[] => [
    // oxlint-disable-line typescript/no-explicit-any
    ...new Set(answers.map(({ status, report }) => `${status} ${report.risk_score?.result ?? report.code}`)),
  ];

  it('get one verdict in the moment of a start', async () => {
    await using gateway = await open({ listed: ips(0), isTried: false });
    expect(verdicts(await gateway.ask('ip-reputation', bodies(0), 10))).toEqual(['200 97']);
  });

  it('get no priced report while our line stands still, and one verdict in the moment after', async () => {
    await using gateway = await open({ listed: [...ips(0), ...ips(10)], patience: 5 });
    gateway.behave('silent');
    expect(verdicts(await gateway.ask('ip-reputation', bodies(0), 10))).toEqual(['502 upstream_failed']);
    expect(gateway.settled).toEqual([]);
    gateway.behave();
    expect(verdicts(await gateway.ask('ip-reputation', bodies(10), 10))).toEqual(['200 97']);
    expect(gateway.settled).toHaveLength(10);
  });
});

describe('forty requests about one subject at once, with the limits that there are by default', () => {
  it.each([
    ['ip-reputation', { ip: '9.9.9.9', disable_reverse_dns: true }, ['9.9.9.9'], 97],
    ['domain-reputation', { host: 'kit1.test' }, ['kit1.test'], 74],
  ] as const)('%s: get one verdict, all of them, and each zone is asked once', async (operation, body, listed, risk) => {
    await using gateway = await open({ listed });
    const answers = await gateway.ask(
      operation,
      Array.from({ length: 40 }, () => body),
      40,
    );
    const verdicts = answers.map(({ status, report }) => `${status} ${report.risk_score?.result ?? report.code}`);
    expect([...new Set(verdicts)]).toEqual([`200 ${risk}`]);
    expect(gateway.settled).toHaveLength(40);
  });
});
