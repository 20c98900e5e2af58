import { ApiError, type Resolver } from '@vedette/contract';
import type { MessageFacts } from '@vedette/message/report';
import { budgeted } from '@vedette/probes/dns';
import { expect, it } from 'vitest';
import { senderName } from '../../../packages/operations/src/eml-insights/sender.ts';
import { fakeResolver, type FakeZone, unlimited } from '../../intel/fake-resolver.ts';

const { signal } = new AbortController();
const REVERSE = '1.2.0.192.in-addr.arpa';

const facts = (sender_rdns: MessageFacts['sender_rdns'], ip_address = '192.0.2.1') => ({
  sender_details: { email: '', domain: '', root_domain: '', tld: '', ip_address, helo: '', helo_root_domain: '', helo_tld: '' },
  sender_rdns,
});
const UNSAID = { noted: 'unsaid', hostname: '' } as const;

async function named(zone: FakeZone, rdns: MessageFacts['sender_rdns'], address?: string) {
  const dns = fakeResolver(zone);
  return { ...(await senderName(facts(rdns, address), { resolver: unlimited(dns), signal })), queries: dns.queries };
}

it('asks for the name where the receiver did not say whether there is one', async () => {
  expect(await named({ [REVERSE]: { PTR: ['Mail.Example.CO.UK'] } }, UNSAID)).toEqual({
    hostname: 'mail.example.co.uk',
    nameless: false,
    problem: '',
    queries: [`${REVERSE} PTR`],
  });
});

it('says that there is none where the DNS says so', async () => {
  expect(await named({}, UNSAID)).toMatchObject({ hostname: '', nameless: true });
  expect(await named({ [REVERSE]: { PTR: [] } }, UNSAID)).toMatchObject({ hostname: '', nameless: true });
});

it.each(['TIMEOUT', 'SERVFAIL', 'REFUSED'] as const)('does not say so where nobody knows: %s', async (failure) => {
  expect(await named({ [REVERSE]: failure }, UNSAID)).toMatchObject({ hostname: '', nameless: false });
});

it('leaves it at what the receiver noted, and asks nobody', async () => {
  const hostname = 'mail.a.test';
  expect(await named({}, { noted: 'named', hostname })).toEqual({ hostname, nameless: false, problem: undefined, queries: [] });
  const none = { noted: 'none', hostname: '' } as const;
  expect(await named({ [REVERSE]: { PTR: ['mail.a.test'] } }, none)).toEqual({
    hostname: '',
    nameless: true,
    problem: undefined,
    queries: [],
  });
});

it.each(['', '10.0.0.1', 'fe80::1', 'nonsense', 'x\r\n.example.org'])('asks nothing about %j', async (address) => {
  expect(await named({}, UNSAID, address)).toMatchObject({ nameless: false, queries: [] });
});

it('knows nothing where the gate refuses for now, and goes on', async () => {
  const refusing = { ...fakeResolver({}), query: () => Promise.reject(new ApiError('target_limited')) };
  expect(await senderName(facts(UNSAID), { resolver: unlimited(refusing), signal })).toMatchObject({
    hostname: '',
    nameless: false,
    problem: 'this service asks too much about that name at the moment',
  });
});

it('waits no longer than five seconds', async () => {
  const waits: number[] = [];
  const clock = { now: () => 0, sleep: (ms: number) => (waits.push(ms), Promise.resolve()) };
  const silent: Resolver = {
    ...fakeResolver({}),
    query: (_name, _type, { signal: over } = {}) =>
      new Promise((_resolve, reject) => over?.addEventListener('abort', () => reject(over.reason as Error))),
  };
  using resolver = budgeted(silent, { questions: 10 }, clock);
  expect(await senderName(facts(UNSAID), { resolver, signal })).toEqual({
    hostname: '',
    nameless: false,
    problem: `${REVERSE} PTR: The DNS was too slow; the rest was not asked`,
  });
  expect(waits).toEqual([5_000]);
});
