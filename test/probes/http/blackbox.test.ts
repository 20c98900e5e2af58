import { execFileSync, spawn } from 'node:child_process';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpProbe } from '@vedette/probes/http';
import { systemClock } from '@vedette/probes/net';
import { PatternMatcher } from '@vedette/probes/patterns';
import { freePorts } from '../../free-ports.ts';
import { type Blackbox, hasBlackbox, startBlackbox } from '../blackbox.ts';
import { makePki } from './certificates.ts';
import { loopbackPorts } from './loopback-ports.ts';

type HttpResult = Static<typeof httpProbe.result>;

/** An intermediate that expires before its leaf, and a subject with everything in it. */
const pki = makePki({
  intermediate: { names: '', extensions: ['basicConstraints=critical,CA:TRUE'], until: '20400101000000Z' },
  leaf: { names: 'DNS:a.test,DNS:*.a.test,IP:127.0.0.1', issuer: 'intermediate', until: '20450101000000Z' },
});
const patterns = new PatternMatcher(systemClock);
const TEXT = 'Hello, it is up.\n';
let nginx: ReturnType<typeof spawn>;
let blackbox: Blackbox;
let urls: { http: string; https: string };

/** nginx, which is neither of us: redirects from http to https to a page, and gzip for who wants it. */
beforeAll(async () => {
  if (!hasBlackbox) return;
  const { folder } = pki;
  const [http, https] = await freePorts(2);
  urls = { http: `http://127.0.0.1:${http}`, https: `https://127.0.0.1:${https}` };
  writeFileSync(join(folder, 'page.txt'), TEXT.repeat(100));
  utimesSync(join(folder, 'page.txt'), 1_700_000_000, 1_700_000_000);
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `pid ${folder}/nginx.pid; error_log stderr; daemon off; master_process off; events {} http { access_log off; ${temp}
      types { text/plain txt; }
      server { listen 127.0.0.1:${http}; return 301 ${urls.https}$request_uri; }
      server { listen 127.0.0.1:${https} ssl http2; ssl_certificate leaf.pem; ssl_certificate_key leaf.key; root ${folder};
        gzip_types text/plain; gzip_min_length 1;
        location /away { return 302 /page.txt; } location /packed { gzip on; alias ${folder}/; } } }`,
  );
  execFileSync('nginx', ['-t', '-q', '-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'pipe' });
  nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' });
  const tls_config = { ca_file: join(folder, 'ca-root.pem') };
  const module = (more: object = {}) => ({ prober: 'http', http: { preferred_ip_protocol: 'ip4', tls_config, ...more } });
  blackbox = await startBlackbox({
    plain: module(),
    stays: module({ follow_redirects: false }),
    head: module({ method: 'HEAD' }),
    http1: module({ enable_http2: false }),
    packed: module({ compression: 'gzip', headers: { 'Accept-Encoding': 'gzip' } }),
  });
});
afterAll(async () => {
  nginx?.kill('SIGKILL');
  await blackbox?.[Symbol.asyncDispose]();
  await patterns.close();
  pki[Symbol.dispose]();
});

type Job = Parameters<typeof httpProbe.run>[0];
const run = async (url: string, job: Partial<Job>): Promise<HttpResult> => {
  const result = await httpProbe.run(
    { url, family: 4, detail: true, follow_redirects: true, ...job },
    loopbackPorts({ patterns, ca: [pki.root] }),
  );
  expect(Value.Check(httpProbe.result, result)).toBe(true);
  return result;
};

/** What of the exporter's metrics has to be the same, made of our result. */
function metricsOf({ status_code, http_version, tls_version, detail }: HttpResult): Record<string, number> {
  const { redirects, content_length, uncompressed_body_bytes, last_modified, tls } = detail!;
  const { fingerprint_sha256 = '', issuer = '', subject = '', subject_alternative = '' } = tls ?? {};
  const chain = `fingerprint_sha256="${fingerprint_sha256}",issuer="${issuer}",subject="${subject}",subjectalternative="${subject_alternative}"`;
  return {
    probe_success: Number(status_code >= 200 && status_code < 300),
    probe_http_status_code: status_code,
    probe_http_redirects: redirects,
    probe_http_content_length: content_length ?? -1,
    probe_http_uncompressed_body_length: uncompressed_body_bytes,
    probe_http_version: Number(http_version.replace('HTTP/', '')),
    probe_http_ssl: Number(tls !== undefined),
    ...(last_modified !== undefined && { probe_http_last_modified_timestamp_seconds: last_modified }),
    ...(tls && {
      probe_ssl_earliest_cert_expiry: tls.earliest_not_after,
      probe_ssl_last_chain_expiry_timestamp_seconds: tls.verified_not_after!,
      [`probe_tls_version_info{version="${tls_version.replace('v', ' ')}"}`]: 1,
      [`probe_ssl_last_chain_info{${chain}}`]: 1,
    }),
  };
}

describe.skipIf(!hasBlackbox)('blackbox_exporter says the same of nginx', () => {
  it.each<[what: string, module: string, path: string, job: Partial<Job>]>([
    ['a page', 'plain', '/page.txt', {}],
    ['a page behind a redirect', 'plain', '/away', {}],
    ['a page that is not there', 'plain', '/nothing', {}],
    ['a HEAD', 'head', '/page.txt', { method: 'HEAD' }],
    ['HTTP/1.1', 'http1', '/page.txt', { http_versions: ['HTTP/1.1'] }],
    ['a packed page', 'packed', '/packed/page.txt', { headers: { 'accept-encoding': 'gzip' } }],
  ])('%s', async (_what, module, path, job) => {
    const theirs = await blackbox.probe(module, urls.https + path);
    const ours = metricsOf(await run(urls.https + path, job));
    expect(ours).toEqual(Object.fromEntries(Object.keys(ours).map((name) => [name, theirs.get(name)])));
  });

  it('a redirect that is not followed, but for its count and its body: the exporter counts it all the same, and does not read it', async () => {
    const theirs = await blackbox.probe('stays', `${urls.https}/away`);
    const { probe_http_redirects, probe_http_uncompressed_body_length, ...ours } = metricsOf(
      await run(`${urls.https}/away`, { follow_redirects: false }),
    );
    expect(ours).toEqual(Object.fromEntries(Object.keys(ours).map((name) => [name, theirs.get(name)])));
    expect(probe_http_redirects).toBe(0);
    expect(probe_http_uncompressed_body_length).toBeGreaterThan(0);
  });

  it('a redirect from http to https, every hop in its phases', async () => {
    const theirs = await blackbox.probe('plain', `${urls.http}/page.txt`);
    const result = await run(`${urls.http}/page.txt`, {});
    const ours = metricsOf(result);
    expect(ours).toEqual(Object.fromEntries(Object.keys(ours).map((name) => [name, theirs.get(name)])));
    for (const phase of ['resolve', 'connect', 'tls', 'processing', 'transfer'] as const) {
      expect(theirs.get(`probe_http_duration_seconds{phase="${phase}"}`)).toBeGreaterThanOrEqual(0);
      expect(result.detail!.phases[`${phase}_ms`]).toBeGreaterThanOrEqual(0);
    }
    expect(result.detail!.phases.tls_ms).toBeGreaterThan(0.1);
  });
});
