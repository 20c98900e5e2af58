import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Leaf {
  /** subjectAltName, such as `DNS:a.test`; empty for none. */
  names: string;
  from?: string;
  until?: string;
  /** `self`, `stranger`, or one above it in the list, which is sent along. */
  issuer?: string;
  /** Instead of those of a leaf, as openssl's configuration has them. */
  extensions?: readonly string[];
  digest?: string;
  /** Arguments of `openssl genpkey`. */
  key?: string[];
  /** Organization of the subject. */
  organization?: string;
}

/** A root with leaves of every kind, made by openssl. Files are in `folder`: `<name>.pem`, `<name>.key`. */
export interface Pki extends Disposable {
  folder: string;
  root: string;
  /** A list of the root's, in DER, on which these leaves are revoked, and those that were before. */
  revocationList(revoked: readonly string[], options?: ListOptions): Buffer;
  /** What a responder says to a request, both DER, by what was revoked so far. `signer`: a leaf that may sign for the root, else the root itself. */
  ocspResponse(request: Uint8Array, options?: { signer?: string; days?: number }): Buffer;
}

export interface ListOptions {
  until?: string;
  /** As openssl's configuration has them. */
  extensions?: readonly string[];
}

const EC = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'];

/** `owner`: roots that one process trusts beside each other want different names. */
export function makePki(leaves: Record<string, Leaf>, owner = 'tests'): Pki {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-pki-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    issue(folder, leaves, owner);
    return {
      folder,
      root: readFileSync(join(folder, 'ca-root.pem'), 'utf8'),
      revocationList: (revoked, options) => revoke(folder, revoked, options),
      ocspResponse: (request, options) => respond(folder, request, options),
      [Symbol.dispose]: remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

function issue(folder: string, leaves: Record<string, Leaf>, owner: string): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const ca of ['root', 'stranger']) {
    openssl('genpkey', ...EC, '-out', `ca-${ca}.key`);
    openssl('req', '-new', '-x509', '-key', `ca-${ca}.key`, '-out', `ca-${ca}.pem`, '-days', '3650', '-subj', `/CN=${ca} of ${owner}`);
  }
  writeFileSync(join(folder, 'ca.cnf'), CA_CONFIG);
  writeFileSync(join(folder, 'index'), '');
  writeFileSync(join(folder, 'crlnumber'), '01');
  for (const [name, leaf] of Object.entries(leaves)) {
    openssl('genpkey', ...(leaf.key ?? EC), '-out', `${name}.key`);
    openssl(
      'req',
      '-new',
      '-key',
      `${name}.key`,
      '-out',
      `${name}.csr`,
      '-subj',
      `/CN=${name}${leaf.organization ? `/O=${leaf.organization}` : ''}`,
    );
    const extensions = [
      ...(leaf.extensions ?? ['basicConstraints=CA:FALSE']),
      ...(leaf.names === '' ? [] : [`subjectAltName=${leaf.names}`]),
    ];
    writeFileSync(join(folder, `${name}.ext`), `${extensions.join('\n')}\n`);
    const { issuer = 'root' } = leaf;
    const isSent = !['root', 'self', 'stranger'].includes(issuer);
    const ca = isSent ? issuer : `ca-${issuer}`;
    const signer = issuer === 'self' ? ['-selfsign', '-keyfile', `${name}.key`] : ['-keyfile', `${ca}.key`, '-cert', `${ca}.pem`];
    const validity = ['-startdate', leaf.from ?? '20250101000000Z', '-enddate', leaf.until ?? '20491231000000Z'];
    const files = ['-config', 'ca.cnf', '-in', `${name}.csr`, '-out', `${name}.pem`, '-extfile', `${name}.ext`];
    openssl('ca', '-batch', '-notext', '-md', leaf.digest ?? 'sha256', ...files, ...signer, ...validity);
    if (isSent) appendFileSync(join(folder, `${name}.pem`), readFileSync(join(folder, `${issuer}.pem`)));
  }
}

function revoke(folder: string, revoked: readonly string[], { until = '20491231000000Z', extensions = [] }: ListOptions = {}): Buffer {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const signer = ['-config', 'list.cnf', '-keyfile', 'ca-root.key', '-cert', 'ca-root.pem'];
  writeFileSync(join(folder, 'list.cnf'), `${CA_CONFIG}[list]\n${extensions.join('\n')}\n`);
  for (const name of revoked) openssl('ca', ...signer, '-revoke', `${name}.pem`);
  const dates = ['-crl_lastupdate', '20250102000000Z', '-crl_nextupdate', until];
  openssl('ca', ...signer, '-gencrl', ...dates, ...(extensions.length > 0 ? ['-crlexts', 'list'] : []), '-out', 'list.pem');
  return openssl('crl', '-in', 'list.pem', '-outform', 'DER');
}

function respond(folder: string, request: Uint8Array, { signer = 'ca-root', days = 7 }: { signer?: string; days?: number } = {}): Buffer {
  writeFileSync(join(folder, 'request.der'), request);
  const files = ['-index', 'index', '-CA', 'ca-root.pem', '-reqin', 'request.der', '-respout', 'response.der', '-ndays', String(days)];
  execFileSync('openssl', ['ocsp', ...files, '-rsigner', `${signer}.pem`, '-rkey', `${signer}.key`], { cwd: folder, stdio: 'ignore' });
  return readFileSync(join(folder, 'response.der'));
}

const CA_CONFIG = `
[ca]
default_ca = it
[it]
dir = .
database = index
new_certs_dir = .
default_md = sha256
crlnumber = crlnumber
serial = serial
rand_serial = yes
policy = any
unique_subject = no
[any]
commonName = supplied
organizationName = optional
`;
