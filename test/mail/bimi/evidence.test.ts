import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { markRoots, readEvidence } from '@vedette/mail/bimi';
import { type Certificate, judgeByList, readCrl } from '@vedette/mail/certificates';
import { readLogotype } from '../../../packages/mail/src/bimi/logo/logotype.ts';
import { MARK_ROOTS } from '../../../packages/mail/src/bimi/mark-roots.ts';
import { judgeSvg } from '../../../packages/mail/src/bimi/logo/svg.ts';
import { LOGO, logotypeOf, makeMarkPki } from './mark-pki.ts';
import { runs } from '../../runs.ts';

const now = new Date('2026-11-21T00:00:00Z');
const pki = makeMarkPki();
afterAll(() => pki[Symbol.dispose]());
const roots = markRoots([pki.root]);
const read = (pem: string, at = now) => readEvidence(Buffer.from(pem), roots, at);
const VMC = pki.issue({ crl: 'http://crl.test/x.crl' });
const LEAF = VMC.replace(pki.intermediate, '');

describe('a mark certificate', () => {
  it('is read with its chain, its mark and its logo', async () => {
    const { leaf, chain, logo, ...rest } = await read(VMC);
    expect(rest).toEqual({
      expired: false,
      trademark: { country: 'US', registration: '1234567' },
      mark: 'Registered Mark',
      isCommonMark: false,
      isGovernmentMark: false,
      faults: [],
      advice: [],
    });
    expect(leaf).toMatchObject({ names: ['a.test'], crlUrls: ['http://crl.test/x.crl'], pathLength: Infinity });
    expect(chain.map(({ subject }) => subject.get('2.5.4.3'))).toEqual(['A Inc', 'Mark CA of tests', 'Mark Root of tests']);
    expect(logo).toEqual({ svg: LOGO, hashAgrees: true });
  });

  it.each([
    [
      'RFC 5280 §6.1.3 before its time',
      VMC,
      '2024-12-31T23:59:59Z',
      ['was issued by an authority whose certificate is out of date', 'is not valid yet'],
    ],
    [
      'RFC 5280 §6.1.3 after its time',
      VMC,
      '2050-01-01T00:00:00Z',
      ['was issued by an authority whose certificate is out of date', 'has expired'],
    ],
    ['RFC 5280 §6.1 without its intermediate', LEAF, '', ['does not lead to a mark verifying authority']],
    ['RFC 5280 §6.1 from a root of another kind', pki.issue({ issuer: 'stranger' }), '', ['does not lead to a mark verifying authority']],
    [
      'RFC 5280 §4.2.1.12 for servers',
      pki.issue({ usage: 'serverAuth' }),
      '',
      ['is not meant for logos (it lacks the extended key usage of BIMI)'],
    ],
    ['RFC 7468 §2 cut off', VMC.slice(0, -40), '', ['has a certificate without an end', 'does not lead to a mark verifying authority']],
    ['RFC 7468 §3 not base64', LEAF.replace('MII', '!!!'), '', ['has a certificate that cannot be read']],
    [
      'RFC 7468 §3 not a certificate',
      LEAF.replace(/(BEGIN CERTIFICATE-----\n).*\n/, '$1AAAA\n'),
      '',
      ['has a certificate that cannot be read'],
    ],
    ['RFC 5280 §4.2 an extension that is not critical', pki.issue({ extension: '1.2.3.4=DER:0500' }), '', []],
    [
      'RFC 5280 §4.2 a critical extension that is not known',
      pki.issue({ extension: '1.2.3.4=critical,DER:0500' }),
      '',
      ['has a critical extension that is not known: 1.2.3.4'],
    ],
    [
      'RFC 6962 §3.1 a precertificate',
      pki.issue({ extension: '1.3.6.1.4.1.11129.2.4.3=critical,DER:0500' }),
      '',
      ['has a critical extension that is not known: 1.3.6.1.4.1.11129.2.4.3'],
    ],
    [
      'RFC 5280 §4.2 critical extensions that are known',
      pki.issue({
        extension: 'keyUsage=critical,digitalSignature\ncertificatePolicies=critical,1.3.6.1.4.1.53087.1.1',
        names: 'critical,DNS:a.test',
      }),
      '',
      [],
    ],
    ['RFC 5280 §4.2.1.10 an authority with name constraints', pki.issueBelow('nameConstraints=permitted;DNS:a.test'), '', []],
    [
      'RFC 5280 §4.2.1.10 an authority with critical name constraints',
      pki.issueBelow('nameConstraints=critical,permitted;DNS:a.test'),
      '',
      ['was issued by an authority whose certificate has a critical extension that is not known: 2.5.29.30'],
    ],
    ['RFC 7468 no certificate', '', '', ['has no certificate in PEM']],
    [
      'RFC 6170 §5 a logo that is no gzip',
      pki.issue({ logotype: logotypeOf(LOGO, { file: Buffer.from([0x1f, 0x8b, 1]) }) }),
      '',
      ['carries a logo that cannot be unpacked'],
    ],
    [
      'RFC 9399 §4.1 a logo elsewhere',
      pki.issue({ logotype: logotypeOf(LOGO, { uri: 'https://a.test/x.svg' }) }),
      '',
      ['carries a logo that cannot be unpacked'],
    ],
  ])('%s', async (_rule, pem, at, faults) => {
    expect((await read(pem, at === '' ? now : new Date(at))).faults).toEqual(faults);
  });

  it('needs an authority that may issue', async () => {
    const signedByLeaf = LEAF + LEAF;
    expect((await read(signedByLeaf)).chain).toEqual([]);
  });

  it('may have text and its intermediate before it', async () => {
    expect(await read(`Subject: A\n${pki.intermediate}\n# leaf\n${LEAF}`)).toMatchObject({
      faults: [],
      chain: { length: 3 },
      advice: ['its own certificate does not come first (put it there)'],
    });
  });

  it('may carry its logo as plain text, hashed unpacked', async () => {
    const uri = `data:image/svg+xml,${encodeURIComponent(LOGO.toString())}`;
    const { leaf } = await read(pki.issue({ logotype: logotypeOf(LOGO, { uri, hashed: LOGO }) }));
    expect(await readLogotype(leaf!)).toEqual({ svg: LOGO, hashAgrees: true });
  });

  it('of 10,000 in one file eight are read', async () => {
    const file = LEAF + pki.intermediate.repeat(10_000);
    expect(await readEvidence(Buffer.from(file), roots, now)).toMatchObject({
      chain: { length: 3 },
      faults: ['has more than 8 certificates'],
    });
  });

  it.each([
    ['1 MB of white space', ` ${' '.repeat(1_000_000)}!`],
    ['1 MB of padding', `${'='.repeat(1_000_000)}!`],
    ['1 MB of base64', 'A'.repeat(1_000_000)],
  ])('may be %s, which is no certificate', async (_case, inside) => {
    const { faults } = await read(`-----BEGIN CERTIFICATE-----${inside}-----END CERTIFICATE-----`);
    expect(faults).toEqual(['has a certificate that cannot be read']);
  });

  it('may begin 39,000 times and never end', async () => {
    expect((await read('-----BEGIN CERTIFICATE-----'.repeat(39_000))).faults).toEqual(['has a certificate without an end']);
  });

  it('may be any bytes', async () => {
    const der = new X509Certificate(LEAF).raw;
    const damaged = fc.tuple(fc.nat(der.length - 1), fc.nat(255)).map(([at, octet]) => {
      const copy = Buffer.from(der);
      copy[at] = octet;
      return `-----BEGIN CERTIFICATE-----\n${copy.toString('base64')}\n-----END CERTIFICATE-----\n${pki.intermediate}`;
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), damaged), async (pem) => {
        const { chain, faults } = await read(pem);
        expect(chain.length === 0).toBe(
          faults.some((fault) =>
            /^(does not lead|is not meant|was issued|has no certificate|has a certificate|has a critical)/.test(fault),
          ),
        );
      }),
      { numRuns: runs(300) },
    );
  });
});

/** A SEQUENCE of so many empty ones. */
const emptyValues = (count: number): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(count * 2);
  return Buffer.concat([Buffer.from([0x30, 0x84]), length, Buffer.from('3000'.repeat(count), 'hex')]);
};

async function judgeCrl(file: Uint8Array, [leaf, issuer]: readonly Certificate[]) {
  const list = await readCrl(file, issuer!);
  return typeof list === 'string' ? { state: 'unknown', why: list } : judgeByList(list, leaf!, now);
}

describe('a revocation list', () => {
  it.each([
    ['RFC 5280 §6.3.3 does not name it', () => pki.crl([pki.issue()]), { state: 'good' }],
    ['RFC 5280 §6.3.3 names it', () => pki.crl([pki.issue(), LEAF]), { state: 'revoked' }],
    [
      'RFC 5280 §6.3.3 is of another authority',
      () => pki.crl([LEAF], { issuer: 'root' }),
      { state: 'unknown', why: 'it is of another authority' },
    ],
    [
      'RFC 5280 §5.1.2.5 is out of date',
      () => pki.crl([LEAF], { until: '20260101000000Z' }),
      { state: 'unknown', why: 'it is out of date' },
    ],
    ['RFC 5280 §5.1 is cut off', () => pki.crl([]).subarray(0, 99), { state: 'unknown', why: 'it is not a revocation list in DER' }],
    ['RFC 5280 §5.1 is of empty values only', () => emptyValues(100_000), { state: 'unknown', why: 'it is not a revocation list in DER' }],
    ['RFC 5280 §5.1 is a page', () => Buffer.from('<html>'), { state: 'unknown', why: 'it is not a revocation list in DER' }],
  ])('%s', async (_rule, list, verdict) => {
    const { chain } = await read(VMC);
    expect(await judgeCrl(list(), chain)).toEqual(verdict);
  });

  it('counts only as the authority signed it', async () => {
    const { chain } = await read(VMC);
    const list = Buffer.from(pki.crl([LEAF]));
    const serial = Buffer.from(chain[0]!.serial);
    list[list.indexOf(serial) + 3]! ^= 1;
    expect(await judgeCrl(list, chain)).toEqual({ state: 'unknown', why: 'its signature does not verify' });
  });
});

describe('the world', () => {
  it('has the roots that are pinned here', () => {
    expect(MARK_ROOTS.map(({ pem }) => new X509Certificate(pem).fingerprint256)).toEqual(MARK_ROOTS.map(({ sha256 }) => sha256));
    for (const { x509 } of markRoots([])) expect([x509.ca, x509.verify(x509.publicKey)]).toEqual([true, true]);
  });

  // Certificates of the world that an independent reader (@postalsys/vmc, which mailauth uses) comes with.
  const vmc = createRequire(createRequire(import.meta.url).resolve('mailauth')).resolve('@postalsys/vmc');
  const world = (name: string) => readFileSync(join(dirname(vmc), '../test/fixtures', name));
  const reader = createRequire(import.meta.url)(vmc) as {
    vmc(
      pem: Buffer,
      options: { now: Date },
    ): Promise<{ type: string; logoFile: string; validHash: boolean; certificate: { subjectAltName: string[] } }>;
  };

  it.each([
    ['cnn.pem', '2022-01-01', 'CNN'],
    ['paypal_vmc.pem', '2025-01-01', 'PayPal'],
    ['redshift.pem', '2022-01-01', 'RedSift, Ltd'],
    ['globalsign-vmc.pem', '2025-06-01', 'GMO GlobalSign Inc.'],
    ['xometry_cmc.pem', '2025-01-01', 'Xometry'],
  ])('has %s, read as another reader does', async (name, day, title) => {
    const at = new Date(day);
    const expected = await reader.vmc(world(name), { now: at });
    const { leaf, chain, logo, isCommonMark, trademark, faults } = await readEvidence(world(name), markRoots([]), at);
    expect({ faults, chain: chain.length, type: isCommonMark ? 'CMC' : 'VMC', names: leaf?.names }).toEqual({
      faults: [],
      chain: 3,
      type: expected.type,
      names: expected.certificate.subjectAltName,
    });
    expect(trademark.registration !== '').toBe(!isCommonMark);
    if (typeof logo !== 'object') throw new Error('no logo');
    expect(Buffer.from(logo.svg).toString('base64')).toBe(expected.logoFile);
    expect(judgeSvg(logo.svg)).toMatchObject({ title, faults: [] });
  });

  it('has certificates that are not for logos', async () => {
    const { chain, faults } = await readEvidence(world('catchall.delivery.pem'), markRoots([]), new Date('2022-08-01'));
    expect({ chain, faults }).toEqual({ chain: [], faults: ['is not meant for logos (it lacks the extended key usage of BIMI)'] });
  });
});
