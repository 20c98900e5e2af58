import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpProbe } from '@vedette/probes/http';
import { freePort, freePorts } from '../../free-ports.ts';
import { makePki } from './certificates.ts';
import { loopbackPorts } from './loopback-ports.ts';
import { listen, rawServer } from './raw-server.ts';

const names = 'DNS:a.test';
const CA = ['basicConstraints=critical,CA:TRUE'];
const PAST = { from: '20200101000000Z', until: '20210101000000Z' };
const rsa = (bits: number) => ['-algorithm', 'RSA', '-pkeyopt', `rsa_keygen_bits:${bits}`];
const RSA_2048 = rsa(2048);
const RSA_1024 = rsa(1024);
const LEAVES = {
  good: { names },
  wildcard: { names: 'DNS:*.a.test' },
  address: { names: 'IP:127.0.0.1' },
  expired: { names, from: '20200101000000Z', until: '20210101000000Z' },
  future: { names, from: '20480101000000Z', until: '20490101000000Z' },
  other: { names: 'DNS:b.test,DNS:c.test' },
  bare: { names: '' },
  addressAsName: { names: 'DNS:127.0.0.1' },
  self: { names, issuer: 'self' },
  stranger: { names, issuer: 'stranger' },
  worst: { names: 'DNS:b.test', from: '20200101000000Z', until: '20210101000000Z' },
  rsa1024: { names, key: RSA_1024 },
  rsa: { names, key: RSA_2048 },
  sha1: { names, digest: 'sha1' },
  rsaInt: { names: '', extensions: CA, key: RSA_2048 },
  md5: { names, digest: 'md5', issuer: 'rsaInt' }, // there is no ECDSA with MD5
  critical: { names, extensions: ['basicConstraints=CA:FALSE', '1.2.3.4=critical,ASN1:NULL'] },
  partial: { names: 'DNS:f*.a.test' },
  staple: { names, extensions: ['basicConstraints=CA:FALSE', 'tlsfeature=status_request'] },
  oldRoot: { names: '', extensions: CA, issuer: 'self', ...PAST },
  belowOldRoot: { names, issuer: 'oldRoot' },
  oldInt: { names: '', extensions: CA, ...PAST },
  belowOldInt: { names, issuer: 'oldInt' },
  bothOld: { names, issuer: 'oldInt', from: '20200101000000Z', until: '20200601000000Z' },
  futureInt: { names: '', extensions: CA, from: '20480101000000Z', until: '20490101000000Z' },
  belowFutureInt: { names, issuer: 'futureInt' },
  weakInt: { names: '', extensions: CA, key: RSA_1024 },
  belowWeakInt: { names, issuer: 'weakInt' },
  noCa: { names: '' },
  belowNoCa: { names, issuer: 'noCa' },
  permits: { names: '', extensions: [...CA, 'nameConstraints=critical,permitted;DNS:b.test'] },
  notPermitted: { names, issuer: 'permits' },
  excludes: { names: '', extensions: [...CA, 'nameConstraints=critical,excluded;DNS:a.test'] },
  excluded: { names, issuer: 'excludes' },
  rsa1962: { names, key: rsa(1962) },
  rsa1963: { names, key: rsa(1963) },
  rsa2047: { names, key: rsa(2047) },
  selfCa: { names, issuer: 'self', extensions: ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign'] },
  ca: { names: '', extensions: CA, issuer: 'stranger' },
  crossed: { names },
  crossedAndExpired: { names, ...PAST },
  worstOfAll: { names: 'DNS:b.test', issuer: 'weakInt', digest: 'sha1', key: RSA_1024 },
};
const pki = makePki(LEAVES);
afterAll(() => pki[Symbol.dispose]());

/** The trusted root, signed with SHA-1 by a CA that nobody trusts any more as well: what some servers send for old clients. */
function sendCrossCertificate(below: keyof typeof LEAVES, { from, until }: { from: string; until: string }): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: pki.folder, stdio: 'ignore' });
  openssl('req', '-new', '-key', 'ca-root.key', '-subj', '/CN=root of tests', '-out', 'cross.csr');
  const by = ['-keyfile', 'ca.key', '-cert', 'ca.pem', '-md', 'sha1', '-startdate', from, '-enddate', until, '-extfile', 'ca.ext'];
  openssl('ca', '-batch', '-notext', '-config', 'ca.cnf', '-in', 'cross.csr', '-out', 'cross.pem', ...by);
  appendFileSync(join(pki.folder, `${below}.pem`), readFileSync(join(pki.folder, 'cross.pem')));
}
sendCrossCertificate('crossed', { from: '20250101000000Z', until: '20491231000000Z' });
sendCrossCertificate('crossedAndExpired', PAST);

const OVER_TLS_1_0 = ['crossed', 'crossedAndExpired', 'rsa1962', 'rsa1963', 'rsa2047'] as const;
/** One nginx, one port per case: an implementation of TLS that is not ours. */
const SITES = {
  ...Object.fromEntries(
    Object.keys(LEAVES).map((name) => [name, { leaf: name, ssl: 'ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ALL:@SECLEVEL=0;' }]),
  ),
  ...Object.fromEntries(
    OVER_TLS_1_0.map((leaf) => [`${leaf} over TLS 1.0`, { leaf, ssl: 'ssl_protocols TLSv1; ssl_ciphers ALL:@SECLEVEL=0;' }]),
  ),
  tls11: { leaf: 'rsa', ssl: 'ssl_protocols TLSv1.1; ssl_ciphers ALL:@SECLEVEL=0;' },
  weakAndOld: { leaf: 'worstOfAll', ssl: 'ssl_protocols TLSv1; ssl_ciphers ALL:@SECLEVEL=0;' },
  dhe1024: { leaf: 'rsa', ssl: 'ssl_protocols TLSv1.2; ssl_ciphers DHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0; ssl_dhparam dh1024.pem;' },
  dhe2048: { leaf: 'rsa', ssl: 'ssl_protocols TLSv1.2; ssl_ciphers DHE-RSA-AES128-GCM-SHA256; ssl_dhparam dh2048.pem;' },
  asks: { leaf: 'good', ssl: 'ssl_protocols TLSv1.3; ssl_client_certificate ca-root.pem; ssl_verify_client optional;' },
  wants: { leaf: 'good', ssl: 'ssl_protocols TLSv1.2; ssl_client_certificate ca-root.pem; ssl_verify_client on;' },
  tls12: { leaf: 'rsa', ssl: 'ssl_protocols TLSv1.2; ssl_ciphers ECDHE-RSA-CHACHA20-POLY1305;' },
  tls10: { leaf: 'rsa', ssl: 'ssl_protocols TLSv1; ssl_ciphers ALL:@SECLEVEL=0;' },
  x448: { leaf: 'good', ssl: 'ssl_protocols TLSv1.3; ssl_ecdh_curve X448;' },
};
const ports = new Map<string, number>();
let nginx: ReturnType<typeof spawn>;

beforeAll(async () => {
  const folder = pki.folder;
  for (const bits of ['1024', '2048'])
    execFileSync('openssl', ['dhparam', '-dsaparam', '-out', `dh${bits}.pem`, bits], { cwd: folder, stdio: 'ignore' });
  const sites = Object.keys(SITES);
  for (const [index, port] of (await freePorts(sites.length)).entries()) ports.set(sites[index]!, port);
  const servers = Object.entries(SITES).map(
    ([name, { leaf, ssl }]) =>
      `server { listen 127.0.0.1:${ports.get(name)!} ssl; ssl_certificate ${folder}/${leaf}.pem; ssl_certificate_key ${folder}/${leaf}.key; ${ssl} location / { return 200 hello; } }`,
  );
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `pid ${folder}/nginx.pid; error_log stderr; daemon off; master_process off; events {} http { access_log off; ${temp} ${servers.join('\n')} }`,
  );
  nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  nginx.stderr!.on('data', (chunk) => (log += String(chunk)));
  const exited = new Promise<never>((_, reject) => nginx.once('exit', () => reject(new Error(`nginx ended: ${log}`))));
  exited.catch(() => {});
  await Promise.race([exited, answering(ports.get('good')!)]);
});
afterAll(() => nginx.kill('SIGKILL'));

const run = (site: string | number, host = 'a.test') =>
  httpProbe.run(
    { url: `https://${host}:${typeof site === 'number' ? site : ports.get(site)!}/`, family: 4 },
    loopbackPorts({ hosts: { 'a.test': ['127.0.0.1'], 'w.a.test': ['127.0.0.1'], 'foo.a.test': ['127.0.0.1'] }, ca }),
  );
const ca = [pki.root, readFileSync(join(pki.folder, 'oldRoot.pem'), 'utf8')];

describe('the certificate is judged and the answer given all the same', () => {
  it.each<[site: string, string, string]>([
    ['good', 'a.test', ''],
    ['wildcard', 'w.a.test', ''],
    ['wildcard', 'a.test', 'The certificate is for *.a.test, not for a.test'],
    ['address', '127.0.0.1', ''],
    ['expired', 'a.test', 'The certificate has expired (it was valid until 2021-01-01)'],
    ['future', 'a.test', 'The certificate is not valid yet (it will be from 2048-01-01)'],
    ['other', 'a.test', 'The certificate is for b.test, c.test, not for a.test'],
    ['bare', 'a.test', 'The certificate is for no name, not for a.test'],
    ['good', '127.0.0.1', 'The certificate is for a.test, not for 127.0.0.1'],
    ['addressAsName', '127.0.0.1', 'The certificate has 127.0.0.1 as a DNS name, not as an IP address'],
    ['self', 'a.test', 'The certificate is self-signed'],
    ['stranger', 'a.test', 'The certificate has an unknown issuer, or the server does not send the intermediate certificate'],
    ['worst', 'a.test', 'The certificate has expired (it was valid until 2021-01-01), and is for b.test, not for a.test'],
    // RFC 9525 §6.3: a wildcard is a whole label; browsers refuse any other.
    ['partial', 'foo.a.test', 'The certificate is for f*.a.test, not for foo.a.test'],
    ['staple', 'a.test', 'The certificate demands an OCSP response stapled to it (must-staple), and the server sent none'],
    [
      'worstOfAll',
      'a.test',
      'The certificate has a key that is too weak (RSA, 1024 bits), and has a signature that is too weak (SHA-1), and stands below "weakInt", which has a key that is too weak (RSA, 1024 bits), and is for b.test, not for a.test',
    ],
  ])('%s, asked as %s', async (site, host, error) => {
    const result = await run(site, host);
    expect(result).toMatchObject({ status_code: 200, error_message: error, certificate: { valid: error === '', error } });
  });

  it('trusts Mozilla roots and the extra ones only', async () => {
    const job = { url: `https://a.test:${ports.get('good')!}/`, family: 4 as const };
    const result = await httpProbe.run(job, loopbackPorts({ hosts: { 'a.test': ['127.0.0.1'] } }));
    expect(result.certificate?.valid).toBe(false);
  });
});

describe('what OpenSSL finds is said in words, and of which certificate: what it is to `openssl verify`', () => {
  it.each<[site: string, code: number, string]>([
    ['good', 0, ''],
    ['expired', 10, 'has expired (it was valid until 2021-01-01)'],
    ['belowOldInt', 10, 'stands below "oldInt", which has expired (it was valid until 2021-01-01)'],
    ['belowOldRoot', 10, 'stands below "oldRoot", which has expired (it was valid until 2021-01-01)'],
    [
      'bothOld',
      10,
      'has expired (it was valid until 2020-06-01), and stands below "oldInt", which has expired (it was valid until 2021-01-01)',
    ],
    ['belowFutureInt', 9, 'stands below "futureInt", which is not valid yet (it will be from 2048-01-01)'],
    ['rsa1024', 66, 'has a key that is too weak (RSA, 1024 bits)'],
    ['belowWeakInt', 67, 'stands below "weakInt", which has a key that is too weak (RSA, 1024 bits)'],
    ['sha1', 68, 'has a signature that is too weak (SHA-1)'],
    ['md5', 68, 'has a signature that is too weak (MD5)'],
    ['notPermitted', 47, 'is for a name that its issuer may not vouch for (name constraints)'],
    ['excluded', 48, 'is for a name that its issuer may not vouch for (name constraints)'],
    ['critical', 34, 'has a critical extension that clients do not know, or one above it has'],
    ['belowNoCa', 79, 'is issued by "noCa", which is not a CA'],
    ['selfCa', 26, 'is self-signed, and is not meant for servers'],
    ['crossed', 0, ''],
    ['crossedAndExpired', 10, 'has expired (it was valid until 2021-01-01)'],
    ['rsa1962', 66, 'has a key that is too weak (RSA, 1962 bits)'],
    ['rsa1963', 0, ''],
    ['rsa2047', 0, ''],
  ])('%s: %i', async (site, code, error) => {
    const files = ['-CAfile', 'trusted.pem', '-untrusted', `${site}.pem`, `${site}.pem`];
    writeFileSync(join(pki.folder, 'trusted.pem'), ca.join('\n'));
    const { stdout, stderr } = spawnSync('openssl', ['verify', '-auth_level', '2', '-purpose', 'sslserver', ...files], {
      cwd: pki.folder,
      encoding: 'utf8',
    });
    const codes = [...(stdout + stderr).matchAll(/^error (\d+) at/gm)].map(([, found]) => Number(found));
    expect(codes.length === 0 ? [0] : codes).toContain(code);
    const said = error === '' ? '' : `The certificate ${error}`;
    const sites = [site, `${site} over TLS 1.0`].filter((name) => ports.has(name));
    for (const name of sites) expect((await run(name)).error_message).toBe(said);
  });

  it('finds the root that has expired, though no server sends it', async () => {
    const [leaf = ''] = readFileSync(join(pki.folder, 'belowOldRoot.pem'), 'utf8').match(/-----BEGIN[^]+?END CERTIFICATE-----/g)!;
    const key = readFileSync(join(pki.folder, 'belowOldRoot.key'));
    await using server = await listen(createServer({ key, cert: leaf }, (_request, response) => response.end('hello')));
    expect((await run(server.port)).error_message).toBe(
      'The certificate stands below "oldRoot", which has expired (it was valid until 2021-01-01)',
    );
  });

  it('does not miss a staple that is there', async () => {
    const [key, cert] = ['staple.key', 'staple.pem'].map((file) => readFileSync(join(pki.folder, file)));
    const https = createServer({ key, cert }, (_request, response) => response.end('hello'));
    https.on('OCSPRequest', (_cert, _issuer, answer: (error: null, response: Buffer) => void) => answer(null, Buffer.from('a response')));
    await using server = await listen(https);
    expect(await run(server.port)).toMatchObject({ error_message: '', certificate: { valid: true } });
  });
});

describe('what clients of today refuse is told even where we connect', () => {
  it.each<[site: string, tls_version: string, tls_warnings: string[]]>([
    ['good', 'TLSv1.3', []],
    ['tls12', 'TLSv1.2', []],
    ['tls11', 'TLSv1.1', ['TLS 1.1 is deprecated (RFC 8996), and browsers refuse it']],
    ['tls10', 'TLSv1', ['TLS 1.0 is deprecated (RFC 8996), and browsers refuse it']],
    ['dhe1024', 'TLSv1.2', ['The key exchange is Diffie-Hellman with 1024 bits, which is too weak']],
    ['dhe2048', 'TLSv1.2', []],
    ['asks', 'TLSv1.3', ['The server asks for a client certificate']],
  ])('%s', async (site, tls_version, tls_warnings) => {
    expect(await run(site)).toMatchObject({ status_code: 200, tls_version, tls_warnings, error_message: '' });
  });

  it('weak keys and signatures too, where the server made us take any', async () => {
    const { error_message, tls_warnings } = await run('weakAndOld');
    expect(error_message).toMatch(/^The certificate has a key that is too weak .* \(SHA-1\), and stands below "weakInt"/);
    expect(tls_warnings).toHaveLength(1);
  });
});

describe('a server that wants a client certificate is said so', () => {
  it('in its own words where it has some', async () => {
    expect(await run('wants')).toMatchObject({ status_code: 400, tls_warnings: ['The server asks for a client certificate'] });
  });

  it.each(['-tls1_2', '-tls1_3'])('where it ends the handshake (%s)', async (version) => {
    const port = await freePort();
    const files = ['-cert', 'good.pem', '-key', 'good.key', '-CAfile', 'ca-root.pem'];
    const server = spawn('openssl', ['s_server', '-accept', `127.0.0.1:${port}`, version, '-Verify', '1', '-www', ...files], {
      cwd: pki.folder,
    });
    try {
      await new Promise<void>((resolve) => server.stdout.on('data', (text: Buffer) => text.includes('ACCEPT') && resolve()));
      await expect(run(port)).rejects.toMatchObject({ code: 'tls_handshake', seen: 'the server wants a client certificate' });
    } finally {
      server.kill('SIGKILL');
    }
  });
});

describe('old and odd servers', () => {
  it.each<[site: string, string, string]>([
    ['tls12', 'TLSv1.2', 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256'],
    ['tls10', 'TLSv1', 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA'],
    ['x448', 'TLSv1.3', 'TLS_AES_256_GCM_SHA384'],
    ['rsa1024', 'TLSv1.3', 'TLS_AES_128_GCM_SHA256'],
  ])('%s is %s with %s', async (site, tls_version, cipher_suite) => {
    expect(await run(site)).toMatchObject({ status_code: 200, tls_version, cipher_suite });
  });
});

describe('no TLS at all', () => {
  it.each<[string, (socket: import('node:net').Socket) => void, string]>([
    ['plain HTTP on the port', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'wrong version number'],
    ['an alert', (socket) => socket.end(Buffer.from('15030300020228', 'hex')), 'ssl/tls alert handshake failure'],
    ['a silent close', (socket) => socket.once('data', () => socket.end()), 'the server closed the connection'],
    ['a reset', (socket) => socket.once('data', () => socket.resetAndDestroy()), 'the server reset the connection'],
  ])('%s', async (_what, behave, seen) => {
    await using server = await rawServer(behave);
    await expect(run(server.port)).rejects.toMatchObject({
      code: 'tls_handshake',
      seen,
      partial: { status_code: 0, remote_addr: '127.0.0.1' },
    });
  });

  it('a handshake that never ends is out of time in the TLS phase', async () => {
    await using server = await rawServer(() => {});
    const job = { url: `https://a.test:${server.port}/`, family: 4 as const };
    const waiting = httpProbe.run(job, loopbackPorts({ hosts: { 'a.test': ['127.0.0.1'] }, budget_ms: 1_100 }));
    await expect(waiting).rejects.toMatchObject({ code: 'tls_handshake', seen: 'no end after 1000 ms' });
  });
});

async function answering(port: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await httpProbe.run({ url: `https://127.0.0.1:${port}/`, family: 4 }, loopbackPorts({ budget_ms: 1_000 }));
      return;
    } catch (error) {
      if (tries === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
