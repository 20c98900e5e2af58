import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Operation, withElapsed } from '@vedette/operations/kit';
import { operations } from '@vedette/operations';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTRACT_FIELDS, contractBreaches } from './contract-fields.ts';
import { type IntelligenceWorld, LISTED, SITE, startIntelligenceWorld } from './intelligence-world.ts';
import { processOf } from './processes.ts';
import { NO_BROWSER, NO_AGENTS } from './one-machine.ts';

const CLI = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));
const COSTS: Readonly<Record<string, number>> = {
  'ip-reputation': 1,
  'domain-reputation': 1,
  'site-trust': 10,
  'reverse-ip': 1,
  'asn-info': 1,
  'domain-info': 2,
  'phone-validator': 1,
};

let world: IntelligenceWorld;
beforeAll(async () => {
  world = await startIntelligenceWorld({ ...NO_BROWSER, ...NO_AGENTS });
});
afterAll(() => world?.[Symbol.asyncDispose]());

interface Answered {
  status: number;
  report: any;
  cost: number;
  remaining: number;
}

/** Asks as a user does; what it cost and what is left is read from the header. */
async function ask(operation: string, body: object): Promise<Answered> {
  const response = await world.machine.post(operation, body);
  const report: unknown = await response.json();
  const [, remaining, cost] =
    /^limit=\d+, remaining=(\d+), reset=\d+, cost=(\d+)$/.exec(response.headers.get('x-service-quota') ?? '') ?? [];
  return { status: response.status, report, cost: Number(cost), remaining: Number(remaining) };
}

/** A whole answer: every field of the contract, and of our own description, at the price of the list. */
async function answerOf(name: string, body: object, cost = COSTS[name]): Promise<any> {
  const { status, report, cost: charged } = await ask(name, body);
  expect({ status, charged, report }).toMatchObject({ status: 200, charged: cost });
  expect(contractBreaches(name, report)).toEqual([]);
  const operation: Operation = operations.find((each) => each.name === name)!;
  expect(Compile(withElapsed(operation.response)).Errors(report)).toEqual([]);
  return report;
}

const REFUSED = { status: 400, cost: 0 };
const BLIND = { status: 502, cost: 0, report: { code: 'upstream_failed' } };

it('asks the seven operations of the contract', () => {
  expect(Object.keys(CONTRACT_FIELDS).sort()).toEqual(Object.keys(COSTS).sort());
});

// The fake sites are at ports 80 and 443.
describe.skipIf(process.getuid?.() !== 0)('a machine with blacklists, registries and sites around it', () => {
  it('ip-reputation', async () => {
    const clean = await answerOf('ip-reputation', { ip: '8.8.8.8' });
    expect(clean).toMatchObject({
      version: 'IPv4',
      blacklists: { detections: 0, engines_count: 2, detection_rate: '0%' },
      information: { reverse_dns: 'dns.google', country_code: 'US', asn: 'AS15169' },
      risk_score: { result: 0 },
    });
    const listed = await answerOf('ip-reputation', { ip: LISTED, disable_reverse_dns: true });
    expect(listed.blacklists).toMatchObject({
      detections: 1,
      detection_rate: '50%',
      engines: { 0: { name: 'bl.one.test', detected: true } },
    });
    expect(listed.risk_score.result).toBeGreaterThan(0);
    const without = await answerOf('ip-reputation', { ip: LISTED, disable_reverse_dns: true, exclude_engines: 'bl.one.test' });
    expect(without.blacklists).toMatchObject({ detections: 0, engines_count: 1 });
    expect(await answerOf('ip-reputation', { ip: '2001:4860:4860::8888', disable_reverse_dns: true })).toMatchObject({ version: 'IPv6' });
  });

  it('domain-reputation', async () => {
    const aged = await answerOf('domain-reputation', { host: 'plain.test', include_domain_age: true }, 2);
    expect(aged).toMatchObject({
      server_details: { ip: SITE },
      security_checks: { domain_creation_date: '2001-02-03', is_domain_recent: 'no', is_domain_blacklisted: false },
    });
    expect(
      (await answerOf('domain-reputation', { host: 'phishing.test', include_domain_age: true }, 2)).security_checks.is_domain_blacklisted,
    ).toBe(true);
    const { report, cost } = await ask('domain-reputation', { host: 'plain.test' });
    expect([cost, Object.keys(report.security_checks).filter((check) => check.includes('age') || check.includes('recent'))]).toEqual([
      1,
      [],
    ]);
  });

  it('site-trust', async () => {
    const plain = await answerOf('site-trust', { host: 'plain.test' });
    expect(plain).toMatchObject({
      html_info: { title: 'The bakery at the bridge', lang: 'en' },
      response_headers: { code: 200 },
      security_checks: { is_valid_https: true, is_hsts_header: true, is_http_redirected_to_https: true, is_dmarc_enforced: true },
    });
    const phishing = await answerOf('site-trust', { host: 'phishing.test' });
    expect(phishing.security_checks).toMatchObject({ is_domain_blacklisted: true, is_suspicious_domain: expect.any(Boolean) });
    expect(phishing.trust_score.result).toBeLessThan(plain.trust_score.result);
    expect((await answerOf('site-trust', { host: 'suspended.test' })).security_checks.is_suspended_site).toBe(true);
  }, 180_000);

  it('reverse-ip, filled by an import and by what two accounts asked before', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'import-'));
    const file = join(folder, 'names.csv');
    await writeFile(file, Array.from({ length: 501 }, (_, n) => `n${n}.org,${LISTED},2026-11-2${n % 2}\n`).join(''));
    const env = { ...process.env, VEDETTE_OPS_PORT: String(world.machine.opsPort), VEDETTE_DATA_DIR: world.machine.dataDir };
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'pdns', 'import', file], { env });
    expect(stdout).toBe('501 lines, 501 names at addresses:\n  501 new\n');
    await rm(folder, { recursive: true });
    const first = await answerOf('reverse-ip', { ip: LISTED });
    expect([first.page_num, first.records_num, first.domains[0].name, first.domains[0].updated.slice(0, 10)]).toEqual([
      1,
      500,
      'n1.org',
      '2026-11-21',
    ]);
    const { report } = await ask('reverse-ip', { ip: LISTED, page_num: 2 });
    expect(report).toMatchObject({ page_num: 2, records_num: 1, domains: [{ updated: '2026-11-20T00:00:00Z' }] });
    // ip-reputation confirmed the name of 8.8.8.8 by its address: for one account, then for a second. It is written five seconds later, or ten if
    // the zone was slow to say whether its owner agrees.
    expect((await ask('reverse-ip', { ip: '8.8.8.8' })).report.domains).toEqual([]);
    const vedette = async (...args: string[]) =>
      JSON.parse((await promisify(execFile)(process.execPath, [CLI, '--json', ...args], { env })).stdout);
    const { id } = await vedette('accounts', 'create', '--name', 'second', '--plan', 'bootstrap');
    const { key } = await vedette('keys', 'create', '--account', id, '--name', 'second');
    expect((await world.machine.post('ip-reputation', { ip: '8.8.8.8' }, { 'x-api-key': key })).status).toBe(200);
    await expect
      .poll(async () => (await ask('reverse-ip', { ip: '8.8.8.8' })).report.domains, { timeout: 40_000, interval: 500 })
      .toMatchObject([{ name: 'dns.google' }]);
  }, 90_000);

  it('brands of the operator, by an import', async () => {
    const risk = async (host: string) => (await ask('domain-reputation', { host })).report.risk_score;
    const named = ({ factors }: { factors: { factor: string; detail: string }[] }) =>
      factors.flatMap(({ factor, detail }) => (/brand/.test(factor) ? [detail] : []));
    expect(named(await risk('zuendkraft-verify.example'))).toEqual([]);
    const folder = await mkdtemp(join(tmpdir(), 'import-'));
    const file = join(folder, 'brands.txt');
    const env = { ...process.env, VEDETTE_OPS_PORT: String(world.machine.opsPort), VEDETTE_DATA_DIR: world.machine.dataDir };
    const load = async (text: string) => {
      await writeFile(file, text);
      return promisify(execFile)(process.execPath, [CLI, 'feeds', 'import', 'brands', file], { env });
    };
    await expect(load('# ours\nZuendkraft\n')).rejects.toMatchObject({ stderr: expect.stringContaining('line 2: ') });
    expect((await load('# ours\nZuendkraft; zuendkraft.example\n')).stdout).toBe('brands: 1 rows are used from now on.\n');
    await rm(folder, { recursive: true });
    expect(named(await risk('zuendkraft-login.example'))).toEqual(['zuendkraft with words of forgers']);
    expect(named(await risk('login.zuendkraft.example'))).toEqual([]);
  }, 60_000);

  it('asn-info', async () => {
    const known = await answerOf('asn-info', { asn: 'AS3333' });
    expect(known).toMatchObject({
      asn: 'AS3333',
      asname: 'EXAMPLE-AS',
      org: 'Example Networks B.V.',
      created: '2003-05-12',
      abuse_email: 'abuse@example-networks.example',
    });
    expect(known.routes.ipv4.prefixes.length).toBe(known.routes.ipv4.total_prefixes);
  });

  it('domain-info', async () => {
    const known = await answerOf('domain-info', { host: 'plain.test' });
    expect(known).toMatchObject({
      domain_registered: 'yes',
      domain_creation_date: '2001-02-03',
      registrar: 'Example Registrar, Inc.',
      owner_organization: 'Example Shop LLC',
    });
    expect((await ask('domain-info', { host: 'nobody-has-this.test' })).report).toMatchObject({ domain_registered: 'no' });
    const asked = world.registries.asked.length;
    expect((await ask('domain-info', { host: 'plain.test', cache_only: true })).report).toMatchObject({
      domain_creation_date: '2001-02-03',
    });
    expect(world.registries.asked.length).toBe(asked);
  });

  it('domain-age, from the same answers', async () => {
    const asked = world.registries.asked.length;
    expect(await ask('domain-age', { host: 'www.plain.test' })).toMatchObject({
      status: 200,
      cost: 1,
      report: { registrable_domain: 'plain.test', domain_age_found: true, domain_creation_date: '2001-02-03', debug_message: '' },
    });
    const given = await ask('domain-age', { host: 'someone.github.io' });
    expect([given.report.domain_age_found, given.report.domain_registered, world.registries.asked.length]).toEqual([
      false,
      'unknown',
      asked,
    ]);
    expect(await ask('domain-age', { host: 'nobody-has-this-one.test' })).toMatchObject({ cost: 1, report: { domain_registered: 'no' } });
    const body = { items: ['plain.test', 'com'] };
    const bulk = (await (await world.machine.post('domain-age/bulk', body)).text()).trimEnd().split('\n');
    expect(bulk.map((line) => (JSON.parse(line) as { status: number }).status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });

  it('parked-domain, over a site of each kind', async () => {
    const parked = await ask('parked-domain', { host: 'parked.test' });
    expect(parked).toMatchObject({
      status: 200,
      cost: 2,
      report: {
        parked_domain: true,
        confidence: 'high',
        parking_provider: 'Sedo',
        for_sale: true,
        a_records: [SITE],
      },
    });
    const plain = await ask('parked-domain', { host: 'www.plain.test' });
    expect(plain.report).toMatchObject({ parked_domain: false, reasons: [], url_final: 'https://plain.test/' });
    expect(plain.report.confidence).toBe('medium'); // no zone of this world has a SOA, so that its name servers are not known
  });

  it('phone-validator', async () => {
    expect(await answerOf('phone-validator', { number: '442079250918' })).toMatchObject({
      valid: true,
      country_code: 'GB',
      location: 'London',
      line_type: 'Fixed Line',
    });
    expect(await answerOf('phone-validator', { number: '(415) 555-0123', country_code: 'US' })).toMatchObject({
      valid: true,
      abusive: true,
    });
  });

  it.each<[string, object]>([
    ['ip-reputation', { ip: '10.0.0.1' }],
    ['ip-reputation', { ip: 'example.org' }],
    ['ip-reputation', {}],
    ['domain-reputation', { host: 'a..b' }],
    ['domain-reputation', { host: 'plain.test', domain_age_cache_only: true }],
    ['site-trust', { host: SITE }],
    ['reverse-ip', { ip: '2001:4860:4860::8888' }],
    ['reverse-ip', { ip: '192.168.0.1' }],
    ['reverse-ip', { ip: '8.8.8.8', page_num: 0 }],
    ['reverse-ip', { ip: '8.8.8.8', page_num: 1.5 }],
    ['reverse-ip', { ip: '8.8.8.8', page_num: '2' }],
    ['asn-info', { asn: '3333' }],
    ['asn-info', { asn: 'AS0' }],
    ['asn-info', { asn: 'AS4294967296' }],
    ['domain-info', { host: 'plain.test', timeout: 4 }],
    ['domain-info', { host: 'plain.test', timeout: 31 }],
    ['domain-info', { host: 'com' }],
    ['domain-age', { host: 'co.uk' }],
    ['parked-domain', { host: 'www.army.mil' }],
    ['parked-domain', { host: '8.8.8.8' }],
    ['phone-validator', { number: '' }],
    ['phone-validator', { number: '1'.repeat(251) }],
    ['phone-validator', { number: '4155552671', country_code: 'ZZ' }],
    ['phone-validator', { number: '4155552671', country_code: 'USA' }],
    ['phone-validator', { number: 4_155_552_671 }],
  ])('%s refuses %j, and takes nothing', async (operation, body) => {
    expect(await ask(operation, body)).toMatchObject(REFUSED);
  });

  it('a kill of the gateway midway charges nothing, and it serves on', async () => {
    const { remaining } = await ask('phone-validator', { number: '+442079250918' });
    const gateway = processOf(world.machine.process.pid!, 'packages/gateway/src/main.ts');
    const slow = ask('site-trust', { host: 'loris.test' }).catch(() => undefined);
    await expect.poll(() => world.sites.requests.some((request) => request.includes('loris.test')), { timeout: 10_000 }).toBe(true);
    process.kill(gateway, 'SIGKILL');
    expect(await slow).toBeUndefined();
    const again = () => ask('phone-validator', { number: '+442079250918' }).catch(() => undefined);
    let back: Answered | undefined;
    await expect.poll(async () => (back = await again())?.status, { timeout: 60_000, interval: 100 }).toBe(200);
    // What the dead gateway held is given back within three seconds.
    const left = async () => (await ask('account-info', {})).report.credits?.remained;
    await expect.poll(left, { timeout: 30_000, interval: 1_100 }).toBe(remaining - 1);
    expect(back?.cost).toBe(1);
  }, 180_000);

  it('who is blind says so, for free', async () => {
    const { dns, registries } = world;
    for (const zone of ['bl.one.test', 'bl.two.test']) dns.zones.set(zone, 'silent');
    expect(await ask('ip-reputation', { ip: '1.1.1.1', disable_reverse_dns: true })).toMatchObject(BLIND);
    expect(await ask('ip-reputation', { ip: '1.1.1.1', disable_reverse_dns: true, exclude_engines: 'bl.two.test' })).toMatchObject(BLIND);
    await registries[Symbol.asyncDispose]();
    expect(await ask('domain-info', { host: 'asked-too-late.test', timeout: 5 })).toMatchObject(BLIND);
    expect(await ask('domain-age', { host: 'asked-too-late.test', timeout: 5 })).toMatchObject(BLIND);
    expect(await ask('tor-test', { ip: '8.8.8.8' })).toMatchObject(BLIND); // no list of Tor is loaded here
    expect(await ask('asn-info', { asn: 'AS65000' })).toMatchObject({ cost: 0 });
    // Those that ask nobody go on.
    expect(await ask('phone-validator', { number: '+442079250918' })).toMatchObject({ status: 200, cost: 1 });
    expect(await ask('reverse-ip', { ip: LISTED })).toMatchObject({ status: 200, report: { records_num: 500 } });
  }, 180_000);
});
