import { type DnsAnswer, type DnsRecord, ProbeFailure, type Resolver, type TrustAnchor } from '@vedette/contract';
import { answerOf, dsOf, record, Signer } from '../../mail/dnssec/signer.ts';
import { operations } from '@vedette/operations';
import type { CentralOperation } from '@vedette/operations/kit';
import { createHash, X509Certificate } from 'node:crypto';
import { documentedCodes } from '../../intel/issue-docs.ts';
import { fakeResolver } from '../../intel/fake-resolver.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answer, read } from '../answer.ts';
import { startSslWorld, type SslWorld } from './world.ts';

const sslInfo = operations.find(({ name }) => name === 'ssl-info') as CentralOperation<any, any, any, any>;

let world: SslWorld;
beforeAll(async () => {
  world = await startSslWorld();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

const askFor = (request: object, resolver?: Resolver) => answer(sslInfo, request, world.context(resolver)) as Promise<any>;
const ask = (host: string) => askFor({ host });

/** What is found at a host: `!` makes clients refuse it, `?` is a remark. */
const FOUND: Record<string, string[]> = {
  'good.test': [],
  'www.wildcard.test': [],
  'cdn.test': [],
  'rsa.test': [],
  'short-lived.test': [],
  '127.0.0.1': [],
  'deep.test': ['REVOCATION_UNKNOWN?'],
  'cross-signed.test': ['REVOCATION_UNKNOWN?'],
  'inside.allowed.test': ['REVOCATION_UNKNOWN?'],
  'soon.test': ['CERT_EXPIRES_SOON'],
  'six-days-late.test': ['CERT_EXPIRES_SOON'],
  'expired.test': ['CERT_EXPIRED!'],
  'not-yet.test': ['CERT_NOT_YET_VALID!'],
  'wrong-host.test': ['HOST_MISMATCH!'],
  'wildcard.test': ['HOST_MISMATCH!'],
  'common-name.test': ['COMMON_NAME_ONLY!'],
  'self-signed.test': ['SELF_SIGNED!'],
  'private-ca.test': ['UNKNOWN_ISSUER!'],
  'unfound.test': ['UNKNOWN_ISSUER!'],
  'governed.test': ['UNKNOWN_ISSUER!'],
  'forged.test': ['NOT_TRUSTED!'],
  'untrusted-root.test': ['UNTRUSTED_ROOT!', 'CHAIN_HAS_ROOT?'],
  'incomplete.test': ['MISSING_INTERMEDIATE!', 'REVOCATION_UNKNOWN?'],
  'packed.test': ['MISSING_INTERMEDIATE!', 'REVOCATION_UNKNOWN?'],
  'under-old.test': ['ISSUER_EXPIRED!', 'REVOCATION_UNKNOWN?'],
  'outside.test': ['NOT_TRUSTED!', 'REVOCATION_UNKNOWN?'],
  'no-server.test': ['NOT_TRUSTED!'],
  'weak-key.test': ['WEAK_KEY!'],
  'sha1.test': ['WEAK_SIGNATURE!'],
  'misordered.test': ['CHAIN_MISORDERED', 'REVOCATION_UNKNOWN?'],
  'with-extra.test': ['CHAIN_HAS_EXTRA'],
  'twice.test': ['CHAIN_HAS_EXTRA'],
  'with-root.test': ['CHAIN_HAS_ROOT?'],
  'old-cross.test': ['CHAIN_HAS_EXPIRED', 'REVOCATION_UNKNOWN?'],
  'revoked.test': ['REVOKED!'],
  'revoked-staple.test': ['REVOKED!'],
  'list-down.test': ['REVOCATION_UNKNOWN?'],
  'must-staple.test': ['STAPLE_MISSING!'],
  'other-staple.test': ['STAPLE_USELESS'],
};
/** OpenSSL's client accepts these, other than browsers: a certificate that demands a staple without one, and a name in the common name. */
const STRICTER = ['must-staple.test', 'common-name.test'];

const marked = (issues: readonly { code: string; type: 'error' | 'warning' | 'information' }[]) =>
  issues.map(({ code, type }) => `${code}${{ error: '!', information: '?', warning: '' }[type]}`);

describe('what is found, and whether OpenSSL accepts it', () => {
  it.each(Object.entries(FOUND))('%s: %j', async (host, expected) => {
    const { issues_found, valid_ssl } = await ask(host);
    expect(marked(issues_found)).toEqual(expected);
    expect(valid_ssl).toBe((await world.accepts(host)) && !STRICTER.includes(host));
  });
});

it.each(['good', 'revoked', 'rsa', 'soon'] as const)('%s is on the list of its issuer or not, as OpenSSL finds', async (name) => {
  const { revoked, revocation_method } = await ask(`${name}.test`);
  expect({ revoked, from: revocation_method }).toEqual({ revoked: world.isListed(name), from: name === 'good' ? 'stapled' : 'crl' });
});

it('shows the chain as it was sent and as it was completed', async () => {
  const { chain, chain_sent, chain_complete, chain_issues } = await ask('packed.test');
  const named = (list: { subject: string; source: string }[]) => list.map(({ subject, source }) => `${subject} ${source}`);
  expect([named(chain_sent), named(chain), chain_complete, chain_issues]).toEqual([
    ['CN=packed sent'],
    ['CN=packed sent', 'CN=sub fetched', 'CN=intermediate fetched', 'CN=root of the ssl world store'],
    true,
    ['incomplete'],
  ]);
  const { chain_sent: misordered } = await ask('misordered.test');
  expect(named(misordered)).toEqual(['CN=deep sent', 'CN=intermediate sent', 'CN=sub sent']);
  expect(await ask('unfound.test')).toMatchObject({
    chain_complete: false,
    chain_error: 'http://ca.test/absent.cer: the server answered with status 404',
  });
});

it('asks no host for an issuer that is protected, or whose owner does not want it', async () => {
  expect((await ask('governed.test')).chain_error).toContain('ca.agency.gov/intermediate.cer: This target is not allowed');
  const before = world.asked.length;
  const isOptedOut = async (host: string) => host === 'ca.test';
  const { issues_found } = (await answer(sslInfo, { host: 'incomplete.test' }, { ...world.context(), isOptedOut })) as any;
  expect([marked(issues_found), world.asked.slice(before)]).toEqual([['UNKNOWN_ISSUER!'], []]);
});

it('asks no host for a revocation list whose owner does not want it', async () => {
  const before = world.asked.length;
  const isOptedOut = async (host: string) => host === 'ca.test';
  const { issues_found, revoked } = (await answer(sslInfo, { host: 'revoked.test' }, { ...world.context(), isOptedOut })) as any;
  expect([marked(issues_found), revoked, world.asked.slice(before)]).toEqual([['REVOCATION_UNKNOWN?'], false, []]);
});

it('names a signature that does not verify', async () => {
  const { issues_found } = await ask('forged.test');
  expect(issues_found[0].message).toBe(
    'The issuers lead to "root of the ssl world" by name, but a signature does not verify. Have it issued anew by an authority',
  );
});

it.each(['internal', 'no_network', 'target_limited'] as const)('refuses, where the fault is ours: %s', async (code) => {
  const context = world.context();
  const dialler = { ...context.dialler, tcp: () => Promise.reject(new ProbeFailure(code)) };
  await expect(answer(sslInfo, { host: 'good.test' }, { ...context, dialler })).rejects.toMatchObject({ code: 'upstream_failed' });
});

it('reads what the certificate says', async () => {
  const { ssl_details } = await ask('good.test');
  const x509 = new X509Certificate(world.pem('good'));
  expect(ssl_details).toMatchObject({
    valid: true,
    san: ['good.test', 'with-root.test', 'with-extra.test', 'twice.test'],
    is_wildcard: false,
    not_after_ts: x509.validToDate.getTime() / 1_000,
    key_usage: ['digitalSignature'],
    ext_key_usage: ['serverAuth', 'clientAuth'],
    policies: ['2.23.140.1.2.2'],
    type: 'OV',
    must_staple: false,
    crl_urls: ['http://ca.test/all.crl'],
    fingerprint_sha256: x509.fingerprint256.replaceAll(':', '').toLowerCase(),
    pem: world.pem('good'),
    scts: [],
  });
  expect((await ask('cdn.test')).ssl_details.san).toHaveLength(101);
  expect((await ask('must-staple.test')).ssl_details.must_staple).toBe(true);
});

it('has a reason and no findings where no certificate is shown', async () => {
  const report = await askFor({ host: 'good.test', port: 1 });
  expect(report).toMatchObject({ certificate_found: false, valid_ssl: false, reason: 'connect_refused', issues_found: [], chain: [] });
  expect((await ask('absent.test')).reason).toBe('dns_nxdomain');
});

it('refuses a name that leads to a private address, and printers', async () => {
  const resolver = fakeResolver({ 'inner.test': { A: ['10.0.0.1'] } });
  await expect(askFor({ host: 'inner.test' }, resolver)).rejects.toMatchObject({ code: 'private_address' });
  expect(() => read(sslInfo, { host: 'good.test', port: 9100 })).toThrow('printers');
});

it.each([
  [{ port: 25 }, { port: 25, starttls: 'smtp' }],
  [{ port: 465 }, { port: 465, starttls: undefined }],
  [{ starttls: 'imap' as const }, { port: 143, starttls: 'imap' }],
  [
    { port: 587, starttls: 'none' as const },
    { port: 587, starttls: undefined },
  ],
  [{}, { port: 443, starttls: undefined }],
])('%j asks %j', (asked, expected) => {
  expect(read(sslInfo, { host: 'good.test', ...asked })).toMatchObject(expected);
});

describe('behind STARTTLS, with records in the DNS', () => {
  const signers = { root: new Signer('.'), test: new Signer('test') };
  const now = Math.floor(Date.now() / 1_000);
  const valid = { inception: now - 3_600, expiration: now + 3_600 };
  const spki = (name: string) => hashOf(new X509Certificate(world.pem(name)).publicKey.export({ type: 'spki', format: 'der' }));
  const hashOf = (octets: Uint8Array) => createHash('sha256').update(octets).digest();
  const tlsa = (host: string, usage: number, certificate: Uint8Array, selector = 1, port = 25) =>
    record(`_${port}._tcp.${host}`, 'TLSA', { usage, selector, matchingType: 1, certificate });

  /** The zone `test`, with these records; `change` alters their signature. */
  function signedBy(
    records: readonly DnsRecord[],
    change: object = {},
    trusted = signers.root,
  ): { resolver: Resolver; anchors: TrustAnchor[] } {
    const { root, test } = signers;
    const served: Record<string, Partial<DnsAnswer>> = {
      '. DNSKEY': { answers: root.sign([root.dnskey], valid) },
      'test DS': { answers: root.sign([record('test', 'DS', dsOf(test))], valid) },
      'test DNSKEY': { answers: test.sign([test.dnskey], valid) },
      ...(records[0] && { [`${records[0].name} TLSA`]: { answers: test.sign(records, { ...valid, ...change }) } }),
    };
    const plain = fakeResolver({
      'good.test': { A: ['127.0.0.1'] },
      'self-signed.test': { A: ['127.0.0.1'] },
      'private-ca.test': { A: ['127.0.0.1'] },
      'untrusted-root.test': { A: ['127.0.0.1'] },
      'with-extra.test': { A: ['127.0.0.1'] },
      'incomplete.test': { A: ['127.0.0.1'] },
      'under-old.test': { A: ['127.0.0.1'] },
      'ca.test': { A: ['127.0.0.1'] },
    });
    return {
      resolver: {
        ...plain,
        query: async (name, type, options) =>
          served[`${name || '.'} ${type}`] ? answerOf(served[`${name || '.'} ${type}`]!) : plain.query(name, type, options),
      },
      anchors: [dsOf(trusted)],
    };
  }
  const askMail = (host: string, { resolver, anchors }: { resolver: Resolver; anchors: TrustAnchor[] }) =>
    answer(sslInfo, { host, starttls: 'smtp' }, { ...world.context(resolver), trustAnchors: anchors }) as Promise<any>;

  it.each<[string, () => ReturnType<typeof signedBy>, string, string[]]>([
    ['good.test', () => signedBy([]), 'none', []],
    ['good.test', () => signedBy([tlsa('good.test', 3, spki('good'))]), 'valid', []],
    ['good.test', () => signedBy([tlsa('good.test', 1, spki('good')), tlsa('good.test', 3, spki('rsa'))]), 'valid', []],
    ['good.test', () => signedBy([tlsa('good.test', 0, hashOf(new X509Certificate(world.root).raw), 0)]), 'valid', []],
    ['good.test', () => signedBy([tlsa('good.test', 3, spki('rsa'))]), 'mismatch', ['DANE_MISMATCH!']],
    ['good.test', () => signedBy([tlsa('good.test', 3, Buffer.alloc(5))]), 'none', []],
    ['good.test', () => signedBy([tlsa('good.test', 3, spki('good'))], { expiration: now - 60 }), 'bogus', ['DANE_BOGUS!']],
    ['self-signed.test', () => signedBy([tlsa('self-signed.test', 3, spki('self-signed'))]), 'valid', ['SELF_SIGNED?']],
    ['self-signed.test', () => signedBy([]), 'none', ['SELF_SIGNED!']],
    [
      'private-ca.test',
      () => signedBy([tlsa('private-ca.test', 1, spki('private-ca'))]),
      'mismatch',
      ['UNKNOWN_ISSUER!', 'DANE_MISMATCH!'],
    ],
    [
      'incomplete.test',
      () => signedBy([tlsa('incomplete.test', 3, spki('incomplete'))]),
      'valid',
      ['MISSING_INTERMEDIATE?', 'REVOCATION_UNKNOWN?'],
    ],
    ['under-old.test', () => signedBy([tlsa('under-old.test', 3, spki('under-old'))]), 'valid', ['ISSUER_EXPIRED?', 'REVOCATION_UNKNOWN?']],
    [
      'untrusted-root.test',
      () => signedBy([tlsa('untrusted-root.test', 2, spki('ca-stranger'))]),
      'valid',
      ['UNTRUSTED_ROOT?', 'CHAIN_HAS_ROOT?'],
    ],
    // A certificate that was sent, and signed nothing of the chain.
    [
      'with-extra.test',
      () => signedBy([tlsa('with-extra.test', 2, spki('ca-stranger'))]),
      'mismatch',
      ['CHAIN_HAS_EXTRA', 'DANE_MISMATCH!'],
    ],
  ])('%s, case %#', async (host, dns, state, expected) => {
    const { dane, issues_found, starttls, port, certificate_found } = await askMail(host, dns());
    expect({ state: dane.state, issues: marked(issues_found), starttls, port, certificate_found }).toEqual({
      state,
      issues: expected,
      starttls: 'smtp',
      port: 25,
      certificate_found: true,
    });
  });

  it('of a port that mail does not use are a remark', async () => {
    const { resolver, anchors } = signedBy([tlsa('good.test', 3, spki('rsa'), 1, 443)]);
    const report = (await answer(sslInfo, { host: 'good.test' }, { ...world.context(resolver), trustAnchors: anchors })) as any;
    expect([report.dane.state, marked(report.issues_found)]).toEqual(['mismatch', ['DANE_MISMATCH?']]);
  });

  it('does not take a silent DNS for missing records', async () => {
    const silent = fakeResolver({ 'good.test': { A: ['127.0.0.1'] }, '_443._tcp.good.test': 'TIMEOUT' });
    const { dane, issues_found } = await askFor({ host: 'good.test' }, silent);
    expect(dane).toMatchObject({ state: 'unknown', error: expect.stringContaining('_443._tcp.good.test TLSA') });
    expect(marked(issues_found)).toEqual(['DANE_UNKNOWN?']);
  });

  it('says so where the server does not agree to TLS', async () => {
    const report = await askFor({ host: 'good.test', port: 25, starttls: 'imap' });
    expect(report).toMatchObject({ certificate_found: false, reason: 'starttls_failed', issues_found: [], ip: '127.0.0.1' });
  });
});

it('every finding has a row in the docs', () => {
  expect(documentedCodes('ssl-info')).toEqual(sslInfo.response.properties.issues_found.items.properties.code.enum);
});
