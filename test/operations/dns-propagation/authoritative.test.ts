import { ProbeFailure, type Resolver } from '@vedette/contract';
import { budgeted, DNS_TYPE_NAMES } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { expect, it } from 'vitest';
import { askAuthoritative, AUTHORITATIVE_BUDGET } from '../../../packages/operations/src/dns-propagation/authoritative.ts';
import { type FakeZone, fakeResolver } from '../../intel/fake-resolver.ts';

const ZONE: FakeZone = {
  'example.org': { NS: ['ns1.example.org', 'ns2.example.org'], A: ['192.0.2.1'], TXT: 'TIMEOUT' },
  'ns1.example.org': { A: ['192.0.2.53'] },
  'ns2.example.org': { A: ['192.0.2.54'] },
};

const ports = (resolver: Resolver) => ({
  resolver: budgeted(resolver, { questions: AUTHORITATIVE_BUDGET.questions }, systemClock),
  signal: new AbortController().signal,
});

it('says what each server answers to each type', async () => {
  const answers = await askAuthoritative('example.org', ['A', 'TXT'], ports(fakeResolver(ZONE)));
  const [one, two] = [
    { server: 'ns1.example.org', address: '192.0.2.53' },
    { server: 'ns2.example.org', address: '192.0.2.54' },
  ];
  expect(answers).toEqual([
    { dns_type: 'A', ...one, status: 'NOERROR', records: ['192.0.2.1'] },
    { dns_type: 'TXT', ...one, status: 'TIMEOUT', records: [] },
    { dns_type: 'A', ...two, status: 'NOERROR', records: ['192.0.2.1'] },
    { dns_type: 'TXT', ...two, status: 'TIMEOUT', records: [] },
  ]);
});

it('sends at most 60 queries, whatever is asked', async () => {
  const names = Array.from({ length: 9 }, (_, i) => `ns${i}.example.org`);
  const servers = Object.fromEntries(names.map((name) => [name, { AAAA: ['2001:db8::53'] }]));
  const resolver = fakeResolver({ ...servers, 'example.org': { NS: names } });
  const answers = await askAuthoritative('a.b.c.d.example.org', DNS_TYPE_NAMES, ports(resolver));
  expect(answers.length).toBe(DNS_TYPE_NAMES.length);
  expect(resolver.queries.length).toBeLessThanOrEqual(60);
});

it('tells a server that does not hold the zone from one that says there is no such record', async () => {
  const resolver = fakeResolver(ZONE);
  const query: Resolver['query'] = async (name, type, options) => ({
    ...(await resolver.query(name, type, options)),
    aa: options?.server === '192.0.2.53',
  });
  const answers = await askAuthoritative('example.org', ['MX'], ports({ ...resolver, query }));
  expect(answers.map(({ server, status }) => [server, status])).toEqual([
    ['ns1.example.org', 'NOERROR'],
    ['ns2.example.org', 'NOT_AUTHORITATIVE'],
  ]);
});

it.each([
  ['blocked_private_address', 'NOT_ASKED'],
  ['dns_servfail', 'UNREADABLE'],
  ['dns_timeout', 'TIMEOUT'],
] as const)('tells why a server gave no answer: %s is %s', async (code, status) => {
  const resolver = fakeResolver(ZONE);
  const query: Resolver['query'] = (name, type, options) =>
    options?.server === undefined ? resolver.query(name, type, options) : Promise.reject(new ProbeFailure(code));
  const answers = await askAuthoritative('example.org', ['A'], ports({ ...resolver, query }));
  expect(answers.map((answer) => answer.status)).toEqual([status, status]);
});
