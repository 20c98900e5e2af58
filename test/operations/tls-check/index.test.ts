import type { Dialler } from '@vedette/contract';
import { operations } from '@vedette/operations';
import type { CentralOperation } from '@vedette/operations/kit';
import { createAddressPolicy } from '@vedette/probes/host';
import { createDialler, systemClock } from '@vedette/probes/net';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { fakeResolver, type FakeZone } from '../../intel/fake-resolver.ts';
import { fakeServer, greetsAsMail, type Habits, SSL3, TLS10, TLS11, TLS12, TLS13 } from '../../probes/tls/fake-server.ts';
import { freePort } from '../../free-ports.ts';
import { answer, read } from '../answer.ts';
import { expectExample } from '../example.ts';
import { SHUT } from '../shut.ts';

const tlsCheck = operations.find(({ name }) => name === 'tls-check') as CentralOperation<any, any, any, any>;

interface Report {
  grade: string;
  grade_caps: { code: string; grade: string }[];
  issues_found: { code: string; type: string; message: string }[];
  [field: string]: unknown;
}

const ZONE: FakeZone = { 'a.test': { A: ['127.0.0.1'] }, 'inner.test': { A: ['10.0.0.1'] } };
const policy = createAddressPolicy({ allowNets: ['127.0.0.1/32'] });
/** Twenty times as fast as the wall. */
const QUICK = { now: () => performance.now() * 20, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 20, signal) };

async function ask(request: object, zone: FakeZone = ZONE, dialler: Dialler = createDialler({ policy })): Promise<Report> {
  const opened = { ...SHUT, resolver: fakeResolver(zone), dialler, clock: QUICK, remainingMs: () => 60_000 };
  const report = (await answer(tlsCheck, request, opened)) as Report;
  expect(Value.Errors(tlsCheck.response, report)).toEqual([]);
  return report;
}
async function check(habits: Habits, zone?: FakeZone): Promise<Report> {
  await using server = await fakeServer(habits);
  return await ask({ host: 'a.test', port: server.port, ...(habits.greets && { starttls: 'smtp' }) }, zone);
}

const EXTENSIONS = [0xff01, 22, 23, 35];
/** As good as can be. */
const BEST: Habits = {
  versions: [TLS13, TLS12],
  suites: [0x1301, 0xc02f, 0xc030],
  groups: [0x11ec, 0x001d],
  signatures: [0x0804],
  extensions: EXTENSIONS,
  knowsFallback: true,
};
const OLD: Habits = { ...BEST, versions: [TLS12, TLS11, TLS10], suites: [0xc02f, 0xc013] };

/** Habits with a finding, and near ones without. */
const FINDINGS: [code: string, hit: Partial<Habits>, miss: Partial<Habits>][] = [
  ['SSLV2_OFFERED', { ssl2: true }, {}],
  ['SSLV3_OFFERED', { versions: [TLS13, TLS12, SSL3], suites: [0x1301, 0xc02f, 0x002f] }, { suites: [0x1301, 0xc02f, 0x002f] }],
  ['TLS1_0_OFFERED', { ...OLD, versions: [TLS12, TLS10] }, { ...OLD, versions: [TLS12, TLS11] }],
  ['TLS1_1_OFFERED', { ...OLD, versions: [TLS12, TLS11] }, { ...OLD, versions: [TLS12, TLS10] }],
  ['MODERN_TLS_MISSING', { ...OLD, versions: [TLS11, TLS10] }, { ...OLD, versions: [TLS12, TLS11, TLS10] }],
  ['TLS1_3_MISSING', { versions: [TLS12] }, { versions: [TLS13] }],
  ['ANONYMOUS_SUITES', { suites: [0xc02f, 0x0034] }, { suites: [0xc02f, 0x0034], greets: greetsAsMail }],
  ['ANONYMOUS_SUITES_IN_MAIL', { suites: [0xc02f, 0x0034], greets: greetsAsMail }, { suites: [0xc02f, 0x0034] }],
  ['NULL_SUITES', { suites: [0xc02f, 0x0002] }, {}],
  ['EXPORT_SUITES', { suites: [0xc02f, 0x0003] }, { suites: [0xc02f, 0x0005] }],
  ['DES_SUITES', { suites: [0xc02f, 0x0009] }, { suites: [0xc02f, 0x000a] }],
  ['RC4_SUITES', { suites: [0xc02f, 0x0005] }, {}],
  ['TRIPLE_DES_SUITES', { suites: [0xc02f, 0x000a] }, { suites: [0xc02f, 0x0009] }],
  ['OLD_CIPHER_SUITES', { suites: [0xc02f, 0x0096] }, { suites: [0xc02f, 0x0041] }],
  ['FORWARD_SECRECY_MISSING', { versions: [TLS12], suites: [0x009c, 0x002f] }, { versions: [TLS12], suites: [0x009c, 0xc013] }],
  ['AEAD_MISSING', { versions: [TLS12], suites: [0xc013, 0x002f] }, { versions: [TLS12], suites: [0xc013, 0x009c] }],
  ['STATIC_RSA_SUITES', { suites: [0x1301, 0xc02f, 0x009c] }, {}],
  ['CBC_SUITES', { suites: [0x1301, 0xc02f, 0xc013] }, { suites: [0x1301, 0xc02f, 0x000a] }],
  ['DH_BELOW_1024', { suites: [0xc02f, 0x009e], dhBits: 768 }, { suites: [0xc02f, 0x009e], dhBits: 1024 }],
  ['DH_BELOW_2048', { suites: [0xc02f, 0x009e], dhBits: 1024 }, { suites: [0xc02f, 0x009e], dhBits: 2048 }],
  ['COMPRESSION_OFFERED', { compresses: true }, {}],
  ['RENEGOTIATION_INSECURE', { extensions: [22, 23] }, { extensions: [0xff01] }],
  ['FALLBACK_UNSIGNALLED', { ...OLD, knowsFallback: false }, { knowsFallback: false }],
  ['HEARTBEAT_OFFERED', { extensions: [...EXTENSIONS, 15] }, {}],
  ['EXTENDED_MASTER_SECRET_MISSING', { extensions: [0xff01] }, { extensions: [0xff01, 23] }],
  ['SHA1_SIGNATURES', { signatures: [0x0804, 0x0201] }, { signatures: [0x0804, 0x0401] }],
  ['CLIENT_ORDER', { suites: [0xc02f, 0x009c], followsClient: true }, { suites: [0xc02f, 0xc030], followsClient: true }],
  ['POST_QUANTUM_MISSING', { groups: [0x001d] }, { groups: [0x001d, 0x11eb] }],
  ['SCAN_INCOMPLETE', { serves: 5 }, {}],
];

describe('a finding', () => {
  it.each(FINDINGS)('%s is made where it is true, and not next to it', async (code, hit, miss) => {
    const codesOf = ({ issues_found }: Report) => issues_found.map((issue) => issue.code);
    expect(codesOf(await check({ ...BEST, ...hit }))).toContain(code);
    expect(codesOf(await check({ ...BEST, ...miss }))).not.toContain(code);
  });

  it('of every code is tried', () => {
    const { items } = (tlsCheck.response.properties as Record<string, { items: { properties: { code: { enum: string[] } } } }>)[
      'issues_found'
    ]!;
    expect(FINDINGS.map(([code]) => code)).toEqual(items.properties.code.enum);
  });
});

describe('the grade', () => {
  it.each<[string, Partial<Habits>, string]>([
    ['the best server', {}, 'A+'],
    ['one with CBC for old clients', { suites: [0x1301, 0xc02f, 0xc013] }, 'A'],
    ['one without TLS 1.3', { versions: [TLS12] }, 'A-'],
    ['one with TLS 1.0', OLD, 'B'],
    ['one with 3DES', { suites: [0x1301, 0xc02f, 0x000a] }, 'C'],
    ['one without encryption', { suites: [0x1301, 0xc02f, 0x0002] }, 'F'],
    ['a mail server without a certificate', { suites: [0x1301, 0xc02f, 0x0034], greets: greetsAsMail }, 'A'],
    ['one that a firewall hides in the middle', { serves: 5 }, ''],
  ])('of %s is %s%s', async (_what, habits, grade) => {
    expect(await check({ ...BEST, ...habits })).toMatchObject({ grade });
  });

  it('names what holds it down, the strictest first', async () => {
    const { grade, grade_caps } = await check({ ...OLD, versions: [TLS12, TLS10], suites: [0xc02f, 0x0005] });
    expect({ grade, grade_caps }).toEqual({
      grade: 'C',
      grade_caps: [
        { code: 'RC4_SUITES', grade: 'C' },
        { code: 'TLS1_0_OFFERED', grade: 'B' },
        { code: 'TLS1_3_MISSING', grade: 'A-' },
        { code: 'STATIC_RSA_SUITES', grade: 'A' },
      ],
    });
  });
});

/** What the best known sites have: nothing of it is wrong. */
it.each<[string, Partial<Habits>, string[]]>([
  [
    'CBC for old clients, an order of its own',
    { suites: [0x1301, 0x1302, 0xc02b, 0xc02f, 0xcca8, 0xc030, 0xc013, 0xc014] },
    ['CBC_SUITES'],
  ],
  ['the order of its clients', { suites: [0xc02f, 0xcca8, 0xc030, 0x1301], followsClient: true }, []],
  ['resets in place of alerts', { refuses: 'reset' }, []],
  ['tickets that are not taken', { extensions: [0xff01, 22, 23, 35] }, []],
  ['a prime of 3072 bits', { suites: [0x1301, 0xc02f, 0x009e], dhBits: 3072 }, []],
])('%s raises nothing else', async (_habit, habits, codes) => {
  const { issues_found } = await check({ ...BEST, ...habits });
  expect(issues_found.map(({ code }) => code)).toEqual(codes);
});

it('of suites that were not asked for is not made', async () => {
  const { issues_found, protocols } = await check({ ...BEST, versions: [TLS12], endsWithSsl2: true });
  expect(protocols).toMatchObject({ tls1_2: 'yes', tls1_3: 'no', sslv2: 'unknown' });
  expect(issues_found.map(({ code }) => code)).toEqual(['TLS1_3_MISSING', 'SCAN_INCOMPLETE']);
});

it('does not blame a server for groups that could not be asked for', async () => {
  const report = await check({ ...BEST, groups: [0x001d], needsShare: true });
  expect(report).toMatchObject({ groups: ['X25519'], groups_complete: false, post_quantum: 'unknown', issues_found: [] });
});

it('takes the usual port of a protocol, and the protocol of a usual port, as ssl-info does', () => {
  const asked = (request: object) => read(tlsCheck, { host: 'a.test', ...request }) as object;
  expect(asked({})).toMatchObject({ port: 443, starttls: undefined });
  expect(asked({ starttls: 'imap' })).toMatchObject({ port: 143, starttls: 'imap' });
  expect(asked({ port: 25 })).toMatchObject({ port: 25, starttls: 'smtp' });
  expect(asked({ port: 25, starttls: 'none' })).toMatchObject({ port: 25, starttls: undefined });
});

it('tells a key for Encrypted Client Hello by the DNS', async () => {
  const record = (params: string) => ({ priority: 1, target: '.', params });
  await using server = await fakeServer(BEST);
  const withRecord = (records: object[] | string) =>
    ask({ host: 'a.test', port: server.port }, {
      ...ZONE,
      [`_${server.port}._https.a.test`]: typeof records === 'string' ? records : { HTTPS: records },
    } as FakeZone);
  expect(await withRecord([record('alpn="h2" ech="AEX+DQ=="')])).toMatchObject({ ech: 'yes' });
  expect(await withRecord([record('alpn="h2"')])).toMatchObject({ ech: 'no' });
  expect(await withRecord('TIMEOUT')).toMatchObject({ ech: 'unknown' });
  expect(await ask({ host: '127.0.0.1', port: server.port })).toMatchObject({ ech: 'not_applicable', tls_found: true });
});

describe('a host without TLS', () => {
  it('is told as data, with nothing known', async () => {
    const port = await freePort();
    expect(await ask({ host: 'a.test', port })).toMatchObject({
      ip_address: '127.0.0.1',
      tls_found: false,
      grade: '',
      reason: 'connect_refused',
      protocols: { sslv2: 'unknown', tls1_3: 'unknown' },
      connections: 1,
      complete: false,
    });
    expect(await ask({ host: 'gone.test', port })).toMatchObject({
      ip_address: '',
      reason: 'dns_nxdomain',
      connections: 0,
      issues_found: [],
    });
  });

  it('that leads inwards, or is a printer, is refused', async () => {
    await expect(ask({ host: 'inner.test' })).rejects.toMatchObject({ code: 'private_address' });
    expect(() => read(tlsCheck, { host: 'a.test', port: 9_100 })).toThrow('printers');
    expect(() => read(tlsCheck, { host: '192.0.2.1', family: 6 })).toThrow(expect.objectContaining({ code: 'parameter_conflict' }));
  });
});

it('answers as the example', async () => {
  await using server = await fakeServer({ ...BEST, versions: [TLS13, TLS12, TLS10], suites: [0x1301, 0xc02f, 0xc013, 0x002f] });
  const dialler = createDialler({ policy });
  await expectExample('tls-check', { host: 'example.org' }, (request) =>
    ask(request, { 'example.org': { A: ['127.0.0.1'] } }, { ...dialler, tcp: (options) => dialler.tcp({ ...options, port: server.port }) }),
  );
});
