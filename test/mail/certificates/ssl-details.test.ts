import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseHost } from '@vedette/contract';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { sslDetails } from '@vedette/mail/certificates';
import { runs } from '../../runs.ts';

const folder = mkdtempSync(join(tmpdir(), 'vedette-details-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
const EC = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'];

interface Wish {
  subject?: string;
  key?: string[];
  from?: string;
  until?: string;
  /** Lines of its extensions. */
  extensions?: string[];
  /** By itself instead of by the authority. */
  alone?: boolean;
}
openssl('genpkey', ...EC, '-out', 'ca.key');
openssl(
  'req',
  '-new',
  '-x509',
  '-key',
  'ca.key',
  '-out',
  'ca.pem',
  '-days',
  '36500',
  '-subj',
  '/C=DE/O=An Authority/OU=One/OU=Two/CN=Its Root',
);

writeFileSync(
  join(folder, 'ca.cnf'),
  '[ca]\ndefault_ca=it\n[it]\ndatabase=index\nnew_certs_dir=.\ndefault_md=sha256\nserial=serial\npolicy=any\nunique_subject=no\n[any]\ncommonName=optional\n',
);

/** A certificate by an authority of ours, DER. */
function issue({
  subject = '/CN=a.test',
  key = EC,
  from = '20260101000000Z',
  until = '20261231235959Z',
  extensions = [],
  alone = false,
}: Wish = {}) {
  openssl('genpkey', ...key, '-out', 'leaf.key');
  openssl('req', '-new', '-utf8', '-multivalue-rdn', '-key', 'leaf.key', '-out', 'leaf.csr', '-subj', subject);
  writeFileSync(join(folder, 'leaf.ext'), `${['basicConstraints=CA:FALSE', ...extensions].join('\n')}\n`);
  const signer = alone ? ['-selfsign', '-keyfile', 'leaf.key'] : ['-keyfile', 'ca.key', '-cert', 'ca.pem'];
  for (const [file, text] of [['index', ''], ['serial', 'ABCDEF01']] as const) writeFileSync(join(folder, file), text); // prettier-ignore
  const dates = ['-startdate', from, '-enddate', until];
  openssl(
    'ca',
    '-config',
    'ca.cnf',
    '-batch',
    '-notext',
    '-preserveDN',
    '-in',
    'leaf.csr',
    '-out',
    'leaf.pem',
    '-extfile',
    'leaf.ext',
    ...dates,
    ...signer,
  );
  return new X509Certificate(readFileSync(join(folder, 'leaf.pem'))).raw;
}
const NOW = new Date('2026-11-22T12:00:00Z');
const details = (leaf: Uint8Array, { host = 'a.test', valid = true, now = NOW } = {}) =>
  sslDetails({ leaf, host: parseHost(host)!, valid }, now);
const ALT = ['subjectAltName=DNS:a.test'];

it('says everything that a certificate says', () => {
  const leaf = issue({
    subject: '/C=TR/ST=İstanbul/L=Kadıköy/O=One GmbH/O=Two GmbH/OU=Web+OU=Mail/CN=a.test',
    extensions: [...ALT, 'certificatePolicies=1.2.3,2.23.140.1.2.2'],
  });
  expect(details(leaf)).toEqual({
    certificate_found: true,
    ssl_errors: false,
    name_match: true,
    expired: false,
    valid: true,
    self_signed: false,
    issuer: {
      common_name: 'Its Root', organization: ['An Authority'], organizational_unit: ['One', 'Two'], location: [], state: [], country: ['DE'],
    },
    subject: {
      common_name: 'a.test', organization: ['One GmbH', 'Two GmbH'], organizational_unit: ['Web', 'Mail'], location: ['Kadıköy'], state: ['İstanbul'], country: ['TR'],
    },
    valid_from: '2026-01-01 00:00:00',
    valid_to: '2026-12-31 23:59:59',
    valid_days_left: 39,
    expired_from_days: 0,
    key_size: 256,
    serial_number: 'ABCDEF01',
    fingerprint_sha1: createHash('sha1').update(leaf).digest('hex'),
    fingerprint_sha256: createHash('sha256').update(leaf).digest('hex'),
    algorithm: 'ecdsa-with-SHA256',
    key_algorithm: 'EC',
    type: 'OV',
  });
}); // prettier-ignore

it('without a certificate has every field, and says that none was found', () => {
  expect(sslDetails(undefined, NOW)).toMatchObject({
    certificate_found: false,
    ssl_errors: true,
    valid: false,
    name_match: false,
    type: 'unknown',
  });
  expect(Object.keys(sslDetails(undefined, NOW)).toSorted()).toEqual(Object.keys(details(issue())).toSorted());
});

describe('days', () => {
  const leaf = issue({ until: '20261231235959Z' });
  it.each([
    ['2026-12-30T23:59:58Z', false, 1, 0],
    ['2026-12-31T00:00:00Z', false, 0, 0],
    ['2027-01-01T00:00:00Z', true, 0, 0],
    ['2027-01-03T12:00:00Z', true, 0, 2],
  ])('at %s', (now, expired, left, since) => {
    const found = details(leaf, { now: new Date(now), valid: !expired });
    expect([found.expired, found.valid_days_left, found.expired_from_days, found.ssl_errors]).toEqual([expired, left, since, expired]);
  });

  it('of years in two figures and in four are read (RFC 5280 §4.1.2.5)', () => {
    const { valid_from, valid_to } = details(issue({ from: '19700101000000Z', until: '20510101000000Z' }));
    expect([valid_from, valid_to]).toEqual(['1970-01-01 00:00:00', '2051-01-01 00:00:00']);
  });
});

it.each([
  ['a name', 'a.test', ALT, true],
  ['another name', 'b.test', ALT, false],
  ['a wildcard and one label', 'www.a.test', ['subjectAltName=DNS:*.a.test'], true],
  ['a wildcard and the name below which it stands', 'a.test', ['subjectAltName=DNS:*.a.test'], false],
  ['a wildcard and two labels', 'x.www.a.test', ['subjectAltName=DNS:*.a.test'], false],
  ['a wildcard within a label', 'www.a.test', ['subjectAltName=DNS:w*.a.test'], false],
  ['a common name alone', 'a.test', [], false],
  ['an address', '127.0.0.1', ['subjectAltName=IP:127.0.0.1'], true],
  ['an address of the other family', '[2001:db8::1]', ['subjectAltName=IP:2001:db8::1'], true],
  ['an address as a name', '127.0.0.1', ['subjectAltName=DNS:127.0.0.1'], false],
])('matches %s as browsers do', (_what, host, extensions, matches) => {
  expect(details(issue({ extensions }), { host }).name_match).toBe(matches);
});

it.each([
  ['its own', { alone: true }, true],
  ["a private authority's", {}, false],
  // Subject and issuer are the same, and the key is another's.
  ["another's of the same name", { subject: '/C=DE/O=An Authority/OU=One/OU=Two/CN=Its Root' }, false],
])('self-signed is %s: %j', (_what, wish, selfSigned) => {
  expect(details(issue(wish)).self_signed).toBe(selfSigned);
});

it.each([
  [['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'], 'RSA', 2048],
  [['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'], 'EC', 384],
  [['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521'], 'EC', 521],
  [['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:secp256k1'], 'EC', 256],
  [['-algorithm', 'ED25519'], 'ED25519', 256],
])('the size of the key %j', (key, algorithm, bits) => {
  const { key_algorithm, key_size } = details(issue({ key }));
  expect([key_algorithm, key_size]).toEqual([algorithm, bits]);
});

it.each([
  ['2.23.140.1.2.1', 'DV'],
  ['2.23.140.1.2.2', 'OV'],
  ['2.23.140.1.2.3', 'IV'],
  ['2.23.140.1.1', 'EV'],
  ['2.23.140.1.2.1,2.23.140.1.1', 'EV'],
  ['1.3.6.1.4.1.11129.2.5.3', 'unknown'],
])('policies %s are %s', (policies, type) => expect(details(issue({ extensions: [`certificatePolicies=${policies}`] })).type).toBe(type));

it('of more names than anybody reads, OpenSSL still says what it can', () => {
  const many = Array.from({ length: 3_000 }, (_, i) => `DNS:${i}.a.test`).join(',');
  expect(details(issue({ extensions: [`subjectAltName=${many}`] }), { host: '2999.a.test' })).toMatchObject({
    certificate_found: true,
    name_match: true,
    key_size: 256,
    type: 'unknown',
  });
});

it('keeps no character that is not seen, and no endless name', () => {
  const { subject } = details(issue({ subject: `/O=evil\u202egnp.exe/OU=${'x'.repeat(60)}/CN=a\u0007b` }));
  expect(subject).toMatchObject({ organization: ['evil gnp.exe'], common_name: 'a b' });
});

it('reads any octets: a certificate that was tampered with, or none', () => {
  const leaf = issue({ extensions: [...ALT, 'certificatePolicies=2.23.140.1.2.1'] });
  const tampered = fc.tuple(fc.nat(leaf.length - 1), fc.integer({ min: 0, max: 255 })).map(([at, octet]) => {
    const copy = Buffer.from(leaf);
    copy[at] = octet;
    return copy;
  });
  fc.assert(
    fc.property(fc.oneof(tampered, fc.uint8Array({ maxLength: 300 })), (bytes) => {
      expect(Object.keys(details(bytes))).toHaveLength(19);
    }),
    { numRuns: runs(1_500) },
  );
  expect(new X509Certificate(leaf).raw.equals(leaf)).toBe(true);
});
