import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeCertificate } from '../../packages/bus/src/setup/x509.ts';

const folder = mkdtempSync(join(tmpdir(), 'x509-'));
afterAll(() => rmSync(folder, { recursive: true }));

const NOW = new Date();
const ec = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const rsa = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const openssl = (...args: string[]): string => execFileSync('openssl', args, { encoding: 'utf8' });
const authorityOf = (key: KeyObject): string => makeCertificate({ signer: key, key, names: [], now: NOW, days: 3_650 });

it.each([
  ['EC', ec, 'ecdsa-with-SHA256'],
  ['RSA', rsa, 'sha256WithRSAEncryption'],
  ['Ed25519', () => generateKeyPairSync('ed25519').privateKey, 'ED25519'],
])('an authority with a key of type %s signs what openssl takes for names and addresses', (type, make, algorithm) => {
  const signer = make();
  const root = authorityOf(signer);
  const names = ['nats-1.example.org', '192.0.2.2', '2001:db8::3'];
  const pem = makeCertificate({ signer, issuer: new X509Certificate(root), key: ec(), names, now: NOW, days: 825 });
  const [ca, cert] = [file(`${type}-ca.pem`, root), file(`${type}.pem`, pem)];
  expect(openssl('verify', '-purpose', 'sslserver', '-CAfile', ca, cert)).toBe(`${cert}: OK\n`);
  const text = openssl('x509', '-in', cert, '-noout', '-text');
  expect(text).toContain(`Signature Algorithm: ${algorithm}\n`);
  expect(text).toContain('DNS:nats-1.example.org, IP Address:192.0.2.2, IP Address:2001:DB8:0:0:0:0:0:3\n');
  expect(openssl('x509', '-in', ca, '-noout', '-text')).toContain('CA:TRUE, pathlen:0');
});

it("repeats the subject of an operator's authority as it is written there, and is valid for its days and one before", () => {
  const signer = rsa();
  const key = file('own.key', signer.export({ type: 'pkcs8', format: 'pem' }));
  const subject = `/C=DE/O=${'Example '.repeat(7).trim()}/OU=${'Unit '.repeat(12).trim()}/CN=Own authority`;
  const ca = join(folder, 'own-ca.pem');
  openssl('req', '-x509', '-new', '-key', key, '-days', '9', '-subj', subject, '-addext', 'keyUsage=critical,keyCertSign', '-out', ca);
  const issuer = new X509Certificate(openssl('x509', '-in', ca));
  const cert = new X509Certificate(makeCertificate({ signer, issuer, key: ec(), names: ['a.test'], now: NOW, days: 825 }));
  expect(cert.issuer).toBe(issuer.subject);
  expect([cert.checkIssued(issuer), cert.verify(issuer.publicKey)]).toEqual([true, true]);
  expect((cert.validToDate.getTime() - cert.validFromDate.getTime()) / 86_400_000).toBe(826);
});

it('writes years from 2050 on as RFC 5280 wants them', () => {
  const key = ec();
  const now = new Date('2049-06-01T00:00:00Z');
  expect(new X509Certificate(makeCertificate({ signer: key, key, names: [], now, days: 400 })).validToDate.toISOString()).toBe(
    '2050-07-06T00:00:00.000Z',
  );
});

it('refuses an authority whose key it cannot sign with', () => {
  const signer = generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }).privateKey;
  expect(() => authorityOf(signer)).toThrow("an authority's key is EC, RSA or Ed25519, and not dsa");
});
