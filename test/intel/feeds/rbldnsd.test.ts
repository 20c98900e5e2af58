import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordsOf } from '@vedette/contract';
import { readRange } from '@vedette/intel/networks';
import { createAddressPolicy } from '@vedette/probes/host';
import { createResolver } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { describe, expect, it } from 'vitest';
import { fileOf } from '@vedette/intel/feeds/formats';
import { freePort } from '../../free-ports.ts';

const PROGRAM = ['/usr/sbin/rbldnsd', join(import.meta.dirname, '../../../node_modules/.cache/servers/usr/sbin/rbldnsd')].find(existsSync);

/** Numbers that look random and are the same at each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const VALUES = ['', '', ' :4:spam $', ' :127.0.0.6:open relay', ' no code', ' ; remark', '\t# remark', ' :7'];
const DEFAULTS = [':127.0.0.3:see example.org', ':9:x', ':127.0.0.2:'];

/** A set of addresses within 198.18.0.0/16, in all forms. */
function addresses(seed: number): string {
  const below = numbers(seed);
  const octet = () => below(12);
  const forms = [
    () => `198.18.${octet()}.${octet()}`,
    () => `198.18.${octet()}`,
    () => `198.18.${octet()}.${octet()}-198.18.${octet()}.${octet()}`,
    () => `198.18.${octet()}.${octet()}-${octet()}`,
    () => `198.18.${octet()}-${octet()}`,
    () => `198.18.${octet()}-198.18.${octet()}`,
    () => `198.18.${octet()}.${4 * below(4)}/30`,
    () => `198.18.${octet()}/${24 + below(3)}`,
    () => `198.18.${octet()}.${octet()}/${28 + below(5)}`,
  ];
  return lines(below, () => forms[below(forms.length)]!());
}

/** A set of names below a.example and b.example. */
function names(seed: number): string {
  const below = numbers(seed);
  const label = () => 'abcd'[below(4)]!;
  const forms = [() => '', () => '.', () => `${label()}.`, () => `.${label()}.`, () => `${label()}.${label()}.`];
  return lines(below, () => `${forms[below(forms.length)]!()}${label()}${below(3)}.example`);
}

const lines = (below: (top: number) => number, entry: () => string): string =>
  Array.from({ length: 40 }, () => {
    const kind = below(10);
    if (kind === 0) return DEFAULTS[below(DEFAULTS.length)]!;
    if (kind < 3) return `!${entry()}`;
    return `${entry()}${VALUES[below(VALUES.length)]!}`;
  }).join('\n');

async function rowsOf(text: string): Promise<{ entry: string; code: string }[]> {
  const file = fileOf(Buffer.from(`${text}\n`), {
    name: 'x',
    dataset: 'attackers',
    format: 'rbldnsd',
    curated: true,
    max_bytes: 1_000_000,
  });
  const rows: { entry: string; code: string }[] = [];
  for await (const some of file.rows()) for (const [entry = '', code = ''] of some) rows.push({ entry, code });
  return rows;
}

/** Starts rbldnsd with a zone, and asks it for the codes of a subject. */
async function serve(kind: 'ip4set' | 'dnset', text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'rbldnsd-'));
  const port = await freePort();
  writeFileSync(join(folder, 'zone'), `$SOA 300 ns.test h.test 0 1h 1h 1h 1h\n${text}\n`);
  chmodSync(folder, 0o755);
  const child = spawn(PROGRAM!, ['-n', '-r', folder, '-u', 'nobody', '-b', `127.0.0.1/${port}`, `bl.test:${kind}:zone`], {
    stdio: 'ignore',
  });
  const policy = createAddressPolicy({ allowNets: ['127.0.0.0/8'] });
  const resolver = createResolver({ servers: [{ address: '127.0.0.1', port }], policy, clock: systemClock, cache: false });
  const isUp = () =>
    resolver.query('bl.test', 'SOA', { signal: AbortSignal.timeout(500) }).then(
      () => true,
      () => false,
    );
  await expect.poll(isUp, { timeout: 10_000 }).toBe(true);
  return {
    codes: async (subject: string) =>
      recordsOf(await resolver.query(`${subject}.bl.test`, 'A'), 'A')
        .map(({ data }) => data)
        .toSorted(),
    async [Symbol.asyncDispose]() {
      resolver.close();
      child.kill();
      rmSync(folder, { recursive: true });
    },
  };
}

const ADDRESS = (c: number, d: number): number => ((198 * 256 + 18) * 256 + c) * 256 + d;

/** The codes that our rows have for an address. */
function codesOf(rows: readonly { entry: string; code: string }[], address: number): string[] {
  const hits = rows.filter(({ entry }) => {
    const range = readRange(entry);
    return range !== undefined && range.first[0]! <= address && address <= range.last[0]!;
  });
  return [...new Set(hits.map(({ code }) => code))].toSorted();
}

describe.runIf(PROGRAM !== undefined)("rbldnsd itself (needs Debian's rbldnsd)", () => {
  it.each([1, 2, 3, 4, 5, 6])('lists the same addresses with the same codes: set %i', async (seed) => {
    const text = addresses(seed);
    await using server = await serve('ip4set', text);
    const rows = await rowsOf(text);
    const subjects = Array.from({ length: 13 * 13 }, (_, n) => [Math.floor(n / 13), n % 13] as const);
    const theirs = await Promise.all(subjects.map(async ([c, d]) => `198.18.${c}.${d} ${(await server.codes(`${d}.${c}.18.198`)).join()}`));
    expect(theirs.some((line) => /\d$/.test(line)) && theirs.some((line) => line.endsWith(' '))).toBe(true);
    expect(subjects.map(([c, d]) => `198.18.${c}.${d} ${codesOf(rows, ADDRESS(c, d)).join()}`)).toEqual(theirs);
  });

  it.each([1, 2, 3, 5, 6])('lists the same hosts, asked with the names above them: set %i', async (seed) => {
    const text = names(seed);
    await using server = await serve('dnset', text);
    const entries = new Set((await rowsOf(text)).map(({ entry }) => entry));
    const hosts = ['', 'a.', 'b.', 'c.a.', 'd.c.b.'].flatMap((front) =>
      ['a', 'b', 'c', 'd'].flatMap((label) => [0, 1, 2].map((n) => `${front}${label}${n}.example`)),
    );
    const above = (host: string): string[] =>
      host
        .split('.')
        .slice(0, -1)
        .map((_, n, labels) => `${labels.slice(n).join('.')}.example`);
    const theirs = await Promise.all(
      hosts.map(async (host) => `${host} ${(await Promise.all(above(host).map(server.codes))).some((codes) => codes.length > 0)}`),
    );
    expect(hosts.map((host) => `${host} ${above(host).some((name) => entries.has(name))}`)).toEqual(theirs);
  });
});
