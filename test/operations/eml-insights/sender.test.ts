import { ApiError, type Resolver } from '@vedette/contract';
import type { EmlReport, MessageReading } from '@vedette/message/report';
import { budgeted } from '@vedette/probes/dns';
import { expect, it } from 'vitest';
import { withName } from '../../../packages/operations/src/eml-insights/sender.ts';
import { fakeResolver, type FakeZone, unlimited } from '../../intel/fake-resolver.ts';

const DETAILS: EmlReport['sender_details'] = {
  email: 'a@a.test',
  domain: 'a.test',
  root_domain: 'a.test',
  tld: 'test',
  ip_address: '192.0.2.1',
  hostname: '',
  hostname_root_domain: '',
  hostname_tld: '',
  helo: 'mail.a.test',
  helo_root_domain: 'a.test',
  helo_tld: 'test',
};
const REVERSE = '1.2.0.192.in-addr.arpa';

async function named(zone: FakeZone, noted: MessageReading['sender_rdns'], changes: Partial<typeof DETAILS> = {}) {
  const dns = fakeResolver(zone);
  const found = await withName({ ...DETAILS, ...changes }, noted, { resolver: unlimited(dns), signal: new AbortController().signal });
  return { ...found, queries: dns.queries };
}

it('asks for the name where the receiver did not say whether there is one', async () => {
  expect(await named({ [REVERSE]: { PTR: ['Mail.Example.CO.UK'] } }, 'unsaid')).toEqual({
    details: { ...DETAILS, hostname: 'mail.example.co.uk', hostname_root_domain: 'example.co.uk', hostname_tld: 'co.uk' },
    nameless: false,
    queries: [`${REVERSE} PTR`],
  });
});

it('says that there is none where the DNS says so', async () => {
  expect(await named({}, 'unsaid')).toMatchObject({ details: DETAILS, nameless: true });
  expect(await named({ [REVERSE]: { PTR: [] } }, 'unsaid')).toMatchObject({ details: DETAILS, nameless: true });
});

it.each(['TIMEOUT', 'SERVFAIL', 'REFUSED'] as const)('does not say so where nobody knows: %s', async (failure) => {
  expect(await named({ [REVERSE]: failure }, 'unsaid')).toMatchObject({ details: DETAILS, nameless: false });
});

it('leaves it at what the receiver noted, and asks nobody', async () => {
  const hostname = { hostname: 'mail.a.test', hostname_root_domain: 'a.test', hostname_tld: 'test' };
  expect(await named({}, 'named', hostname)).toEqual({ details: { ...DETAILS, ...hostname }, nameless: false, queries: [] });
  expect(await named({ [REVERSE]: { PTR: ['mail.a.test'] } }, 'none')).toEqual({ details: DETAILS, nameless: true, queries: [] });
});

it.each(['', '10.0.0.1', 'fe80::1', 'nonsense', 'x\r\n.example.org'])('asks nothing about %j', async (ip_address) => {
  expect(await named({}, 'unsaid', { ip_address })).toMatchObject({ nameless: false, queries: [] });
});

it('knows nothing where the gate refuses for now, and goes on', async () => {
  const refusing = { ...fakeResolver({}), query: () => Promise.reject(new ApiError('target_limited')) };
  const found = await withName(DETAILS, 'unsaid', { resolver: unlimited(refusing), signal: new AbortController().signal });
  expect(found).toEqual({ details: DETAILS, nameless: false });
});

it('waits no longer than five seconds', async () => {
  const waits: number[] = [];
  const clock = { now: () => 0, sleep: (ms: number) => (waits.push(ms), Promise.resolve()) };
  const silent: Resolver = {
    ...fakeResolver({}),
    query: (_name, _type, { signal } = {}) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
  };
  using resolver = budgeted(silent, { questions: 10 }, clock);
  expect(await withName(DETAILS, 'unsaid', { resolver, signal: new AbortController().signal })).toEqual({
    details: DETAILS,
    nameless: false,
  });
  expect(waits).toEqual([5_000]);
});
