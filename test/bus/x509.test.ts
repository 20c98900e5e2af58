import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, hash, type KeyObject, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NEW_FLEET, writeFleet } from '@vedette/bus';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'x509-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const plan = { ...NEW_FLEET, hubs: ['nats-1.example.org'], regions: { four: { host: '192.0.2.2' }, six: { host: '2001:db8::3' } } };
const openssl = (...args: string[]): string => execFileSync('openssl', args, { encoding: 'utf8' });
const certificate = (...path: string[]) => new X509Certificate(readFileSync(join(folder, ...path)));

/** A fleet under an authority of the operator's own, made by openssl. */
function ownAuthority(key: KeyObject, ...more: string[]): string {
  const [certFile, keyFile] = [join(folder, 'own.pem'), join(folder, 'own.key')];
  writeFileSync(keyFile, key.export({ type: 'pkcs8', format: 'pem' }));
  const subject = `/C=DE/O=${'Example '.repeat(7).trim()}/OU=${'Unit '.repeat(12).trim()}/CN=Own authority`;
  openssl(
    'req',
    '-x509',
    '-new',
    '-key',
    keyFile,
    '-days',
    '9',
    '-subj',
    subject,
    '-addext',
    'keyUsage=critical,keyCertSign',
    ...more,
    '-out',
    certFile,
  );
  writeFleet(folder, plan, { now: new Date(), authority: { certFile, keyFile } });
  return certFile;
}

it.each([
  ['EC', () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, 'ecdsa-with-SHA256'],
  ['RSA', () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, 'sha256WithRSAEncryption'],
  ['Ed25519', () => generateKeyPairSync('ed25519').privateKey, 'ED25519'],
])('an authority with a key of type %s signs what openssl takes for names and addresses', (_type, make, algorithm) => {
  const ca = ownAuthority(make());
  for (const [server, name] of [
    ['hub-1', 'DNS:nats-1.example.org\n'],
    ['leaf-four', 'IP Address:192.0.2.2, DNS:'],
    ['leaf-six', 'IP Address:2001:DB8:0:0:0:0:0:3, DNS:'],
  ] as const) {
    const cert = join(folder, server, 'cert.pem');
    for (const purpose of ['sslserver', 'sslclient'])
      expect(openssl('verify', '-x509_strict', '-purpose', purpose, '-CAfile', ca, cert)).toBe(`${cert}: OK\n`);
    const text = openssl('x509', '-in', cert, '-noout', '-text');
    expect(text).toContain(`Signature Algorithm: ${algorithm}\n`);
    expect(text).toContain(name);
  }
  // The subject as it is written there, which is longer than a byte can say.
  expect(certificate('hub-1', 'cert.pem').issuer).toBe(certificate('own.pem').subject);
});

it('an authority of our own is one that openssl takes, and a certificate is valid for its days and one before', () => {
  writeFleet(folder, plan, { now: new Date() });
  const [ca, cert] = [join(folder, 'ca.pem'), join(folder, 'hub-1/cert.pem')];
  expect(openssl('verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', ca, cert)).toBe(`${cert}: OK\n`);
  expect(openssl('x509', '-in', ca, '-noout', '-text')).toContain('CA:TRUE, pathlen:0');
  const { validFromDate, validToDate } = certificate('hub-1', 'cert.pem');
  expect((validToDate.getTime() - validFromDate.getTime()) / 86_400_000).toBe(826);
});

it('has servers name the key of an authority that has no identifier for it', () => {
  const ca = ownAuthority(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, '-addext', 'subjectKeyIdentifier=none');
  expect(openssl('x509', '-in', ca, '-noout', '-text')).not.toContain('Subject Key Identifier');
  const cert = join(folder, 'hub-1/cert.pem');
  const identifier = hash('sha256', certificate('own.pem').publicKey.export({ type: 'spki', format: 'der' }), 'hex').slice(0, 40);
  const text = openssl('x509', '-in', cert, '-noout', '-ext', 'authorityKeyIdentifier');
  expect(text.replaceAll(':', '')).toContain(identifier.toUpperCase());
  expect(openssl('verify', '-purpose', 'sslserver', '-CAfile', ca, cert)).toBe(`${cert}: OK\n`);
});

it('writes years from 2050 on as RFC 5280 wants them', () => {
  writeFleet(folder, plan, { now: new Date('2048-06-01T00:00:00Z') });
  expect(certificate('hub-1', 'cert.pem').validToDate.toISOString()).toBe('2050-09-04T00:00:00.000Z');
});

it('refuses an authority whose key it cannot sign with', () => {
  expect(() => ownAuthority(generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }).privateKey)).toThrow(
    "an authority's key is EC, RSA or Ed25519, and not dsa",
  );
});
