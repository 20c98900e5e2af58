import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:tls';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../http/raw-server.ts';
import { expectSuites, suitesByNmap } from './by-others.ts';
import { makeCertificates, openssl, scanned, serving, suitesOf } from './scanned.ts';
import { everySecond } from '../../runs.ts';

const run = promisify(execFile);
let pki: ReturnType<typeof makeCertificates>;
beforeAll(() => void (pki = makeCertificates()));
afterAll(() => pki[Symbol.dispose]());

const RSA = ['-cert', 'rsa.pem', '-key', 'rsa.key'];
const EC = ['-cert', 'ec.pem', '-key', 'ec.key'];

/** The zoo: arguments of `openssl s_server`, and what is true of it. */
const ZOO: [name: string, args: string[], facts: object][] = [
  [
    'both modern versions',
    [...RSA, '-cipher', 'ECDHE+AESGCM:ECDHE+CHACHA20', '-alpn', 'h2,http/1.1'],
    {
      preferred: 'tls1_3',
      versions: { sslv2: 'no', sslv3: 'no', tls1_0: 'no', tls1_1: 'no', tls1_2: 'yes', tls1_3: 'yes' },
      alpn: ['h2', 'http/1.1'],
      postQuantum: 'no',
      secureRenegotiation: 'yes',
      compression: 'no',
      heartbeat: 'no',
      extendedMasterSecret: 'yes',
      encryptThenMac: 'not_applicable',
      fallbackScsv: 'yes',
      tickets: 'yes',
      resumesByTicket: 'yes',
      resumesById: 'yes',
      tickets13: 'yes',
      resumes13: 'yes',
      groupsKnown: true,
      signaturesKnown: true,
      signatures13: ['rsa_pss_rsae_sha256', 'rsa_pss_rsae_sha384', 'rsa_pss_rsae_sha512'],
      signatures13Known: true,
    },
  ],
  [
    'TLS 1.3 alone, without tickets',
    [...EC, '-tls1_3', '-num_tickets', '0', '-groups', 'P-384:X25519'],
    {
      preferred: 'tls1_3',
      versions: { sslv2: 'no', sslv3: 'no', tls1_0: 'no', tls1_1: 'no', tls1_2: 'no', tls1_3: 'yes' },
      groups: ['P-384', 'X25519'],
      signatures13: ['ecdsa_secp256r1_sha256'],
      signatures13Known: true,
      tickets13: 'no',
      resumes13: 'no',
      fallbackScsv: 'not_applicable',
      secureRenegotiation: 'not_applicable',
      resumesById: 'not_applicable',
    },
  ],
  [
    'TLS 1.0 with a short prime, CBC and no tickets',
    [...RSA, '-tls1', '-cipher', 'ALL:@SECLEVEL=0', '-no_ticket', '-serverpref'],
    {
      preferred: 'tls1_0',
      versions: { sslv2: 'no', sslv3: 'no', tls1_0: 'yes', tls1_1: 'no', tls1_2: 'no', tls1_3: 'no' },
      dhBits: 1024,
      encryptThenMac: 'yes',
      tickets: 'no',
      resumesByTicket: 'no',
      resumesById: 'yes',
      tickets13: 'not_applicable',
      groups: ['X25519', 'P-256', 'X448', 'P-521', 'P-384'],
    },
  ],
  [
    'sessions that are never resumed',
    [...RSA, '-tls1_2', '-no_ticket', '-no_cache', '-cipher', 'ECDHE-RSA-AES128-GCM-SHA256'],
    {
      tickets: 'no',
      resumesByTicket: 'no',
      resumesById: 'no',
      versions: expect.objectContaining({ tls1_2: 'yes', tls1_3: 'no' }) as object,
    },
  ],
  [
    'no encryption and no certificate',
    ['-nocert', '-tls1_2', '-cipher', 'aNULL:eNULL:@SECLEVEL=0'],
    { preferred: '', versions: expect.objectContaining({ tls1_2: 'yes', tls1_1: 'no' }) as object, encryptThenMac: 'yes' },
  ],
];

const suiteWith = (cipher: number | string): string =>
  cipher === 'CHACHA'
    ? 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256'
    : `TLS_ECDHE_RSA_WITH_AES_${cipher}_GCM_SHA${cipher === 256 ? 384 : 256}`;
/** As the servers of the next test are told to prefer them. */
const CONFIGURED = [256, 'CHACHA', 128].map(suiteWith);

describe('a server of OpenSSL with', () => {
  it.each(everySecond(ZOO))('%s is told as it is', async (_name, args, facts) => {
    await using server = await openssl(pki.folder, ...args);
    const scan = await scanned(server.port);
    expect(scan).toMatchObject({ ...facts, stopped: undefined, failed: undefined });
    expect(scan.connections).toBeLessThan(60);
  });

  it.each(
    everySecond([
      ['the order of the server', ['-serverpref'], 'server', CONFIGURED],
      ['the order of its clients', [], 'client', [128, 256, 'CHACHA'].map(suiteWith)],
      ['ChaCha20 for those that prefer it', ['-serverpref', '-prioritize_chacha'], 'server', CONFIGURED],
    ]),
  )('%s is told to have it', async (_name, args, order, expected) => {
    const cipher = 'ECDHE-RSA-AES256-GCM-SHA384:ECDHE-RSA-CHACHA20-POLY1305:ECDHE-RSA-AES128-GCM-SHA256';
    await using server = await openssl(pki.folder, ...RSA, '-no_tls1_3', '-cipher', cipher, ...args);
    const { suites } = await scanned(server.port);
    expect(suites.tls1_2).toMatchObject({ order, complete: true });
    const names = suites.tls1_2!.suites.map(({ name }) => name);
    expect(names).toEqual(expected);
  });
});

/** The suites that `openssl s_client` gets, tried one by one. */
async function triedByOpenssl(port: number, flag: string, names: readonly string[]): Promise<string[]> {
  const got: string[] = [];
  for (const name of names) {
    const client = run('openssl', ['s_client', '-connect', `127.0.0.1:${port}`, flag, '-cipher', `${name}:@SECLEVEL=0`], {
      timeout: 10_000,
    });
    client.child.stdin?.end();
    const { stdout } = await client.catch((error: { stdout: string }) => error);
    if (/Cipher is (?!\(NONE\))/.test(stdout)) got.push(name);
  }
  return got;
}

it('finds the suites that openssl s_client gets one by one', async () => {
  await using server = await openssl(pki.folder, ...RSA, '-tls1_2', '-cipher', 'kRSA:kDHE:!CAMELLIA:!ARIA:!AESCCM:!AESCCM8:@SECLEVEL=0');
  const { stdout } = await run('openssl', ['ciphers', '-stdname', '-tls1_2', 'ALL:COMPLEMENTOFALL:@SECLEVEL=0']);
  const rows = stdout
    .split('\n')
    .map((line) => / *(TLS_\S+) +- (\S+)/.exec(line))
    .filter((row) => row !== null);
  // One server at a time answers; those of keys that nobody here has would only fail.
  const candidates = rows.filter(([, iana]) => !/PSK|SRP|TLS_AES|CHACHA20_POLY1305_SHA256$|ARIA|CAMELLIA|CCM|ECDSA|DSS/.test(iana!));
  const got = await triedByOpenssl(
    server.port,
    '-tls1_2',
    candidates.map(([, , name]) => name!),
  );
  const scan = await scanned(server.port);
  const known = new Map(rows.map(([, iana, name]) => [name!, iana!]));
  const ours = suitesOf(scan).tls1_2!.filter((name) => !name.includes('CHACHA20'));
  expect(ours.toSorted()).toEqual(got.map((name) => known.get(name)!).toSorted());
  expect(got.length).toBeGreaterThan(10);
}, 60_000);

describe.skipIf(!existsSync('/usr/bin/nmap'))('nmap', () => {
  it.each(
    everySecond([
      ['an intermediate server', ['-cipher', 'ECDHE+AESGCM:DHE+AESGCM:ECDHE+CHACHA20', '-serverpref']],
      ['an old one', ['-cipher', 'ECDHE+AES:kRSA+AES:!AESCCM:!AESCCM8:@SECLEVEL=0', '-serverpref', '-no_tls1_3', '-legacy_renegotiation']],
    ]),
  )(
    'finds the same suites of %s, in the same order',
    async (_name, args) => {
      await using server = await openssl(pki.folder, ...RSA, ...args);
      const [scan, { suites, orders }] = [await scanned(server.port), await suitesByNmap(server.port)];
      expectSuites(scan, suites);
      expect([scan.suites.tls1_2!.order, orders.tls1_2]).toEqual(['server', 'server']);
      expect(suites.tls1_2!.length).toBeGreaterThan(4);
    },
    120_000,
  );
});

/** nginx with these lines, on a port of its own. */
const nginx = (...lines: string[]) =>
  serving(
    'nginx',
    (port) => {
      const file = join(pki.folder, `nginx-${port}.conf`);
      const certificates = ['rsa', 'ec'].map((name) => `ssl_certificate ${name}.pem; ssl_certificate_key ${name}.key;`).join(' ');
      const site = `server { listen 127.0.0.1:${port} ssl http2; ${certificates} ${lines.join(' ')} }`;
      writeFileSync(file, `daemon off; master_process off; pid ${file}.pid; error_log stderr; events {} http { access_log off; ${site} }`);
      return ['-p', pki.folder, '-c', file];
    },
    pki.folder,
  );

describe('nginx with', () => {
  it.each<[name: string, lines: string[], facts: object]>(
    everySecond([
      [
        'the lines of docs/issues/tls-check.md',
        ['ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ECDHE+AESGCM:ECDHE+CHACHA20; ssl_prefer_server_ciphers on;'],
        { versions: { sslv2: 'no', sslv3: 'no', tls1_0: 'no', tls1_1: 'no', tls1_2: 'yes', tls1_3: 'yes' }, tickets: 'yes' },
      ],
      [
        'old clients in mind, and without tickets',
        ['ssl_protocols TLSv1 TLSv1.1 TLSv1.2; ssl_ciphers ECDHE+AES:kRSA+AES:!AESCCM:!AESCCM8:@SECLEVEL=0; ssl_session_tickets off;'],
        {
          versions: { sslv2: 'no', sslv3: 'no', tls1_0: 'yes', tls1_1: 'yes', tls1_2: 'yes', tls1_3: 'no' },
          tickets: 'no',
          resumesByTicket: 'no',
        },
      ],
    ]),
  )('%s has two certificates, and ALPN', async (_name, lines, facts) => {
    await using server = await nginx(...lines);
    const scan = await scanned(server.port);
    expect(scan).toMatchObject({
      ...facts,
      alpn: ['h2', 'http/1.1', 'http/1.0'],
      alpnKnown: true,
      secureRenegotiation: 'yes',
      compression: 'no',
      stopped: undefined,
    });
    const names = suitesOf(scan)['tls1_2'] ?? [];
    expect([/_ECDSA_/, /ECDHE_RSA_/].map((kind) => names.some((name) => kind.test(name)))).toEqual([true, true]);
  });
});

it('tells post-quantum groups without computing a share', async () => {
  const options = { key: readFileSync(join(pki.folder, 'ec.key')), cert: readFileSync(join(pki.folder, 'ec.pem')) };
  await using hybrid = await listen(createServer({ ...options, ecdhCurve: 'X25519MLKEM768:X25519' }).on('tlsClientError', () => {}));
  expect(await scanned(hybrid.port)).toMatchObject({ groups: ['X25519MLKEM768', 'X25519'], groupsKnown: true, postQuantum: 'yes' });
  await using classic = await listen(createServer({ ...options, ecdhCurve: 'X25519:P-256' }).on('tlsClientError', () => {}));
  expect(await scanned(classic.port)).toMatchObject({ groups: ['X25519', 'P-256'], postQuantum: 'no' });
});
