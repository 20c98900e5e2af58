import { execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, randomBytes, X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseIp } from '@vedette/contract';
import { writeWhole } from './keys.ts';

/** A certificate authority on the disk. */
export interface Authority {
  certFile: string;
  keyFile: string;
}

const CA_DAYS = 3_650;
const DAYS = 825;
const RENEW_DAYS = 275;
const DAY_MS = 86_400_000;

/** Runs openssl(1), which makes all keys and certificates here, with a file of settings where one is given. Throws an Error that says what it said, or that it is missing. */
function openssl(args: readonly string[], { input = '', file }: { input?: string; file?: { option: string; text: string } } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-fleet-'));
  try {
    const path = join(folder, 'settings');
    if (file) writeFileSync(path, file.text);
    const all = [...args, ...(file ? [file.option, path] : [])];
    return execFileSync('openssl', all, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw new Error('openssl(1) is missing: apt-get install openssl', { cause });
    throw new Error(`openssl ${args[0]}: ${String((cause as { stderr?: string }).stderr).trim()}`, { cause });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const newKey = (): string => openssl(['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256']);

/** The folder's authority: that which is there, else a copy of `given`, else a new one. Throws an Error where certificate and key do not belong together. */
export function authorityIn(folder: string, given: Authority | undefined): Authority {
  const authority = { certFile: join(folder, 'ca.pem'), keyFile: join(folder, 'ca.key') };
  if (given) {
    const [cert, key] = [readFileSync(given.certFile, 'utf8'), readFileSync(given.keyFile, 'utf8')];
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
      throw new Error(`${given.keyFile} is not the key of ${given.certFile}`);
    writeWhole(authority.keyFile, key, 0o600);
    writeWhole(authority.certFile, cert);
  } else if (!existsSync(authority.certFile)) {
    if (!existsSync(authority.keyFile)) writeWhole(authority.keyFile, newKey(), 0o600);
    const text =
      '[req]\ndistinguished_name=dn\nx509_extensions=ca\nprompt=no\n[dn]\nCN=Vedette message bus\n[ca]\nbasicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\n';
    const args = ['req', '-x509', '-new', '-key', authority.keyFile, '-days', `${CA_DAYS}`];
    writeWhole(authority.certFile, openssl(args, { file: { option: '-config', text } }));
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
  const alternative = names.map((name) => `${parseIp(name) ? 'IP' : 'DNS'}:${name}`).join(',');
  const subject = '[req]\ndistinguished_name=dn\nprompt=no\n[dn]\nO=Vedette message bus\n';
  const extensions = `basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth,clientAuth\nsubjectAltName=${alternative}\n`;
  const request = openssl(['req', '-new', '-key', keyFile], { file: { option: '-config', text: subject } });
  const signing = [
    'x509',
    '-req',
    '-CA',
    authority.certFile,
    '-CAkey',
    authority.keyFile,
    '-set_serial',
    `0x${randomBytes(15).toString('hex')}`,
  ];
  const signed = openssl([...signing, '-days', `${DAYS}`, '-sha256'], { input: request, file: { option: '-extfile', text: extensions } });
  writeWhole(certFile, signed);
  return true;
}

function isGood(cert: X509Certificate, root: X509Certificate, keyFile: string, names: readonly string[], now: Date): boolean {
  const isFor = (name: string) => (parseIp(name) ? cert.checkIP(name) : cert.checkHost(name, { subject: 'never' })) !== undefined;
  return (
    cert.verify(root.publicKey) &&
    cert.checkPrivateKey(createPrivateKey(readFileSync(keyFile))) &&
    cert.validToDate.getTime() - now.getTime() > RENEW_DAYS * DAY_MS &&
    names.every(isFor) &&
    cert.subjectAltName?.split(', ').length === names.length
  );
}
