import { createPublicKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLogList } from '@vedette/intel/transparency';
import {
  certificateEntry, type CountedSct, meetsChromePolicy, ocspUrl, precertificateEntry, readCertificate, readSctList, type Sct, sctFault, sctsOf,
  stapledSctsOf,
} from '@vedette/mail/certificates'; // prettier-ignore
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { makePki } from '../../probes/http/certificates.ts';
import { logListText, precertEntry, sctList, type TestLog, testLog, withSctList, withStapledScts, x509Entry } from './logs.ts';

const NOW = new Date();
const DAY_MS = 86_400_000;
const keyOf = (key: string) => createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });

/** Certificates of OpenSSL's own tests, the second of a public authority in 2015, with the keys of their logs. */
const OPENSSL = new URL('openssl/', import.meta.url);
const theirs = (file: string) => readCertificate(new X509Certificate(readFileSync(new URL(`${file}.pem`, OPENSSL))).raw)!;
const THEIR_KEYS: Record<string, string> = JSON.parse(readFileSync(new URL('keys.json', OPENSSL), 'utf8'));

describe.each([
  ['embeddedSCTs1', ['test']],
  ['embeddedSCTs3', ['Google Aviator', 'DigiCert', 'Google Pilot']],
])('the SCTs of %s, which OpenSSL verifies in its tests', (file, logs) => {
  const [leaf, issuer] = [theirs(file), theirs(`${file}_issuer`)];
  const scts = sctsOf(leaf)!;

  it('hold by the keys of their logs, and by no other', () => {
    const entry = precertificateEntry(leaf, issuer)!;
    expect(scts.map((sct, i) => sctFault(sct, entry, keyOf(THEIR_KEYS[logs[i]!]!), NOW))).toEqual(logs.map(() => ''));
    const other = keyOf(THEIR_KEYS['Symantec']!);
    expect(new Set(scts.map((sct) => sctFault(sct, entry, other, NOW)))).toEqual(new Set(['its signature does not verify']));
  });

  it('do not hold for another issuer, nor for the certificate as it is', () => {
    const entries = [precertificateEntry(leaf, theirs(file))!, certificateEntry(leaf)];
    for (const entry of entries)
      expect(scts.map((sct, i) => sctFault(sct, entry, keyOf(THEIR_KEYS[logs[i]!]!), NOW))).toEqual(
        logs.map(() => 'its signature does not verify'),
      );
  });
});

const pki = makePki({
  bare: { names: 'DNS:a.test' },
  long: { names: Array.from({ length: 100 }, (_, i) => `DNS:name-${i}.test`).join(',') },
});
afterAll(() => pki[Symbol.dispose]());
const file = (name: string) => readFileSync(join(pki.folder, name), 'utf8');
const x509 = (name: string) => new X509Certificate(file(`${name}.pem`));
const [bare, root] = [x509('bare'), x509('ca-root')];
const issuer = readCertificate(root.raw)!;
const log = testLog('first');
const certificateOf = (list: Uint8Array, from = bare) => readCertificate(withSctList(from, file('ca-root.key'), list).raw)!;
const faultsOf = (list: Uint8Array, { key }: TestLog = log, from = bare) => {
  const certificate = certificateOf(list, from);
  return sctsOf(certificate)?.map((sct) => sctFault(sct, precertificateEntry(certificate, issuer)!, keyOf(key), NOW));
};

describe('an SCT in a certificate', () => {
  const entry = precertEntry(bare, root);

  it.each([
    ['ECDSA', log, bare],
    ['RSA', testLog('rsa', { rsa: true }), bare],
    ['ECDSA, in a certificate with lengths of three octets', log, x509('long')],
  ] as const)('holds: %s', (_what, by, from) => expect(faultsOf(sctList([by.promise(precertEntry(from, root))]), by, from)).toEqual(['']));

  it.each([
    ['of another key', sctList([testLog('other').promise(entry)]), 'its signature does not verify'],
    ['of another certificate', sctList([log.promise(precertEntry(x509('long'), root))]), 'its signature does not verify'],
    ['of tomorrow’s tomorrow', sctList([log.promise(entry, new Date(NOW.getTime() + 2 * DAY_MS))]), 'its time is in the future'],
    ['of a clock that is an hour ahead', sctList([log.promise(entry, new Date(NOW.getTime() + DAY_MS / 24))]), ''],
    ['with another time than was signed', sctList([changed(log.promise(entry), 40)]), 'its signature does not verify'],
    ['with another hash', sctList([changed(log.promise(entry), 43)]), 'it is not signed as its log signs'],
    ['of an RSA log', sctList([testLog('rsa', { rsa: true }).promise(entry)]), 'it is not signed as its log signs'],
  ])('%s: %s', (_what, list, fault) => expect(faultsOf(list)).toEqual([fault]));

  it('is read in a list of 16 at most, and those of later versions are left out', () => {
    const sct = log.promise(entry);
    expect(faultsOf(sctList(Array.from({ length: 20 }, () => sct)))).toHaveLength(16);
    expect(faultsOf(sctList([changed(sct, 0), sct]))).toEqual(['']);
    expect(faultsOf(sctList([]))).toEqual([]);
  });

  it.each([
    ['that is cut', sctList([log.promise(entry)]).subarray(0, -1)],
    ['with an empty SCT', sctList([Buffer.alloc(0)])],
    ['with an SCT of a few octets', sctList([Buffer.alloc(20)])],
    ['with octets behind the signature', sctList([Buffer.concat([log.promise(entry), Buffer.of(0)])])],
    ['of one octet', Buffer.of(0)],
  ])('a list %s is malformed', (_what, list) => expect(faultsOf(list)).toBeUndefined());

  it('any octets end in a list or in none', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (octets) => void readSctList(octets)));
  });
});

function changed(sct: Buffer, at: number): Buffer {
  const copy = Buffer.from(sct);
  copy[at]! ^= 1;
  return copy;
}

describe('an SCT in a stapled response', () => {
  const leaf = readCertificate(bare.raw)!;
  const responseOf = (certificate: ReturnType<typeof readCertificate>) =>
    pki.ocspResponse(
      Buffer.from(decodeURIComponent(ocspUrl('http://a.test', certificate!, issuer).slice('http://a.test/'.length)), 'base64'),
    );
  const promised = sctList([log.promise(x509Entry(bare))]);
  pki.revocationList([]);

  it('is of the certificate itself', () => {
    const scts = stapledSctsOf(withStapledScts(responseOf(leaf), promised), leaf, issuer)!;
    expect(scts.map((sct: Sct) => sctFault(sct, certificateEntry(leaf), keyOf(log.key), NOW))).toEqual(['']);
    expect(scts.map((sct: Sct) => sctFault(sct, precertificateEntry(leaf, issuer)!, keyOf(log.key), NOW))).toEqual([
      'its signature does not verify',
    ]);
  });

  it('is not read from a response without, of another certificate, or of no form', () => {
    expect(stapledSctsOf(responseOf(leaf), leaf, issuer)).toEqual([]);
    expect(stapledSctsOf(withStapledScts(responseOf(readCertificate(x509('long').raw)), promised), leaf, issuer)).toEqual([]);
    expect(stapledSctsOf(Buffer.from('junk'), leaf, issuer)).toEqual([]);
    expect(stapledSctsOf(withStapledScts(responseOf(leaf), promised.subarray(1)), leaf, issuer)).toBeUndefined();
  });
});

describe('the SCTs that Chrome asks for', () => {
  const LOGS = {
    one: testLog('one', { operator: 'One' }),
    'one again': testLog('one again', { operator: 'One' }),
    two: testLog('two', { operator: 'Two', state: 'qualified' }),
    three: testLog('three', { operator: 'Three', state: 'readonly' }),
    retired: testLog('retired', { operator: 'Four', state: 'retired', since: '2026-01-01T00:00:00Z' }),
    rejected: testLog('rejected', { operator: 'Five', state: 'rejected' }),
    pending: testLog('pending', { operator: 'Six', state: 'pending' }),
  };
  const list = readLogList(logListText(Object.values(LOGS)))!;
  const of = (name: keyof typeof LOGS, source: CountedSct['source'] = 'certificate', day = '2025-06-01'): CountedSct => {
    const logId = LOGS[name].id.toString('hex');
    return { source, logId, log: list.logs.get(logId)!, timestamp: new Date(day) };
  };

  it.each<[string, CountedSct[], number, boolean]>([
    ['two logs of two operators', [of('one'), of('two')], 90, true],
    ['of 180 days', [of('one'), of('two')], 180, true],
    ['of 181 days, which need a third log', [of('one'), of('two')], 181, false],
    ['three logs of two operators, for a year', [of('one'), of('one again'), of('two')], 365, true],
    ['two logs of one operator', [of('one'), of('one again')], 90, false],
    ['one log twice', [of('one'), of('one')], 90, false],
    ['a log that is only read from', [of('one'), of('three')], 90, true],
    ['a log that was retired later', [of('one'), of('retired')], 90, true],
    ['a log that was retired before', [of('one'), of('retired', 'certificate', '2026-02-01')], 90, false],
    ['none but retired logs', [of('retired')], 90, false],
    ['a rejected log', [of('one'), of('rejected')], 90, false],
    ['a pending log', [of('one'), of('pending')], 90, false],
    ['two by TLS', [of('one', 'tls'), of('two', 'tls')], 90, true],
    ['one by TLS and one stapled', [of('one', 'tls'), of('two', 'ocsp')], 365, true],
    ['one inside and one by TLS', [of('one'), of('two', 'tls')], 90, false],
    ['a retired log by TLS', [of('one', 'tls'), of('retired', 'tls')], 90, false],
    ['nothing', [], 90, false],
  ])('%s', (_what, scts, days, met) => expect(meetsChromePolicy(scts, days * DAY_MS)).toBe(met));
});
