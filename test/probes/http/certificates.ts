import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Leaf {
  /** subjectAltName, such as `DNS:a.test`; empty for none. */
  names: string;
  from?: string;
  until?: string;
  issuer?: 'root' | 'self' | 'stranger';
  /** Arguments of `openssl genpkey`. */
  key?: string[];
}

/** A root with leaves of every kind, made by openssl. Files are in `folder`: `<name>.pem`, `<name>.key`. */
export interface Pki extends Disposable {
  folder: string;
  root: string;
}

const EC = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'];

export function makePki(leaves: Record<string, Leaf>): Pki {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-pki-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    issue(folder, leaves);
    return { folder, root: readFileSync(join(folder, 'ca-root.pem'), 'utf8'), [Symbol.dispose]: remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function issue(folder: string, leaves: Record<string, Leaf>): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const ca of ['root', 'stranger']) {
    openssl('genpkey', ...EC, '-out', `ca-${ca}.key`);
    openssl('req', '-new', '-x509', '-key', `ca-${ca}.key`, '-out', `ca-${ca}.pem`, '-days', '3650', '-subj', `/CN=${ca} of tests`);
  }
  writeFileSync(join(folder, 'ca.cnf'), CA_CONFIG);
  writeFileSync(join(folder, 'index'), '');
  for (const [name, leaf] of Object.entries(leaves)) {
    openssl('genpkey', ...(leaf.key ?? EC), '-out', `${name}.key`);
    openssl('req', '-new', '-key', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    const extensions = `basicConstraints=CA:FALSE\n${leaf.names === '' ? '' : `subjectAltName=${leaf.names}\n`}`;
    writeFileSync(join(folder, `${name}.ext`), extensions);
    const signer =
      leaf.issuer === 'self'
        ? ['-selfsign', '-keyfile', `${name}.key`]
        : ['-keyfile', `ca-${leaf.issuer ?? 'root'}.key`, '-cert', `ca-${leaf.issuer ?? 'root'}.pem`];
    const validity = ['-startdate', leaf.from ?? '20250101000000Z', '-enddate', leaf.until ?? '20491231000000Z'];
    const files = ['-config', 'ca.cnf', '-in', `${name}.csr`, '-out', `${name}.pem`, '-extfile', `${name}.ext`];
    openssl('ca', '-batch', '-notext', ...files, ...signer, ...validity);
  }
}

const CA_CONFIG = `
[ca]
default_ca = it
[it]
dir = .
database = index
new_certs_dir = .
default_md = sha256
serial = serial
rand_serial = yes
policy = any
unique_subject = no
[any]
commonName = supplied
`;
