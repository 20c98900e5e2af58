import { ApiError, type DnsAnswer, ProbeFailure, type Resolver, type TrustAnchor } from '@vedette/contract';
import type { SignatureFacts } from '@vedette/message/report';
import { readSignatures } from '@vedette/message/mail-trace';
import { budgeted } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { expect, it } from 'vitest';
import { KEYS_BUDGET, withKeys } from '../../../packages/operations/src/eml-insights/signatures.ts';
import { KEYS } from '../../mail/dkim/keys.ts';
import { answerOf, dsOf, NOW, record, Signer } from '../../mail/dnssec/signer.ts';
import { fakeResolver, type FakeZone, unlimited } from '../../intel/fake-resolver.ts';

const signed = (selector: string, domain: string): SignatureFacts =>
  readSignatures([`v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=${selector}; bh=aGFzaA==; b=c2ln`])[0]!;

const ports = (resolver: Resolver, trustAnchors: readonly TrustAnchor[] = []) => ({
  resolver: unlimited(resolver),
  trustAnchors,
  today: () => new Date(NOW * 1000),
  signal: new AbortController().signal,
});
const keys = async (zone: FakeZone, ...signatures: SignatureFacts[]) => {
  const dns = fakeResolver(zone);
  const found = await withKeys(signatures, ports(dns));
  return { found: found.map(({ key_type, key_bits, dnssec, dns_error }) => ({ key_type, key_bits, dnssec, dns_error })), dns };
};
const NONE = { key_type: '', key_bits: 0, dnssec: false, dns_error: '' };

it('tells type and length of each key, and leaves the rest of a signature as it stands', async () => {
  const zone = {
    's1._domainkey.a.test': { TXT: [`v=DKIM1; k=rsa; p=${KEYS.rsa2048}`] },
    's2._domainkey.a.test': { CNAME: ['s2.provider.test'] },
    's2.provider.test': { TXT: [`v=DKIM1; k=ed25519; p=${KEYS.ed25519}`] },
  };
  const [rsa, ed25519] = [signed('s1', 'a.test'), signed('s2', 'a.test')];
  expect(await withKeys([rsa, ed25519], ports(fakeResolver(zone)))).toEqual([
    { ...rsa, ...NONE, key_type: 'rsa', key_bits: 2048 },
    { ...ed25519, ...NONE, key_type: 'ed25519', key_bits: 256 },
  ]);
});

it.each<[string, FakeZone]>([
  ['there is no record', {}],
  ['the key was revoked', { 's._domainkey.a.test': { TXT: ['v=DKIM1; p='] } }],
  ['what is published is no key', { 's._domainkey.a.test': { TXT: ['v=DKIM1; p=AAAA'] } }],
])('has no key where %s', async (_what, zone) => {
  expect((await keys(zone, signed('s', 'a.test'))).found).toEqual([NONE]);
});

it('does not take a silent DNS for a missing key', async () => {
  const { found } = await keys(
    { 's._domainkey.a.test': 'TIMEOUT', 's._domainkey.b.test': 'SERVFAIL' },
    signed('s', 'a.test'),
    signed('s', 'b.test'),
  );
  expect(found).toEqual([
    { ...NONE, dns_error: expect.stringContaining('did not answer in time') },
    { ...NONE, dns_error: expect.stringContaining('SERVFAIL') },
  ]);
});

it('asks once for a key that several signatures name, and not for what is no name', async () => {
  const { dns } = await keys(
    {},
    signed('s', 'a.test'),
    signed('S', 'A.test'),
    signed('', 'a.test'),
    signed('s', 'a/b'),
    signed('s', `${'a'.repeat(250)}.test`),
  );
  expect(dns.queries).toEqual(['s._domainkey.a.test TXT']);
});

it('asks for the keys of the first 20 signatures, and says so of the others', async () => {
  const { found, dns } = await keys({}, ...Array.from({ length: 1000 }, (_, i) => signed(`s${i}`, 'a.test')));
  expect(dns.queries).toHaveLength(20);
  expect(found.findIndex(({ dns_error }) => dns_error !== '')).toBe(20);
  expect(found.slice(20).every(({ dns_error }) => dns_error.includes('first 20'))).toBe(true);
});

it('waits five seconds in all for slow servers', async () => {
  const waits: number[] = [];
  const clock = { now: () => 0, sleep: (ms: number) => (waits.push(ms), Promise.resolve()) };
  const silent: Resolver = {
    ...fakeResolver({}),
    query: (_name, _type, { signal } = {}) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
  };
  using resolver = budgeted(silent, { questions: 100 }, clock);
  const [found] = await withKeys([signed('s', 'a.test')], { ...ports(silent), resolver });
  expect(waits).toEqual([KEYS_BUDGET.ms]);
  expect(found).toMatchObject({ ...NONE, dns_error: expect.stringContaining('too slow') });
});

it('tells the other keys where the gate refuses one for now', async () => {
  const zone = fakeResolver({ 's._domainkey.b.test': { TXT: [`p=${KEYS.rsa1024}`] } });
  const gated: Resolver = {
    ...zone,
    query: (name, ...rest) => (name.endsWith('a.test') ? Promise.reject(new ApiError('target_limited')) : zone.query(name, ...rest)),
  };
  const found = await withKeys([signed('s', 'a.test'), signed('s', 'b.test')], ports(gated));
  expect(found).toMatchObject([
    { ...NONE, dns_error: expect.stringContaining('asks too much') },
    { ...NONE, key_type: 'rsa', key_bits: 1024 },
  ]);
});

const root = new Signer('.');
const zone = new Signer('test');
const stranger = new Signer('test');
const keyRecord = record('s._domainkey.a.test', 'TXT', [Buffer.from(`v=DKIM1; k=ed25519; p=${KEYS.ed25519}`)]);

async function dnssecOf(answers: DnsAnswer['answers']) {
  const served: Record<string, Partial<DnsAnswer>> = {
    '. DNSKEY': { answers: root.sign([root.dnskey]) },
    'test DS': { answers: root.sign([record('test', 'DS', dsOf(zone))]) },
    'test DNSKEY': { answers: zone.sign([zone.dnskey]) },
    's._domainkey.a.test TXT': { answers },
  };
  const asked: string[] = [];
  const resolver: Resolver = {
    ...fakeResolver({}),
    query(name, type) {
      asked.push(`${name} ${type}`);
      const found = served[`${name} ${type}`];
      return found ? Promise.resolve(answerOf(found)) : Promise.reject(new ProbeFailure('dns_timeout', name));
    },
  };
  using share = budgeted(resolver, { questions: 100 }, systemClock);
  const [found] = await withKeys([signed('s', 'a.test')], { ...ports(resolver, [dsOf(root)]), resolver: share });
  return { found, asked };
}

it('validates the answer from the root down where it is signed', async () => {
  const { found } = await dnssecOf(zone.sign([keyRecord]));
  expect(found).toMatchObject({ key_type: 'ed25519', key_bits: 256, dnssec: true, dns_error: '' });
});

it('does not believe a signature of others', async () => {
  const { found } = await dnssecOf(stranger.sign([keyRecord]));
  expect(found).toMatchObject({ key_type: 'ed25519', dnssec: false });
});

it('asks for no chain of trust where nothing is signed', async () => {
  const { found, asked } = await dnssecOf([keyRecord]);
  expect(found).toMatchObject({ key_type: 'ed25519', dnssec: false });
  expect(asked).toEqual(['s._domainkey.a.test TXT']);
});
