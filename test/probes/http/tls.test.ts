import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpProbe } from '../../../packages/probes/src/http/index.ts';
import { makePki } from './certificates.ts';
import { loopbackPorts } from './loopback-ports.ts';
import { listen, rawServer } from './raw-server.ts';

const names = 'DNS:a.test';
const pki = makePki({
  good: { names },
  wildcard: { names: 'DNS:*.a.test' },
  address: { names: 'IP:127.0.0.1' },
  expired: { names, from: '20200101000000Z', until: '20210101000000Z' },
  future: { names, from: '20480101000000Z', until: '20490101000000Z' },
  other: { names: 'DNS:b.test,DNS:c.test' },
  bare: { names: '' },
  self: { names, issuer: 'self' },
  stranger: { names, issuer: 'stranger' },
  worst: { names: 'DNS:b.test', from: '20200101000000Z', until: '20210101000000Z' },
  rsa1024: { names, key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'] },
  rsa: { names, key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'] },
});
afterAll(() => pki[Symbol.dispose]());

/** One nginx, one port per case: an implementation of TLS that is not ours. */
const SITES = {
  ...Object.fromEntries(
    ['good', 'wildcard', 'address', 'expired', 'future', 'other', 'bare', 'self', 'stranger', 'worst', 'rsa1024'].map((name) => [
      name,
      { leaf: name, ssl: 'ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ALL:@SECLEVEL=0;' },
    ]),
  ),
  tls12: { leaf: 'rsa', ssl: 'ssl_protocols TLSv1.2; ssl_ciphers ECDHE-RSA-CHACHA20-POLY1305;' },
  tls10: { leaf: 'rsa', ssl: 'ssl_protocols TLSv1; ssl_ciphers ALL:@SECLEVEL=0;' },
  x448: { leaf: 'good', ssl: 'ssl_protocols TLSv1.3; ssl_ecdh_curve X448;' },
};
const ports = new Map<string, number>();
let nginx: ReturnType<typeof spawn>;

beforeAll(async () => {
  const folder = pki.folder;
  for (const name of Object.keys(SITES)) ports.set(name, await freePort());
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
    loopbackPorts({ hosts: { 'a.test': ['127.0.0.1'], 'w.a.test': ['127.0.0.1'] }, ca }),
  );
const ca = [pki.root];

describe('the certificate is judged and the answer given all the same', () => {
  it.each<[site: string, string, string]>([
    ['good', 'a.test', ''],
    ['wildcard', 'w.a.test', ''],
    ['wildcard', 'a.test', 'The certificate is for *.a.test, not for a.test'],
    ['address', '127.0.0.1', ''],
    ['expired', 'a.test', 'The certificate has expired, or one above it has (this one is valid until 2021-01-01)'],
    ['future', 'a.test', 'The certificate is not valid yet, or one above it is not (this one is valid from 2048-01-01)'],
    ['other', 'a.test', 'The certificate is for b.test, c.test, not for a.test'],
    ['bare', 'a.test', 'The certificate is for no name, not for a.test'],
    ['good', '127.0.0.1', 'The certificate is for a.test, not for 127.0.0.1'],
    ['self', 'a.test', 'The certificate is self-signed'],
    ['stranger', 'a.test', 'The certificate has an unknown issuer, or the server does not send the intermediate certificate'],
    [
      'worst',
      'a.test',
      'The certificate has expired, or one above it has (this one is valid until 2021-01-01), and is for b.test, not for a.test',
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
    ['a silent close', (socket) => socket.once('data', () => socket.end()), 'ECONNRESET'],
    ['a reset', (socket) => socket.once('data', () => socket.resetAndDestroy()), 'ECONNRESET'],
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

async function freePort(): Promise<number> {
  const server = createServer();
  await using _ = await listen(server);
  return (server.address() as AddressInfo).port;
}

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
