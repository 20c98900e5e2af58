import { type ProbePorts, ProbeFailure } from '@vedette/contract';
import type { Answer } from 'dns-packet';
import { Value } from 'typebox/value';
import { afterEach, expect, it, vi } from 'vitest';
import { dns, type DnsTypeName } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { a, type Asked, resolverFor, response, type ScriptedServer, startServer } from './scripted-server.ts';

const open: { stop?(): Promise<void>; close?(): void }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) {
    one.close?.();
    await one.stop?.();
  }
});

/** What the server says to `name TYPE`; a number is an rcode, nothing is silence. */
type Script = Record<string, Answer[] | number>;

async function vantage(script: Script, ports: Partial<ProbePorts> = {}) {
  const server: ScriptedServer = await startServer(({ query, question, reply }: Asked) => {
    const entry = script[`${question.name.toLowerCase()} ${question.type}`];
    if (typeof entry === 'number') reply(response(query, { rcode: entry }));
    else if (entry) reply(response(query, { answers: entry }));
  });
  const resolver = resolverFor([server]);
  open.push(server, resolver);
  const limits = { dns: vi.fn<(name: string, count: number) => void>() };
  const all = { resolver, limits, clock: systemClock, signal: new AbortController().signal, budget_ms: 10_000, ...ports };
  return {
    limits,
    server: `127.0.0.1:${server.endpoint.port}`,
    asked: server.asked,
    run: (types: DnsTypeName[], host = 'example.test') => dns.run({ host, types }, all as unknown as ProbePorts),
  };
}

/** What an answer says beside its records. */
const counted = { request_ms: expect.any(Number), authority_rrs: 0, additional_rrs: expect.any(Number) };

it('asks all types at once, and gives their records in one order', async () => {
  const at = await vantage({
    'example.test A': [a('example.test', '192.0.2.2', 60), a('example.test', '192.0.2.1', 30)],
    'example.test MX': [{ type: 'MX', name: 'example.test', ttl: 300, data: { preference: 10, exchange: 'MX.example.test' } }],
    'example.test TXT': [{ type: 'TXT', name: 'example.test', ttl: 300, data: ['v=spf1 ', '-all'] }],
    '_dmarc.example.test TXT': [
      { type: 'CNAME', name: '_dmarc.example.test', ttl: 10, data: 'd.test' },
      { type: 'TXT', name: 'd.test', ttl: 300, data: 'v=DMARC1; p=none' },
    ],
  });
  const result = await at.run(['TXT', 'A', 'MX', 'DMARC']);
  const rest = { rcode: 'NOERROR', server: at.server, tries: 1, ...counted };
  expect(result).toEqual({
    answers: [
      { dns_type: 'TXT', records: ['v=spf1 -all'], ttl: 300, ...rest },
      { dns_type: 'A', records: ['192.0.2.1', '192.0.2.2'], ttl: 30, ...rest },
      { dns_type: 'MX', records: ['10 mx.example.test'], ttl: 300, ...rest },
      { dns_type: 'DMARC', records: ['v=DMARC1; p=none'], ttl: 300, ...rest },
    ],
  });
  expect(Value.Check(dns.result, result)).toBe(true);
  expect(at.limits.dns.mock.calls).toEqual([['example.test', 4]]);
});

it('asks under the names of the pseudo-types', async () => {
  const names = ['_dmarc', 'default._bimi', '_mta-sts', '_smtp._tls', '_acme-challenge'].map((prefix) => `${prefix}.example.test`);
  const at = await vantage(Object.fromEntries(names.map((name) => [`${name} TXT`, []])));
  await at.run(['DMARC', 'BIMI', 'MTA-STS', 'TLS-RPT', 'ACME']);
  expect(at.asked.map(({ question }) => question.name.toLowerCase()).sort()).toEqual(names.sort());
});

it('asks for records of the root', async () => {
  const at = await vantage({ '_dmarc TXT': [] });
  await at.run(['DMARC'], '.');
  expect(at.asked.map(({ question }) => question.name.toLowerCase())).toEqual(['_dmarc']);
});

it('never answers from a cache', async () => {
  const at = await vantage({ 'example.test A': [a('example.test')] });
  await at.run(['A']);
  await at.run(['A']);
  expect(at.asked.length).toBe(2);
});

it('tells apart what went wrong with each type', async () => {
  const at = await vantage(
    { 'example.test A': [], 'example.test AAAA': 3, 'example.test MX': 2, 'example.test NS': 5 },
    { budget_ms: 1000 },
  );
  const empty = { records: [], ttl: 0, server: at.server, tries: 1, ...counted };
  const servfail = (rcode: string) => ({
    reason: 'dns_servfail',
    error: `The resolver could not answer for this name: ${rcode} from ${at.server} for example.test`,
  });
  expect(await at.run(['A', 'AAAA', 'MX', 'NS', 'TXT'])).toEqual({
    answers: [
      { dns_type: 'A', rcode: 'NOERROR', ...empty },
      {
        dns_type: 'AAAA',
        rcode: 'NXDOMAIN',
        failure: { reason: 'dns_nxdomain', error: 'The name does not exist: example.test' },
        ...empty,
      },
      { dns_type: 'MX', rcode: 'SERVFAIL', failure: servfail('SERVFAIL'), ...empty },
      { dns_type: 'NS', rcode: 'REFUSED', failure: servfail('REFUSED'), ...empty },
      {
        dns_type: 'TXT',
        rcode: '',
        failure: {
          reason: 'dns_timeout',
          error: `The resolver did not answer in time: the time for the measurement ended (resolvers: ${at.server})`,
        },
        records: [],
        ttl: 0,
        server: '',
        tries: 0,
      },
    ],
  });
});

it('fails with the result as a part when every type failed alike', async () => {
  const at = await vantage({ 'example.test A': 3, 'example.test MX': 3 });
  const failed = await at.run(['A', 'MX']).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(ProbeFailure);
  expect(failed).toMatchObject({
    code: 'dns_nxdomain',
    seen: 'example.test',
    partial: {
      answers: [
        { dns_type: 'A', rcode: 'NXDOMAIN' },
        { dns_type: 'MX', rcode: 'NXDOMAIN' },
      ],
    },
  });
  expect(Value.Check(dns.result, (failed as ProbeFailure).partial)).toBe(true);
});

it('gives the signatures of the other types as RRSIG', async () => {
  const signature = (typeCovered: string): Answer => ({
    type: 'RRSIG',
    name: 'example.test',
    ttl: 60,
    data: {
      typeCovered,
      algorithm: 13,
      labels: 2,
      originalTTL: 60,
      expiration: 1_798_761_600,
      inception: 1_767_225_600,
      keyTag: 1,
      signersName: 'example.test',
      signature: Buffer.from('s'),
    },
  });
  const at = await vantage({
    'example.test A': [a('example.test', '192.0.2.1', 60), signature('A')],
    'example.test MX': 3,
  });
  const { answers } = await at.run(['A', 'RRSIG', 'MX']);
  expect(answers.map(({ dns_type, rcode, records }) => [dns_type, rcode, records])).toEqual([
    ['A', 'NOERROR', ['192.0.2.1']],
    ['RRSIG', 'NOERROR', ['A 13 2 60 20270101000000 20260101000000 1 example.test cw==']],
    ['MX', 'NXDOMAIN', []],
  ]);
  expect(at.asked.map(({ question }) => question.type).sort()).toEqual(['A', 'MX']);
});

it('leaves out records that a frame cannot hold, and says so', async () => {
  const at = await vantage({
    'example.test A': Array.from({ length: 600 }, (_, i) => a('example.test', `192.0.${i >> 8}.${i & 255}`)),
    // A control character takes six octets in JSON.
    'example.test TXT': [{ type: 'TXT', name: 'example.test', data: Array.from({ length: 240 }, () => '\u0001'.repeat(255)) }],
    'example.test MX': [{ type: 'MX', name: 'example.test', data: { preference: 1, exchange: 'mx.test' } }],
  });
  const result = await at.run(['A', 'TXT', 'MX']);
  expect(result.answers.map(({ records, truncated }) => [records.length, truncated])).toEqual([
    [500, true],
    [0, true],
    [1, undefined],
  ]);
  expect(JSON.stringify(result).length).toBeLessThan(256 * 1024);
});

it('ends with the signal', async () => {
  const at = await vantage({}, { signal: AbortSignal.abort(new Error('nobody waits')) });
  await expect(at.run(['A'])).rejects.toThrow('nobody waits');
});

it('does not ask beyond the budget of the zone', async () => {
  const limits = {
    dns: () => {
      throw new ProbeFailure('target_limited');
    },
  };
  const at = await vantage({}, { limits: limits as unknown as ProbePorts['limits'] });
  await expect(at.run(['A'])).rejects.toMatchObject({ code: 'target_limited' });
  expect(at.asked).toEqual([]);
});
