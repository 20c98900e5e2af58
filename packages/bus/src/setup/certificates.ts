import { createHash, createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseIp, validity } from '@vedette/contract';
import { writeWhole } from './keys.ts';
import { makeCertificate, newKey } from './x509.ts';

/** A certificate authority on the disk. */
export interface Authority {
  certFile: string;
  keyFile: string;
}

const CA_DAYS = 3_650;
const DAYS = 825;
const RENEW_DAYS = 275;
const DAY_MS = 86_400_000;

/** The folder's authority: that which is there, else a copy of `given`, else a new one. Throws an Error where certificate and key do not belong together. */
export function authorityIn(folder: string, given: Authority | undefined, now: Date): Authority {
  const authority = { certFile: join(folder, 'ca.pem'), keyFile: join(folder, 'ca.key') };
  if (given) {
    const [cert, key] = [readFileSync(given.certFile, 'utf8'), readFileSync(given.keyFile, 'utf8')];
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
      throw new Error(`${given.keyFile} is not the key of ${given.certFile}`);
    writeWhole(authority.keyFile, key, 0o600);
    writeWhole(authority.certFile, cert);
  } else if (!existsSync(authority.certFile)) {
    if (!existsSync(authority.keyFile)) writeWhole(authority.keyFile, newKey(), 0o600);
    const key = createPrivateKey(readFileSync(authority.keyFile));
    writeWhole(authority.certFile, makeCertificate({ signer: key, key, names: [], now, days: CA_DAYS }));
  }
  return authority;
}

/** SHA-256 of the public key of a private key's file, hexadecimal. */
export const fingerprintOf = (keyFile: string): string =>
  createHash('sha256')
    .update(createPublicKey(readFileSync(keyFile, 'utf8')).export({ type: 'spki', format: 'der' }))
    .digest('hex');

/** The name of a leaf node in its certificate: a new key has a new name, so that a stolen key can be shut out. */
export const leafIdentity = (keyFile: string): string => `${fingerprintOf(keyFile).slice(0, 32)}.leaf.vedette.internal`;

/**
 * Has `cert.pem`, `key.pem` and `ca.pem` in the folder of a server. The key stays; the certificate is made anew where it is for other names or of another
 * authority, or has less than 275 of its 825 days left. Returns whether it was.
 */
export function certify(folder: string, authority: Authority, host: string, namesOf: (keyFile: string) => string[], now: Date): boolean {
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  if (!existsSync(keyFile)) writeWhole(keyFile, newKey(), 0o600);
  const names = [host, ...namesOf(keyFile)];
  const root = readFileSync(authority.certFile, 'utf8');
  writeWhole(join(folder, 'ca.pem'), root);
  if (existsSync(certFile) && isGood(new X509Certificate(readFileSync(certFile)), new X509Certificate(root), keyFile, names, now))
    return false;
  const signer = createPrivateKey(readFileSync(authority.keyFile));
  const key = createPrivateKey(readFileSync(keyFile));
  writeWhole(certFile, makeCertificate({ signer, issuer: new X509Certificate(root), key, names, now, days: DAYS }));
  return true;
}

function isGood(cert: X509Certificate, root: X509Certificate, keyFile: string, names: readonly string[], now: Date): boolean {
  const isFor = (name: string) => (parseIp(name) ? cert.checkIP(name) : cert.checkHost(name, { subject: 'never' })) !== undefined;
  return (
    cert.verify(root.publicKey) &&
    cert.checkPrivateKey(createPrivateKey(readFileSync(keyFile))) &&
    validity(cert).to.getTime() - now.getTime() > RENEW_DAYS * DAY_MS &&
    names.every(isFor) &&
    cert.subjectAltName?.split(', ').length === names.length
  );
}
