import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface MarkLeaf {
  /** subjectAltName, such as `DNS:a.test`. */
  names?: string;
  /** As `openssl req -subj` takes it. */
  subject?: string;
  /** Value of the logotype extension; null leaves it out. */
  logotype?: Uint8Array | null;
  /** Extended key usage. */
  usage?: string;
  crl?: string;
  issuer?: 'intermediate' | 'root' | 'stranger';
  /** One more extension, as openssl's configuration has it. */
  extension?: string;
}

/** A mark verifying authority, made by openssl. */
export interface MarkPki extends Disposable {
  /** In PEM. */
  root: string;
  intermediate: string;
  /** A VMC with its intermediate, in PEM, leaf first. */
  issue(leaf?: MarkLeaf): string;
  /** The same from another intermediate, which has this extension. */
  issueBelow(extension: string): string;
  /** A revocation list in DER; `revoked` are certificates in PEM. */
  crl(revoked: readonly string[], options?: { issuer?: 'intermediate' | 'root' | 'stranger'; until?: string }): Uint8Array;
}

const BIMI_USAGE = '1.3.6.1.5.5.7.3.31';
const VERIFIED = '/C=US/ST=Utah/L=Lehi/O=A Inc/CN=A Inc/markType=Registered Mark';
const REGISTERED = `${VERIFIED}/markCountry=US/markRegistration=1234567`;
export const UNREGISTERED = VERIFIED;
/** What a law grants: a statute instead of a trademark. */
export const GOVERNMENT = `${VERIFIED.replace('Registered', 'Government')}/statuteCountry=US/statuteCitation=Act of 1903`;
export const PRIOR_USE = VERIFIED.replace('Registered', 'Prior Use');

export const LOGO = Buffer.from(
  `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps" viewBox="0 0 64 64">
<title>A Inc</title><rect width="64" height="64" fill="#123"/></svg>
`,
);

/** A value in DER: tag, length in its shortest form, contents. */
function der(tag: number, ...contents: (Uint8Array | string)[]): Buffer {
  const content = Buffer.concat(contents.map((part) => Buffer.from(part)));
  const length = Buffer.from(content.length.toString(16).padStart(content.length > 0xffff ? 6 : content.length > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from(content.length < 0x80 ? [tag, content.length] : [tag, 0x80 | length.length, ...length]), content]);
}

const SHA_256 = der(0x06, Buffer.from('608648016503040201', 'hex')); // 2.16.840.1.101.3.4.2.1

/** LogotypeExtn with one image of the subject (RFC 9399 §4.1), by default as authorities write it. */
export function logotypeOf(svg: Uint8Array, options: { file?: Uint8Array; hashed?: Uint8Array; uri?: string } = {}): Uint8Array {
  const file = options.file ?? gzipSync(svg);
  const digest = createHash('sha256')
    .update(options.hashed ?? file)
    .digest();
  const [sequence, octetString, ia5String, subjectLogo, direct] = [0x30, 0x04, 0x16, 0xa2, 0xa0];
  const hash = der(sequence, der(sequence, SHA_256), der(octetString, digest));
  const uri = options.uri ?? `data:image/svg+xml;base64,${Buffer.from(file).toString('base64')}`;
  const details = der(sequence, der(ia5String, 'image/svg+xml'), der(sequence, hash), der(sequence, der(ia5String, uri)));
  const images = der(sequence, der(sequence, details));
  return der(sequence, der(subjectLogo, der(direct, images)));
}

export function makeMarkPki(): MarkPki {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-marks-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let issued = 0;

  const sign = (name: string, subject: string, issuer: string, extensions: string) => {
    openssl('req', '-config', 'ca.cnf', '-new', '-key', 'key', '-out', 'csr', '-subj', subject);
    writeFileSync(path('ext'), extensions);
    const signer = issuer === name ? ['-selfsign'] : ['-cert', `${issuer}.pem`];
    const validity = ['-startdate', '20250101000000Z', '-enddate', '20491231000000Z'];
    const request = ['-config', 'ca.cnf', '-preserveDN', '-in', 'csr', '-out', `${name}.pem`, '-extfile', 'ext'];
    openssl('ca', '-batch', '-notext', ...request, '-keyfile', issuer === 'stranger' ? 'stranger.key' : 'key', ...signer, ...validity);
    return readFileSync(path(`${name}.pem`), 'utf8');
  };

  try {
    for (const key of ['key', 'stranger.key']) openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', key);
    writeFileSync(path('ca.cnf'), CA_CONFIG);
    writeFileSync(path('index'), '');
    const ca = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n';
    const root = sign('root', '/CN=Mark Root of tests', 'root', ca);
    openssl('req', '-new', '-x509', '-key', 'stranger.key', '-out', 'stranger.pem', '-days', '3650', '-subj', '/CN=Stranger');
    const below = ca.replace('CA:TRUE', 'CA:TRUE,pathlen:0');
    const intermediate = sign('intermediate', '/CN=Mark CA of tests', 'root', `${below}extendedKeyUsage=${BIMI_USAGE}\n`);
    return {
      root,
      intermediate,
      issue({
        names = 'DNS:a.test',
        subject = REGISTERED,
        logotype = logotypeOf(LOGO),
        usage = BIMI_USAGE,
        crl,
        issuer = 'intermediate',
        extension = '',
      } = {}) {
        const extensions = [
          'basicConstraints=critical,CA:FALSE',
          `subjectAltName=${names}`,
          `extendedKeyUsage=${usage}`,
          crl === undefined ? '' : `crlDistributionPoints=URI:${crl}`,
          extension,
          logotype ? `1.3.6.1.5.5.7.1.12=DER:${Buffer.from(logotype).toString('hex')}` : '',
        ];
        const leaf = sign(`leaf${issued++}`, subject, issuer, `${extensions.join('\n')}\n`);
        return issuer === 'intermediate' ? leaf + intermediate : leaf;
      },
      issueBelow(extension) {
        const authority = sign('other', '/CN=Other Mark CA of tests', 'root', `${below}extendedKeyUsage=${BIMI_USAGE}\n${extension}\n`);
        const leaf = ['basicConstraints=critical,CA:FALSE', 'subjectAltName=DNS:a.test', `extendedKeyUsage=${BIMI_USAGE}`];
        const logo = `1.3.6.1.5.5.7.1.12=DER:${Buffer.from(logotypeOf(LOGO)).toString('hex')}`;
        return sign(`leaf${issued++}`, REGISTERED, 'other', `${[...leaf, logo].join('\n')}\n`) + authority;
      },
      crl(revoked, { issuer = 'intermediate', until = '20491231000000Z' } = {}) {
        writeFileSync(path('index'), '');
        const authority = ['-config', 'ca.cnf', '-keyfile', issuer === 'stranger' ? 'stranger.key' : 'key', '-cert', `${issuer}.pem`];
        for (const pem of revoked) {
          writeFileSync(path('revoked.pem'), pem);
          openssl('ca', ...authority, '-revoke', 'revoked.pem');
        }
        openssl('ca', '-gencrl', ...authority, '-crl_lastupdate', '20250102000000Z', '-crl_nextupdate', until, '-out', 'crl.pem');
        openssl('crl', '-in', 'crl.pem', '-outform', 'DER', '-out', 'crl.der');
        return readFileSync(path('crl.der'));
      },
      [Symbol.dispose]: remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

const CA_CONFIG = `
oid_section = oids
[oids]
markCountry = 1.3.6.1.4.1.53087.1.3
markRegistration = 1.3.6.1.4.1.53087.1.4
markType = 1.3.6.1.4.1.53087.1.13
statuteCountry = 1.3.6.1.4.1.53087.3.2
statuteCitation = 1.3.6.1.4.1.53087.3.5
[req]
distinguished_name = subject
[subject]
[ca]
default_ca = it
[it]
dir = .
database = index
new_certs_dir = .
default_md = sha256
rand_serial = yes
policy = any
unique_subject = no
[any]
commonName = optional
`;
