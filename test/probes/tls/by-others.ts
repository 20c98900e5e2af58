import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TlsScan, weaknessOf } from '@vedette/probes/tls';
import { expect } from 'vitest';

const run = promisify(execFile);

const FLAGS = { tls1_0: '-tls1', tls1_1: '-tls1_1', tls1_2: '-tls1_2', tls1_3: '-tls1_3' } as const;
export type PeerVersion = keyof typeof FLAGS;
export const PEER_VERSIONS = Object.keys(FLAGS) as PeerVersion[];

/** IANA names by OpenSSL's. */
async function namesOfOpenssl(): Promise<Map<string, string>> {
  const { stdout } = await run('openssl', ['ciphers', '-stdname', 'ALL:COMPLEMENTOFALL:@SECLEVEL=0']);
  return new Map([...stdout.matchAll(/^ *(\S+) +- (\S+)/gm)].map(([, iana, name]) => [name!, iana!]));
}

/** The suite that `openssl s_client` gets with a list of its words for suites; undefined where it gets none. */
export async function gotByOpenssl(port: number, version: PeerVersion, words: string, more: string[] = []): Promise<string | undefined> {
  const list = version === 'tls1_3' ? ['-ciphersuites', words] : ['-cipher', `${words}:@SECLEVEL=0`];
  const client = run('openssl', ['s_client', '-connect', `127.0.0.1:${port}`, FLAGS[version], ...list, ...more], { timeout: 20_000 });
  client.child.stdin?.end();
  const { stdout } = await client.catch((error: { stdout: string }) => error);
  return /Cipher is (?!\(NONE\))(\S+)/.exec(stdout)?.[1];
}

/** The suites that `openssl s_client` gets of a server: one of all, then one of the others, and so on. */
export async function suitesByOpenssl(port: number, version: PeerVersion, more: string[] = []): Promise<string[]> {
  const names = await namesOfOpenssl();
  const got: string[] = [];
  let modern = ['AES_256_GCM_SHA384', 'CHACHA20_POLY1305_SHA256', 'AES_128_GCM_SHA256', 'AES_128_CCM_SHA256', 'AES_128_CCM_8_SHA256'].map(
    (name) => `TLS_${name}`,
  );
  for (;;) {
    const words = version === 'tls1_3' ? modern.join(':') : ['ALL:COMPLEMENTOFALL', ...got.map((name) => `!${name}`)].join(':');
    const name = words === '' ? undefined : await gotByOpenssl(port, version, words, more);
    if (name === undefined || got.includes(name)) return got.map((each) => names.get(each) ?? each);
    got.push(name);
    modern = modern.filter((each) => each !== name);
  }
}

/** The signature schemes of TLS 1.3 with each of which alone `openssl s_client` gets a suite, of those that it knows. */
export async function signaturesByOpenssl(port: number, more: string[] = []): Promise<string[]> {
  const kinds = [
    'rsa_pss_rsae_sha256 rsa_pss_rsae_sha384 rsa_pss_rsae_sha512',
    'ecdsa_secp256r1_sha256 ecdsa_secp384r1_sha384 ecdsa_secp521r1_sha512',
  ];
  const names = [...kinds, 'ed25519 ed448 rsa_pss_pss_sha256 rsa_pss_pss_sha384 rsa_pss_pss_sha512'].join(' ').split(' ');
  const got: string[] = [];
  for (const name of names)
    if (await gotByOpenssl(port, 'tls1_3', 'TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256', ['-sigalgs', name, ...more])) got.push(name);
  return got;
}

/** The suites by version in nmap's words, and whose order it takes them for. */
export async function suitesByNmap(
  port: number,
): Promise<{ suites: Partial<Record<PeerVersion, string[]>>; orders: Partial<Record<PeerVersion, string>> }> {
  const { stdout } = await run('nmap', ['-Pn', '-n', '-p', String(port), '--script', 'ssl-enum-ciphers', '127.0.0.1'], {
    timeout: 120_000,
  });
  const suites: Partial<Record<PeerVersion, string[]>> = {};
  const orders: Partial<Record<PeerVersion, string>> = {};
  let version: PeerVersion | undefined;
  for (const line of stdout.split('\n')) {
    const [, head] = /^\| +TLSv(1\.\d):/.exec(line) ?? [];
    if (head !== undefined) version = `tls${head.replace('.', '_')}` as PeerVersion;
    if (version === undefined) continue;
    const [, suite] = /^\| +(TLS_\w+)/.exec(line) ?? [];
    if (suite !== undefined) (suites[version] ??= []).push(suite.replace('TLS_AKE_WITH_', 'TLS_'));
    const [, order] = /cipher preference: (\w+)/.exec(line) ?? [];
    if (order !== undefined) orders[version] = order;
  }
  return { suites, orders };
}

/** What testssl.sh finds of a server, by its ids; it asks no DNS. */
export async function byTestssl(port: number, folder: string, ...tests: string[]): Promise<Record<string, string>> {
  const file = join(folder, `testssl-${port}.json`);
  const args = ['--quiet', '--color', '0', '--warnings', 'off', '--nodns', 'none', '--mapping', 'iana', '--jsonfile', file, ...tests];
  await run('testssl', [...args, `127.0.0.1:${port}`], { timeout: 280_000, maxBuffer: 16 << 20 }).catch((error: { killed?: boolean }) => {
    // Its status is the number of its findings.
    if (error.killed) throw error;
  });
  const rows = JSON.parse(readFileSync(file, 'utf8')) as { id: string; finding: string }[];
  return Object.fromEntries(rows.map(({ id, finding }) => [id, finding]));
}

/** Expects of each version the suites that others find: in their order where it is the server's, and a part of them where a scan has too few connections. */
export function expectSuites(scan: TlsScan, theirs: Partial<Record<PeerVersion, string[]>>): void {
  expect(scan).toMatchObject({ stopped: undefined, failed: undefined });
  for (const version of PEER_VERSIONS) {
    const all = theirs[version] ?? [];
    expect([version, scan.versions[version]]).toEqual([version, all.length > 0 ? 'yes' : 'no']);
    const listed = scan.suites[version];
    if (!listed) continue;
    const names = listed.suites.map(({ name }) => name);
    const asServed = (list: string[]) => (listed.order === 'server' ? list : list.toSorted());
    if (listed.complete) expect([version, asServed(names)]).toEqual([version, asServed(all)]);
    else expect([version, names.filter((name) => !all.includes(name))]).toEqual([version, []]);
    // Weak ones are known all the same.
    const kinds = (list: string[]) => [...new Set(list.map((name) => weaknessOf({ name }) ?? ''))].toSorted();
    expect([version, kinds(names)]).toEqual([version, kinds(all)]);
  }
}
