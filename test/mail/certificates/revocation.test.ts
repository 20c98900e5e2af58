import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Certificate, issuedChain, judgeOcsp, judgeByList, ocspUrl, readCertificate, readCrl,
} from '@vedette/mail/certificates'; // prettier-ignore
import { type ListOptions, makePki } from '../../probes/http/certificates.ts';
import { runs } from '../../runs.ts';

const LEAF = 'basicConstraints=CA:FALSE';
const CDP = 'crlDistributionPoints=URI:http://crl.test/one.crl';
const pki = makePki({
  revoked: { names: 'DNS:a.test', extensions: [LEAF, CDP, 'authorityInfoAccess=OCSP;URI:http://ocsp.test/'] },
  good: { names: 'DNS:a.test', extensions: [LEAF, CDP, 'authorityInfoAccess=OCSP;URI:http://ocsp.test/'] },
  responder: { names: '', extensions: [LEAF, 'extendedKeyUsage=OCSPSigning'] },
  server: { names: 'DNS:a.test', extensions: [LEAF, 'extendedKeyUsage=serverAuth'] },
  late: { names: '', extensions: [LEAF, 'extendedKeyUsage=OCSPSigning'], until: '20250601000000Z' },
  foreign: { names: '', issuer: 'stranger', extensions: [LEAF, 'extendedKeyUsage=OCSPSigning'] },
});
afterAll(() => pki[Symbol.dispose]());
const x509 = (name: string) => new X509Certificate(readFileSync(join(pki.folder, `${name}.pem`)));
const read = (name: string): Certificate => readCertificate(x509(name).raw)!;
const [root, good, revoked] = [read('ca-root'), read('good'), read('revoked')];
const NOW = new Date();
pki.revocationList(['revoked']);

describe('a certificate', () => {
  it('says where its revocation is told', () => {
    expect([good.crlUrls, good.ocspUrls]).toEqual([['http://crl.test/one.crl'], ['http://ocsp.test/']]);
    expect([read('server').crlUrls, read('server').ocspUrls]).toEqual([[], []]);
  });

  it('is in a chain with those who signed it, and not with others', () => {
    expect(issuedChain([x509('good'), x509('ca-root')]).map(({ subject }) => subject.get('2.5.4.3'))).toEqual(['good', 'root of tests']);
    expect(issuedChain([x509('good'), x509('ca-stranger')])).toEqual([]);
    expect(issuedChain([x509('good')])).toEqual([]);
  });
});

describe('a list (RFC 5280 §6.3.3)', () => {
  const ask = async (options: ListOptions, certificate = revoked, now = NOW) => {
    const list = await readCrl(pki.revocationList([], options), root);
    return typeof list === 'string' ? list : judgeByList(list, certificate, now);
  };
  const OTHER = { state: 'unknown', why: 'it is about other certificates' };
  const POINT = 'issuingDistributionPoint=critical,@point\n[point]\n';

  it.each([
    ['of everything', [], { state: 'revoked' }],
    ['of the point that the certificate names', [`${POINT}fullname=URI:http://crl.test/one.crl`], { state: 'revoked' }],
    ['of one of several points', [`${POINT}fullname=URI:http://crl.test/two.crl,URI:http://crl.test/one.crl`], { state: 'revoked' }],
    ['of another point', [`${POINT}fullname=URI:http://crl.test/two.crl`], OTHER],
    ['of leaves', [`${POINT}onlyuser=TRUE`], { state: 'revoked' }],
    ['of authorities', [`${POINT}onlyCA=TRUE`], OTHER],
    ['of attribute certificates', [`${POINT}onlyAA=TRUE`], OTHER],
    ['of some reasons', [`${POINT}onlysomereasons=keyCompromise`], { state: 'unknown', why: 'it is of a kind that is not supported' }],
    ['of other authorities too', [`${POINT}indirectCRL=TRUE`], { state: 'unknown', why: 'it is of a kind that is not supported' }],
    ['of changes', ['2.5.29.27=critical,DER:020101'], { state: 'unknown', why: 'it is of a kind that is not supported' }],
    ['with an extension that nobody has to know', ['2.5.29.20=DER:020101'], { state: 'revoked' }],
  ])('%s', async (_what, extensions, verdict) => expect(await ask({ extensions })).toEqual(verdict));

  it('has a time, and says nothing outside of it', async () => {
    const outOfDate = { state: 'unknown', why: 'it is out of date' };
    expect(await ask({ until: '20260101000000Z' })).toEqual(outOfDate);
    expect(await ask({}, revoked, new Date('2025-01-01T00:00:00Z'))).toEqual(outOfDate);
    expect(await ask({}, good)).toEqual({ state: 'good' });
  });

  it('is found in a million entries, by its whole serial number, and only where an entry begins with it', async () => {
    const list = await readCrl(pki.revocationList([]), root);
    if (typeof list === 'string') throw new Error(list);
    const entry = (serial: Buffer) => {
      const content = Buffer.concat([Buffer.of(2, serial.length), serial, Buffer.from('170d3235303130313030303030305a', 'hex')]);
      return Buffer.concat([Buffer.of(0x30, content.length), content]);
    };
    const serials = Buffer.alloc(8);
    const many = Array.from({ length: 1_000_000 }, (_, i) => {
      serials.writeUInt32BE(i, 2);
      return entry(Buffer.from(serials));
    });
    const entries = Buffer.concat([...many, entry(Buffer.from(revoked.serial))]);
    expect(judgeByList({ ...list, entries }, revoked, NOW)).toEqual({ state: 'revoked' });
    expect(judgeByList({ ...list, entries }, good, NOW)).toEqual({ state: 'good' });
    // The same octets as part of something longer are none.
    const within = Buffer.concat([Buffer.of(2, 30), Buffer.of(2, revoked.serial.length), revoked.serial, Buffer.alloc(9)]);
    expect(judgeByList({ ...list, entries: Buffer.concat([Buffer.of(0x30, within.length), within]) }, revoked, NOW)).toEqual({
      state: 'good',
    });
  });

  it('counts only of an authority that may sign lists, and as it signed it', async () => {
    const file = pki.revocationList([]);
    expect(await readCrl(file, { ...root, signsLists: false })).toBe('its authority may not sign revocation lists');
    expect(await readCrl(file, read('ca-stranger'))).toBe('it is of another authority');
    for (const at of [100, file.length - 5]) {
      const tampered = Buffer.from(file);
      tampered[at]! ^= 1;
      expect(await readCrl(tampered, root)).toBeTypeOf('string');
    }
  });

  it('is read from any octets, or not', async () => {
    const file = pki.revocationList([]);
    const genuine = await readCrl(file, root);
    const damage = fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(damage, fc.uint8Array({ maxLength: 100 })), async (bytes) => {
        const copy = bytes instanceof Uint8Array ? bytes : Buffer.from(file);
        if (!(bytes instanceof Uint8Array)) for (const [at, octet] of bytes) copy[at] = octet;
        const list = await readCrl(copy, root);
        expect(typeof list === 'string' || list).toEqual(typeof list === 'string' ? true : genuine);
      }),
      { numRuns: runs(1_000) },
    );
  });
});

describe('a responder (RFC 6960)', () => {
  const requestOf = (certificate: Certificate) =>
    Buffer.from(decodeURIComponent(ocspUrl('http://ocsp.test', certificate, root).slice('http://ocsp.test/'.length)), 'base64');
  const ask = (certificate: Certificate, options?: Parameters<typeof pki.ocspResponse>[1], now = new Date()) =>
    judgeOcsp(pki.ocspResponse(requestOf(certificate), options), certificate, root, now);

  it('is asked by a path that caches can keep', () => {
    const url = ocspUrl('http://ocsp.test/', good, root);
    expect(url).toMatch(/^http:\/\/ocsp\.test\/[A-Za-z0-9%]{80,250}$/);
    expect(url).toBe(ocspUrl('http://ocsp.test', good, root));
  });

  it.each([
    ['good', 'ca-root', { state: 'good' }],
    ['revoked', 'ca-root', { state: 'revoked' }],
    ['good', 'responder', { state: 'good' }],
    ['revoked', 'responder', { state: 'revoked' }],
    ['good', 'server', { state: 'unknown', why: 'its responder is not the one that the issuer has named' }],
    ['good', 'late', { state: 'unknown', why: 'its responder is not the one that the issuer has named' }],
    ['good', 'foreign', { state: 'unknown', why: 'its responder is not the one that the issuer has named' }],
  ])('of the certificate that is %s, signed by %s', async (name, signer, verdict) => {
    expect(await ask(read(name), { signer })).toMatchObject(verdict);
  });

  it('has a time, and says nothing outside of it', async () => {
    const { until } = await ask(good, { days: 3 });
    expect(Math.round((until!.getTime() - Date.now()) / 3_600_000)).toBe(72);
    expect(await ask(good, { days: 3 }, new Date(Date.now() + 4 * 86_400_000))).toEqual({ state: 'unknown', why: 'it is out of date' });
    expect(await ask(good, { days: 3 }, new Date(Date.now() - 86_400_000))).toEqual({ state: 'unknown', why: 'it is out of date' });
  });

  it('speaks of one certificate: what it says of another, or of an unknown one, is nothing', async () => {
    const response = pki.ocspResponse(requestOf(good));
    expect(await judgeOcsp(response, revoked, root, new Date())).toEqual({ state: 'unknown', why: 'it is about another certificate' });
    expect(await judgeOcsp(response, good, read('ca-stranger'), new Date())).toMatchObject({ state: 'unknown' });
    const stranger = { ...good, serial: Buffer.of(0x11, 0x22) };
    expect(await ask(stranger)).toEqual({ state: 'unknown', why: 'its responder does not know the certificate' });
  });

  it.each([
    ['a refusal', Buffer.from('30030a0106', 'hex'), 'its responder says unauthorized'],
    ['a page', Buffer.from('<html>'), 'it is not an OCSP response'],
    ['nothing', Buffer.alloc(0), 'it is not an OCSP response'],
    ['a success without a response', Buffer.from('30030a0100', 'hex'), 'it is not an OCSP response'],
  ])('says nothing by %s', async (_what, response, why) => {
    expect(await judgeOcsp(response, good, root, new Date())).toEqual({ state: 'unknown', why });
  });

  it('counts only as it was signed, whatever was changed', async () => {
    const response = pki.ocspResponse(requestOf(revoked), { signer: 'responder' });
    const damage = fc.array(fc.tuple(fc.nat(response.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(damage, async (changes) => {
        const copy = Buffer.from(response);
        for (const [at, octet] of changes) copy[at] = octet;
        expect((await judgeOcsp(copy, revoked, root, new Date())).state).not.toBe('good');
      }),
      { numRuns: runs(1_000) },
    );
  });
});
