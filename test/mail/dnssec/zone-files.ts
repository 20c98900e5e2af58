import { execFile } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A zone to build, signed by BIND's tools and then, where the test wants that, spoilt. */
export interface ZoneSpec {
  name: string;
  /** As dnssec-keygen names it; ECDSAP256SHA256 by default. `none`: unsigned. */
  algorithm?: string;
  /** Records beyond SOA, NS and the usual hosts. */
  records?: string;
  nsec3?: { iterations?: number; optOut?: boolean };
  /** Of the signatures, as dnssec-signzone's -s and -e. */
  from?: string;
  until?: string;
  /** How the DS set comes to the parent: the lines it gets. Given are the right ones, one by digest (SHA-1, SHA-256, SHA-384). */
  ds?: (right: { sha1: string; sha256: string; sha384: string }) => string[];
  /** More DNSKEY records to sign, made from the zone-signing key's. */
  moreKeys?: (zsk: string) => string[];
  /** Edits the signed file, one record a line. */
  edit?: (lines: string[]) => string[];
  /** One key that is KSK and ZSK at once. */
  combinedKey?: boolean;
}

export interface BuiltZone {
  name: string;
  file: string;
  /** DS lines for the parent; empty where there is no delegation from above. */
  ds: string[];
  /** The key-signing key's record. */
  ksk: string;
}

const HOSTS = `
@ A 192.0.2.1
@ MX 10 mail
@ TXT "one " "two"
www A 192.0.2.2
www AAAA 2001:db8::2
mail A 192.0.2.3
alias CNAME www
*.wild A 192.0.2.4
*.wildalias CNAME www
leaf.empty A 192.0.2.5
`;

const fqdn = (name: string): string => (name === '.' ? '.' : `${name}.`);

/** Writes, signs and spoils one zone in `directory`. `children`'s DS sets go into it. */
export async function buildZone(directory: string, spec: ZoneSpec, children: readonly BuiltZone[]): Promise<BuiltZone> {
  const { name, algorithm = 'ECDSAP256SHA256', records = '' } = spec;
  const origin = fqdn(name);
  const base = join(directory, name === '.' ? 'root' : name);
  const delegations = children.flatMap((child) => [`${fqdn(child.name)} NS ns.test.`, ...child.ds]);
  const hosts = name === '.' ? '' : HOSTS;
  const text = [
    `$TTL 300`,
    `$ORIGIN ${origin}`,
    `@ SOA ns.test. hostmaster.test. 1 3600 600 86400 300`,
    `@ NS ns.test.`,
    hosts,
    records,
    ...delegations,
  ];
  await writeFile(base, `${text.join('\n')}\n`);
  if (algorithm === 'none') return { name, file: base, ds: spec.ds?.({ sha1: '', sha256: '', sha384: '' }) ?? [], ksk: '' };

  const keys = `${base}.keys`;
  await mkdir(keys);
  const size = algorithm.includes('RSA') ? ['-b', '1024'] : [];
  await run('dnssec-keygen', ['-q', '-K', keys, '-a', algorithm, ...size, '-f', 'KSK', origin]);
  if (spec.combinedKey !== true) await run('dnssec-keygen', ['-q', '-K', keys, '-a', algorithm, ...size, origin]);
  const keyFiles = (await readdir(keys)).filter((file) => file.endsWith('.key'));
  const keyTexts = await Promise.all(keyFiles.map((file) => readFile(join(keys, file), 'utf8')));
  const keyRecords = keyTexts.map((text) => text.split('\n').find((line) => line.includes(' DNSKEY '))!);
  const ksk = keyRecords.findIndex((record) => record.includes(' DNSKEY 257 '));
  if (spec.moreKeys) await appendFile(base, `${spec.moreKeys(keyRecords.find((record) => record.includes(' DNSKEY 256 '))!).join('\n')}\n`);

  const { nsec3 } = spec;
  const nsec3Options = nsec3 ? ['-3', 'ab', '-H', String(nsec3.iterations ?? 0), ...(nsec3.optOut === true ? ['-A'] : [])] : [];
  const span = [...(spec.from === undefined ? [] : ['-s', spec.from]), ...(spec.until === undefined ? [] : ['-e', spec.until])];
  const signing = ['-S', '-K', keys, '-d', directory, '-o', origin, '-f', `${base}.signed`, '-O', 'full', '-P', '-q', '-n', '1'];
  await run('dnssec-signzone', [...signing, ...nsec3Options, ...span, ...(spec.combinedKey === true ? ['-z'] : []), base], {
    cwd: directory,
  });
  if (spec.edit) {
    const signed = await readFile(`${base}.signed`, 'utf8');
    await writeFile(`${base}.signed`, `${spec.edit(signed.split('\n')).join('\n')}\n`);
  }

  const digest = async (type: string) => (await run('dnssec-dsfromkey', ['-a', type, join(keys, keyFiles[ksk]!)])).stdout.trim();
  const [sha1, sha256, sha384] = [await digest('SHA-1'), await digest('SHA-256'), await digest('SHA-384')];
  return { name, file: `${base}.signed`, ds: spec.ds?.({ sha1, sha256, sha384 }) ?? [sha256], ksk: keyRecords[ksk]! };
}
