import type { DomainRegistration, RegistryWays } from '@vedette/intel/ports';
import { createAddressPolicy } from '@vedette/probes/host';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type KeptRegistration, type RegistrationCache } from '../../packages/intel/src/registration/registries.ts';
import { createRegistries, readWhoisServer } from '@vedette/intel/registration';
import { createDialler, systemClock } from '@vedette/probes/net';
import { askRdap, askWhois } from '@vedette/probes/registry';
import { unlimited } from '../intel/fake-resolver.ts';
import { hostsResolver } from '../probes/http/loopback-ports.ts';
import { SHUT } from '../operations/shut.ts';
import { UNKNOWN_DOMAIN } from './unknown.ts';
import {
  type FakeAnswers,
  type FakeRegistries,
  type FakeServers,
  rdapAutnum,
  rdapDomain,
  rdapRegistrant,
  startFakeRegistries,
} from './fake-registries.ts';

const SHOP = 'example-shop.com';
const NOW = new Date('2026-11-21T12:00:00Z');
const HTTPS = ['https:'] as const;

/** A cache in memory, whose answers are as fresh as the test says. */
function memoryCache(isFresh: () => boolean = () => true) {
  const rows = new Map<string, { answer: unknown; heard: Date; times: object }>();
  const cache: RegistrationCache = {
    async get(kind, name): Promise<KeptRegistration | undefined> {
      const row = rows.get(`${kind} ${name}`);
      return row && { answer: structuredClone(row.answer), heard: row.heard, fresh: isFresh() };
    },
    async put(kind, name, answer, times) {
      rows.set(`${kind} ${name}`, { answer: structuredClone(answer), heard: new Date('2026-11-20T08:00:00Z'), times });
    },
  };
  return { cache, rows };
}

/** The registries as a gateway opens them, over real sockets to the fake servers. */
function open(servers: FakeRegistries, { cache, limits = true }: { cache?: RegistrationCache | undefined; limits?: boolean } = {}) {
  const network = { clock: systemClock, ca: [servers.ca], userAgent: 'test' };
  const own = { ...network, resolver: hostsResolver({}), dialler, isDenied: () => false, signal: new AbortController().signal };
  const registries = createRegistries({
    clock: systemClock,
    today: () => NOW,
    plain: false,
    fetch: async (file) => (await askRdap({ url: `${servers.bootstrap}/${file}`, timeout_ms: 5_000, schemes: HTTPS }, own)).json,
    wire: {
      rdap: (question, ways) => askRdap({ ...question, schemes: HTTPS }, { ...network, ...ways }),
      whois: (question, ways) => askWhois(question, { clock: systemClock, ...ways }),
    },
    whoisRoot: readWhoisServer(servers.whois)!,
    gateways: () => 1,
    limits,
    cache,
    onCacheFailed: () => undefined,
  });
  return registries;
}
const dialler = createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'] }) });
const ways = (more: Partial<RegistryWays> = {}): RegistryWays => ({
  resolver: unlimited(hostsResolver({ 'whois.inner.example': ['10.0.0.7'] })),
  dialler,
  isDenied: () => false,
  account: SHUT.account,
  signal: new AbortController().signal,
  timeout_ms: 10_000,
  cachedOnly: false,
  ...more,
});

async function domain(answers: (at: FakeServers) => FakeAnswers, { name = SHOP, ...more }: Partial<RegistryWays> & { name?: string } = {}) {
  await using servers = await startFakeRegistries((at) => ({ suffixes: ['com'], ...answers(at) }));
  const found = await open(servers).domain(name, ways(more));
  return { found, asked: servers.asked.filter((line) => !line.startsWith('bootstrap')) };
}

const REGISTERED: DomainRegistration = {
  ...UNKNOWN_DOMAIN,
  state: 'registered',
  answered: true,
  created: '1997-09-15',
  updated: '2025-09-09',
  expires: '2028-09-14',
  registrar: 'Example Registrar, Inc.',
  registrar_url: 'https://www.registrar.example',
  registrar_abuse_email: 'abuse@registrar.example',
  registrar_iana_id: '9999',
  dnssec: 'unsigned',
  nameservers: [`ns1.${SHOP}`, `ns2.${SHOP}`],
};
const path = `domain/${SHOP}`;

describe('a domain over RDAP', () => {
  it('is what the registry says, and its registrar of its customer', async () => {
    const { found, asked } = await domain(({ registrar }) => ({
      registry: { [path]: rdapDomain(SHOP, { related: `${registrar}${path}` }) },
      registrar: { [path]: rdapDomain(SHOP, { created: '2001-01-01T00:00:00Z', registrant: rdapRegistrant() }) },
    }));
    expect(found).toEqual({
      ...REGISTERED,
      owner_organization: 'Example Shop LLC',
      owner_country: 'US',
      owner_state_province: 'OR',
      owner_email_hash: createHash('sha256').update('hostmaster@example-shop.com').digest('hex'),
      owner_email_domain: 'example-shop.com',
    });
    expect(asked).toEqual([`registry /${path}`, `registrar /${path}`]);
  });

  it.each<[string, (at: FakeServers) => FakeAnswers['registrar'], string]>([
    ['does not know it', () => ({}), 'it does not have this domain'],
    ['tells of another', () => ({ [path]: rdapDomain('other.com') }), 'it answered about something else'],
    ['fails', () => ({ [path]: (response) => response.writeHead(500).end() }), 'status 500'],
    ['wants to be left alone', () => ({ [path]: (response) => response.writeHead(429, { 'retry-after': '60' }).end() }), 'status 429'],
  ])('is what the registry says where the registrar %s', async (_, registrarOf, why) => {
    const { found } = await domain((at) => ({
      registry: { [path]: rdapDomain(SHOP, { related: `${at.registrar}${path}` }) },
      registrar: registrarOf(at) ?? {},
    }));
    expect(found).toEqual({ ...REGISTERED, problem: expect.stringContaining(why) });
    expect(found.problem).toContain('the registry answered, and the registrar did not');
  });

  it.each(['https://10.0.0.1/domain/x', 'https://[::1]/', 'http://127.0.0.2/', 'https://127.0.0.2:22/', 'https://whois.inner.example/'])(
    'is what the registry says where the registrar would be at %s',
    async (related) => {
      const { found, asked } = await domain(() => ({ registry: { [path]: rdapDomain(SHOP, { related }) } }));
      expect(found).toMatchObject({ ...REGISTERED, problem: expect.stringMatching(/not allowed|not a public one/) });
      expect(asked).toEqual([`registry /${path}`]);
    },
  );

  it('is asked of a registrar at the same address, and of no registrar that is the registry itself', async () => {
    const at = async (link: (at: FakeServers) => string) =>
      (await domain((servers) => ({ registry: { [path]: rdapDomain(SHOP, { related: link(servers) }), 'other/x': rdapDomain(SHOP) } })))
        .asked;
    expect(await at(({ registry }) => `${registry}other/x`)).toEqual([`registry /${path}`, 'registry /other/x']);
    expect(await at(({ registry }) => `${registry}${path.toUpperCase()}`)).toEqual([`registry /${path}`]);
  });

  it('is not registered where the registry has no such object, and WHOIS is not asked', async () => {
    const { found, asked } = await domain(() => ({}));
    expect(found).toEqual({ ...UNKNOWN_DOMAIN, state: 'unregistered', answered: true });
    expect(asked).toEqual([`registry /${path}`]);
  });

  it('is not registered where the registry keeps its name reserved', async () => {
    const reserved = { objectClassName: 'domain', ldhName: SHOP, status: ['reserved'] };
    const { found } = await domain(() => ({ registry: { [path]: reserved } }));
    expect(found).toMatchObject({ state: 'unregistered', answered: true, problem: 'the registry keeps this name reserved' });
  });

  it.each<[string, FakeAnswers['registry']]>([
    ['a page for people', { [path]: (response) => response.writeHead(404).end('<html>nothing here</html>') }],
    ['a 429', { [path]: (response) => response.writeHead(429).end() }],
    ['a 500', { [path]: (response) => response.writeHead(500).end() }],
    ['another domain', { [path]: rdapDomain('other.com') }],
    ['no JSON', { [path]: (response) => response.end('{') }],
  ])('is unknown where the registry has %s for it', async (_, registry) => {
    const { found } = await domain(() => ({ registry: registry ?? {}, whoisRoot: () => '' }));
    expect(found).toMatchObject({ state: 'unknown' });
    expect(found.problem).not.toBe('');
  });

  it('is asked of the longest suffix that has a server (RFC 9224 §4)', async () => {
    const name = 'shop.co.example';
    const asked = async (suffixes: string[]) =>
      (await domain(() => ({ suffixes, registry: { [`domain/${name}`]: rdapDomain(name) }, whoisRoot: () => '' }), { name })).asked;
    expect(await asked(['example'])).toEqual([`registry /domain/${name}`]);
    expect(await asked(['co.example', 'com'])).toEqual([`registry /domain/${name}`]);
    expect(await asked(['other.example', 'xample', 'le'])).toEqual([`whois root ${name}`]);
  });
});

const WHOIS =
  'Domain Name: EXAMPLE-SHOP.ZZ\r\nCreation Date: 2004-05-06T00:00:00Z\r\nRegistrar: Somebody\r\nName Server: ns1.example-shop.zz\r\n';
const ZZ = 'example-shop.zz';

describe('a domain over WHOIS', () => {
  const whois = (answers: (at: FakeServers) => FakeAnswers) => domain(answers, { name: ZZ });

  it('is asked from referral to referral', async () => {
    const { found, asked } = await whois(({ whoisRegistrar }) => ({
      whoisRegistry: () => `${WHOIS}Registrar WHOIS Server: ${whoisRegistrar}\r\n`,
      whoisRegistrar: () => `Domain Name: ${ZZ}\r\nRegistrar: Somebody\r\nRegistrant Organization: Example Shop\r\n`,
    }));
    expect(found).toMatchObject({ state: 'registered', created: '2004-05-06', owner_organization: 'Example Shop', problem: '' });
    expect(asked).toEqual([`whois root ${ZZ}`, `whois registry ${ZZ}`, `whois registrar ${ZZ}`]);
  });

  it('is what is told where the RDAP server fails', async () => {
    const { found, asked } = await domain(() => ({
      registry: { [path]: (response) => response.writeHead(502).end() },
      whoisRegistry: () => WHOIS.replaceAll('ZZ', 'COM'),
    }));
    expect(found).toMatchObject({ state: 'registered', created: '2004-05-06', problem: expect.stringContaining('status 502') });
    expect(asked).toHaveLength(3);
  });

  it.each<[string, FakeAnswers, Partial<DomainRegistration>]>([
    ['no match', { whoisRegistry: () => 'No match for domain "EXAMPLE-SHOP.ZZ".\n' }, { state: 'unregistered', answered: true }],
    ['silence', { whoisRegistry: () => '' }, { state: 'unknown', answered: true }],
    ['a limit', { whoisRegistry: () => 'WHOIS LIMIT EXCEEDED - SEE WWW.NIC.ZZ FOR DETAILS\n' }, { state: 'unknown' }],
    ['another domain', { whoisRegistry: () => WHOIS.replace('EXAMPLE-SHOP', 'OTHER') }, { state: 'unknown', answered: true }],
    ['a reservation', { whoisRegistry: () => 'This name is reserved by the registry.\n' }, { state: 'unregistered', answered: true }],
    ['no server', { whoisRoot: () => 'domain: ZZ\nstatus: ACTIVE\n' }, { state: 'unknown', answered: true }],
    ['a server inside', { whoisRoot: () => 'refer: 10.0.0.1\n' }, { state: 'unknown', answered: false }],
    ['a port of mail', { whoisRoot: () => 'refer: 127.0.0.2:25\n' }, { state: 'unknown', answered: false }],
    ['a name inside', { whoisRoot: () => 'refer: whois.inner.example\n' }, { state: 'unknown', answered: false }],
  ])('is read from %s', async (_, answers, says) => {
    const { found } = await whois(() => answers);
    expect(found).toMatchObject({ created: '', registrar: '', ...says });
    expect(found.problem === '').toBe(says.state === 'unregistered' && !found.problem.includes('reserved'));
  });

  it('is not asked in circles, nor over more than three referrals', async () => {
    const circle = await whois(({ whoisRegistry, whoisRegistrar }) => ({
      whoisRegistry: () => `refer: ${whoisRegistrar}\n`,
      whoisRegistrar: () => `refer: ${whoisRegistry}\n`,
    }));
    expect(circle.asked).toHaveLength(3);
    expect(circle.found).toMatchObject({ state: 'unknown', problem: expect.stringContaining('refers back') });
    const ways: string[] = [];
    await using servers = await startFakeRegistries(({ whoisRegistry }) => {
      const [host, port] = whoisRegistry.split(':');
      // The same server under other names of its own, for as long as one likes.
      ways.push(...['00', '000', '0000', '00000', '000000'].map((zeros) => `127.${zeros}.0.2:${port}`), host!);
      return { suffixes: [], whoisRegistry: () => `refer: ${ways.shift()}\n` };
    });
    expect(await open(servers).domain(ZZ, waysOf())).toMatchObject({ state: 'unknown', problem: expect.stringContaining('3 referrals') });
    expect(servers.asked.filter((line) => line.startsWith('whois'))).toHaveLength(4);
  });
});
const waysOf = ways;

describe('a domain below a private registry', () => {
  const resolver = unlimited(hostsResolver({ 'whois.centralnic.com': ['127.0.0.1'], 'rdap.centralnic.com': ['127.0.0.9'] }));
  /** The registry of .com knows the parent, and answers for whatever one asks. */
  const parents = { 'domain/uk.com': rdapDomain('uk.com'), 'domain/shop.uk.com': rdapDomain('shop.uk.com') };

  it('is asked for there, and never of the registry above it', async () => {
    const { found, asked } = await domain(() => ({ registry: parents, whoisRoot: () => WHOIS.replace('EXAMPLE-SHOP.ZZ', 'SHOP.UK.COM') }), {
      name: 'shop.uk.com',
      resolver,
    });
    expect(found).toMatchObject({ state: 'registered', created: '2004-05-06', problem: expect.stringContaining('rdap.centralnic.com') });
    expect(asked).toEqual(['whois root shop.uk.com']);
  });

  it('is free where that registry does not know it', async () => {
    const { found, asked } = await domain(() => ({ registry: parents, whoisRoot: () => 'DOMAIN NOT FOUND\n' }), {
      name: 'shop.co.com',
      resolver,
    });
    expect(found).toMatchObject({ state: 'unregistered', created: '', problem: '' });
    expect(asked).toEqual(['whois root shop.co.com']);
  });

  it('is unknown where that registry is silent, or has no server', async () => {
    const silent = await domain(() => ({ registry: parents, whoisRoot: () => '' }), { name: 'shop.uk.com', resolver });
    expect(silent.found).toMatchObject({ state: 'unknown', created: '' });
    const none = await domain(() => ({ registry: parents }), { name: 'shop.it.com', resolver });
    expect(none.found).toMatchObject({ state: 'unknown', created: '', answered: true, problem: expect.stringContaining('it.com') });
    expect(none.asked).toEqual([]);
  });

  it('leaves the registry of the parent itself as it is', async () => {
    const { found } = await domain(() => ({ registry: parents }), { name: 'uk.com' });
    expect(found).toMatchObject({ state: 'registered', created: '1997-09-15' });
  });
});

describe('an inquiry', () => {
  /** A registry that answers when it is let. */
  function held() {
    const { promise, resolve } = Promise.withResolvers<void>();
    const answers = (): FakeAnswers => ({
      suffixes: ['com'],
      registry: { [path]: (response) => void promise.then(() => response.end(JSON.stringify(rdapDomain(SHOP)))) },
    });
    return { answers, release: resolve };
  }
  const questions = (servers: FakeRegistries) => servers.asked.filter((line) => line.startsWith('registry')).length;

  it('is one for all who ask the same, and goes on when the one that began it has gone', async () => {
    const { answers, release } = held();
    await using servers = await startFakeRegistries(answers);
    const registries = open(servers);
    const leaving = new AbortController();
    const first = registries.domain(SHOP, ways({ signal: leaving.signal }));
    const others = Array.from({ length: 20 }, () => registries.domain(SHOP, ways()));
    await expect.poll(() => questions(servers)).toBe(1);
    leaving.abort(new Error('the client has gone'));
    await expect(first).rejects.toThrow('the client has gone');
    release();
    for (const found of await Promise.all(others)) expect(found).toEqual(REGISTERED);
    expect(questions(servers)).toBe(1);
  });

  it('ends when nobody waits any more', async () => {
    let closed = 0;
    await using servers = await startFakeRegistries(() => ({
      suffixes: ['com'],
      registry: { [path]: (response) => void response.once('close', () => closed++) },
    }));
    const registries = open(servers);
    const leaving = new AbortController();
    const both = [1, 2].map(() => registries.domain(SHOP, ways({ signal: leaving.signal })).catch(() => undefined));
    await expect.poll(() => questions(servers)).toBe(1);
    leaving.abort(new Error('gone'));
    await Promise.all(both);
    await expect.poll(() => closed).toBe(1);
  });

  it('gives what it knows to who can wait no longer', async () => {
    await using servers = await startFakeRegistries(({ registrar }) => ({
      suffixes: ['com'],
      registry: { [path]: rdapDomain(SHOP, { related: `${registrar}${path}` }) },
      registrar: { [path]: () => undefined },
    }));
    const found = await open(servers).domain(SHOP, ways({ timeout_ms: 700 }));
    expect(found).toEqual({
      ...REGISTERED,
      problem: expect.stringMatching(/^the registrar at 127\.0\.0\.2:\d+ has not answered in time$/),
    });
    const silent = await startFakeRegistries(() => ({ suffixes: ['com'], registry: { [path]: () => undefined } }));
    expect(await open(silent).domain(SHOP, ways({ timeout_ms: 300 }))).toMatchObject({ state: 'unknown', answered: false });
    await silent[Symbol.asyncDispose]();
  });
});

describe('the cache', () => {
  const answers = (): FakeAnswers => ({ suffixes: ['com'], registry: { [path]: rdapDomain(SHOP, { registrant: rdapRegistrant() }) } });

  it('answers for a server that was asked, and holds no address', async () => {
    await using servers = await startFakeRegistries(answers);
    const { cache, rows } = memoryCache();
    const registries = open(servers, { cache });
    const first = await registries.domain(SHOP, ways());
    expect(await registries.domain(SHOP, ways())).toEqual(first);
    expect(servers.asked.filter((line) => line.startsWith('registry'))).toHaveLength(1);
    expect([...rows.values()].map(({ times }) => times)).toEqual([{ fresh_s: 86_400, kept_s: 30 * 86_400 }]);
    expect(JSON.stringify([...rows])).not.toMatch(/hostmaster|jo doe/i);
    await registries.domain('not-there.com', ways());
    expect([...rows.values()][1]!.times).toEqual({ fresh_s: 600, kept_s: 600 });
  });

  it('is all that is asked where the request says so', async () => {
    await using servers = await startFakeRegistries(answers);
    const { cache } = memoryCache();
    const registries = open(servers, { cache });
    const miss = await registries.domain(SHOP, ways({ cachedOnly: true }));
    expect(miss).toEqual({ ...UNKNOWN_DOMAIN, problem: 'it is not in the cache, and no registry was asked' });
    expect(servers.asked).toEqual([]);
    const heard = await registries.domain(SHOP, ways());
    expect(await registries.domain(SHOP, ways({ cachedOnly: true }))).toEqual(heard);
  });

  it('answers with what was heard once where nobody answers now', async () => {
    let silent = false;
    await using servers = await startFakeRegistries(() => ({
      suffixes: ['com'],
      registry: { [path]: (response) => void (silent ? response.writeHead(500).end() : response.end(JSON.stringify(rdapDomain(SHOP)))) },
      whoisRoot: () => '',
    }));
    const { cache } = memoryCache(() => false);
    const registries = open(servers, { cache });
    await registries.domain(SHOP, ways());
    silent = true;
    const found = await registries.domain(SHOP, ways());
    expect(found).toEqual({ ...REGISTERED, problem: expect.stringMatching(/status 500.*this was heard on 2026-11-20/) });
  });

  it('that fails is done without', async () => {
    await using servers = await startFakeRegistries(answers);
    const fails = () => Promise.reject(new Error('the database is away'));
    expect(await open(servers, { cache: { get: fails, put: fails } }).domain(SHOP, ways())).toMatchObject({ state: 'registered' });
  });
});

describe('a server', () => {
  const account = (id: string) => ({ account: { ...SHUT.account, id } });

  it('is asked so much over all accounts, and one account leaves the others their share', async () => {
    await using servers = await startFakeRegistries(() => ({ suffixes: ['com'] }));
    const registries = open(servers);
    const greedy = await Promise.all(Array.from({ length: 60 }, (_, i) => registries.domain(`greedy-${i}.com`, ways(account('greedy')))));
    const refused = greedy.filter(({ state }) => state === 'unknown');
    // Ten of the burst of twenty, and what comes back within half of the ten seconds that it waits.
    expect(60 - refused.length).toBeGreaterThanOrEqual(10);
    expect(60 - refused.length).toBeLessThanOrEqual(17);
    expect(refused.every(({ retry_after_s, answered, problem }) => retry_after_s > 0 && !answered && problem.includes('too often'))).toBe(
      true,
    );
    expect(await registries.domain('modest.com', ways(account('modest')))).toMatchObject({ state: 'unregistered' });
    expect(servers.asked.some((line) => line.startsWith('whois'))).toBe(false);
  });

  it('that asks to be left alone is, for all accounts', async () => {
    await using servers = await startFakeRegistries(() => ({
      suffixes: ['com'],
      registry: { [path]: (response) => response.writeHead(429, { 'retry-after': '120' }).end() },
    }));
    const registries = open(servers);
    expect(await registries.domain(SHOP, ways(account('one')))).toMatchObject({
      state: 'unknown',
      problem: expect.stringContaining('status 429'),
    });
    const second = await registries.domain('other.com', ways(account('two')));
    expect(second).toMatchObject({
      state: 'unknown',
      retry_after_s: 0,
      problem: expect.stringMatching(/is not asked for another 1\d\d s/),
    });
    expect(servers.asked.filter((line) => line.startsWith('registry'))).toHaveLength(1);
  });

  it('whose terms of use speak of too many queries goes on being asked', async () => {
    const terms = 'Terms of Use: This service is for lawful purposes. If too many queries are received, further queries are rejected.\n';
    await using servers = await startFakeRegistries(() => ({
      suffixes: [],
      whoisRegistry: (query) => (query === ZZ ? WHOIS : `Domain not found.\n${terms}`),
    }));
    const registries = open(servers);
    expect(await registries.domain('free.zz', ways(account('one')))).toMatchObject({ state: 'unregistered', problem: '' });
    expect(await registries.domain(ZZ, ways(account('two')))).toMatchObject({ state: 'registered', created: '2004-05-06' });
  });

  it('that fails again and again is asked now and then', async () => {
    await using servers = await startFakeRegistries(() => ({
      suffixes: ['com'],
      registry: Object.fromEntries(
        Array.from({ length: 9 }, (_, i) => [
          `domain/shop-${i}.com`,
          (response: import('node:http').ServerResponse) => response.writeHead(500).end(),
        ]),
      ),
      whoisRoot: () => '',
    }));
    const registries = open(servers, { limits: false });
    for (let i = 0; i < 9; i++) expect(await registries.domain(`shop-${i}.com`, ways())).toMatchObject({ state: 'unknown' });
    expect(servers.asked.filter((line) => line.startsWith('registry'))).toHaveLength(3);
  });
});

describe('an autonomous system', () => {
  async function autnum(asn: number, registry: FakeAnswers['registry'], autnums = ['60000-60999', '61005']) {
    await using servers = await startFakeRegistries(() => ({ autnums, registry: registry ?? {} }));
    return await open(servers).autonomousSystem(asn, ways());
  }
  const NOTHING = { asname: '', org: '', country_code: '', status: '', created: '', updated: '', address: '', abuse_email: '', rir: '' };

  it('is what its registry says, with the abuse contact inside its organisation', async () => {
    expect(await autnum(60_001, { 'autnum/60001': rdapAutnum(60_001) })).toEqual({
      state: 'registered',
      answered: true,
      problem: '',
      retry_after_s: 0,
      asname: 'EXAMPLE-AS',
      org: 'Example Networks B.V.',
      country_code: '',
      status: 'active',
      created: '2003-05-12',
      updated: '2024-02-29',
      address: 'Voorbeeldstraat 1, 1000AA, Amsterdam, NETHERLANDS',
      abuse_email: 'abuse@example-networks.example',
      rir: 'RIPE',
    });
  });

  it('has its abuse contact asked for where that is described apart, at the same server only', async () => {
    await using servers = await startFakeRegistries(({ registry, registrar }) => {
      const linked = (href: string, asn: number) =>
        rdapAutnum(asn, {
          port43: 'whois.lacnic.net',
          country: 'br',
          entities: [{ objectClassName: 'entity', handle: 'ABU', roles: ['abuse'], links: [{ rel: 'self', href }] }],
        });
      const abuse = { objectClassName: 'entity', handle: 'ABU', vcardArray: ['vcard', [['email', {}, 'text', 'abuse@example.net']]] };
      return {
        autnums: ['60000-60999'],
        registry: {
          'autnum/60001': linked(`${registry}entity/ABU`, 60_001),
          'autnum/60002': linked(`${registrar}entity/ABU`, 60_002),
          'entity/ABU': abuse,
        },
        registrar: { 'entity/ABU': abuse },
      };
    });
    const registries = open(servers);
    expect(await registries.autonomousSystem(60_001, ways())).toMatchObject({
      abuse_email: 'abuse@example.net',
      rir: 'LACNIC',
      country_code: 'BR',
    });
    expect(await registries.autonomousSystem(60_002, ways())).toMatchObject({ abuse_email: '' });
    expect(servers.asked.filter((line) => line.startsWith('registrar'))).toEqual([]);
  });

  it('is not registered where its registry has no such number, or none was given it', async () => {
    expect(await autnum(60_001, {})).toEqual({ ...NOTHING, state: 'unregistered', answered: true, problem: '', retry_after_s: 0 });
    expect(await autnum(61_004, {})).toMatchObject({
      state: 'unregistered',
      answered: true,
      problem: 'no regional registry was given this number',
    });
  });

  it.each<[string, object | undefined]>([
    ['another number', rdapAutnum(60_002)],
    ['the block that the registry was given', rdapAutnum(60_001, { startAutnum: 59_392, endAutnum: 64_495 })],
    ['a domain', rdapDomain(SHOP)],
    ['an object without numbers', { objectClassName: 'autnum', name: 'X' }],
  ])('is unknown where the answer is %s', async (_, object) => {
    expect(await autnum(60_001, { 'autnum/60001': object! })).toMatchObject({
      state: 'unknown',
      problem: expect.stringContaining('something else'),
    });
  });

  it('is of JPNIC where the answer says so, and its numbers may be texts', async () => {
    const at = (port43: string) => autnum(60_001, { 'autnum/60001': rdapAutnum(60_001, { port43 }) });
    expect(await at('whois.apnic.net')).toMatchObject({ rir: 'APNIC' });
    expect(await at('whois.nic.ad.jp')).toMatchObject({ rir: 'JPNIC' });
    expect(await at('')).toMatchObject({ rir: '' });
    const inTexts = rdapAutnum(60_001, { startAutnum: '60001', endAutnum: '60001' });
    expect(await autnum(60_001, { 'autnum/60001': inTexts })).toMatchObject({ state: 'registered', rir: 'RIPE' });
  });
});
