import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../free-ports.ts';
import { startFakeProxy } from '../probes/proxy/fake-proxy.ts';
import { listening } from '../listening.ts';
import { read } from '../repo/pages.ts';
import { openNameServer } from './name-server.ts';
import { BLACKBOX, familiesOf, type Family, hasPrograms, PROMETHEUS, startProgram } from './exporter.ts';
import { NO_BROWSER, type OneMachine, startOneMachine } from './one-machine.ts';
import { descendants, told } from './processes.ts';

// Whoever swaps blackbox_exporter for Vedette: one file of modules, read by both, and one configuration of Prometheus.
const TOKEN = 'the-admin-token-of-this-test';
const MODULES = `modules:
  http_2xx: {prober: http, timeout: 5s, http: {preferred_ip_protocol: ip4}}
  http_six_first: {prober: http, timeout: 5s, http: {preferred_ip_protocol: ip6}}
  http_stays: {prober: http, timeout: 5s, http: {preferred_ip_protocol: ip4, follow_redirects: false, valid_status_codes: [302]}}
  http_any_cert: {prober: http, timeout: 5s, http: {preferred_ip_protocol: ip4, tls_config: {insecure_skip_verify: true}}}
  http_post: {prober: http, timeout: 5s, http: {preferred_ip_protocol: ip4, method: POST, body: posted, headers: {X-Any: thing}, fail_if_body_not_matches_regexp: ['^(?i:POSTED) thing$']}}
  http_never: {prober: http, timeout: 5s, http: {preferred_ip_protocol: ip4, fail_if_body_matches_regexp: [hello], fail_if_header_not_matches: [{header: Server, regexp: x}]}}
  http_gzip: {prober: http, timeout: 5s, http: {preferred_ip_protocol: ip4, compression: gzip, headers: {Accept-Encoding: gzip}, body_size_limit: 1KB, fail_if_body_not_matches_regexp: [packed]}}
  http_gzip_only: {prober: http, timeout: 5s, http: {preferred_ip_protocol: ip4, compression: gzip}}
  http_small: {prober: http, timeout: 5s, http: {preferred_ip_protocol: ip4, body_size_limit: 5B}}
  http_token: {prober: http, timeout: 5s, http: {preferred_ip_protocol: ip4, authorization: {type: Token, credentials: abc}}}
  http_oauth: {prober: http, timeout: 5s, http: {preferred_ip_protocol: ip4, oauth2: {client_id: me, client_secret: pw, token_url: "@WEB/token", scopes: [read], endpoint_params: {audience: it}}}}
  http_oauth_no: {prober: http, timeout: 5s, http: {preferred_ip_protocol: ip4, oauth2: {client_id: me, client_secret: no, token_url: "@WEB/token"}}}
  http_proxy: {prober: http, timeout: 5s, http: {preferred_ip_protocol: ip4, proxy_url: "http://127.0.0.1:@PROXY", tls_config: {insecure_skip_verify: true}}}
  http_proxy_dead: {prober: http, timeout: 5s, http: {preferred_ip_protocol: ip4, proxy_url: "http://127.0.0.1:@NOBODY", tls_config: {insecure_skip_verify: true}}}
  http_hasty: {prober: http, timeout: 2s, http: {preferred_ip_protocol: ip4}}
  icmp: {prober: icmp, timeout: 5s, icmp: {preferred_ip_protocol: ip4}}
  icmp_six: {prober: icmp, timeout: 5s, icmp: {preferred_ip_protocol: ip6}}
  dns_six: {prober: dns, timeout: 5s, dns: {preferred_ip_protocol: ip6, query_name: a.test, query_type: A}}
  dns: {prober: dns, timeout: 5s, dns: {preferred_ip_protocol: ip4, query_name: a.test, query_type: A}}
  dns_soa: {prober: dns, timeout: 5s, dns: {preferred_ip_protocol: ip4, query_name: a.test, query_type: SOA, transport_protocol: tcp}}
  dns_any: {prober: dns, timeout: 5s, dns: {preferred_ip_protocol: ip4, query_name: a.test}}
  dns_never: {prober: dns, timeout: 5s, dns: {preferred_ip_protocol: ip4, query_name: a.test, query_type: A, validate_answer_rrs: {fail_if_not_matches_regexp: ["a.test.\\t.*\\tIN\\tA\\t127.0.0.1"]}}}
  dns_empty: {prober: dns, timeout: 5s, dns: {preferred_ip_protocol: ip4, query_name: empty.test, query_type: A, validate_answer_rrs: {fail_if_all_match_regexp: [x]}}}
  dns_hasty: {prober: dns, timeout: 2s, dns: {preferred_ip_protocol: ip4, query_name: a.test, query_type: A}}
  dns_nobody: {prober: dns, timeout: 5s, dns: {preferred_ip_protocol: ip4, query_name: nobody.test, query_type: A, valid_rcodes: [NXDOMAIN]}}
  tcp_connect: {prober: tcp, timeout: 5s, tcp: {preferred_ip_protocol: ip4}}
  tcp_hasty: {prober: tcp, timeout: 2s, tcp: {preferred_ip_protocol: ip4, query_response: [{expect: hello}]}}
  tls_connect: {prober: tcp, timeout: 5s, tcp: {preferred_ip_protocol: ip4, tls: true}}
  tls_any_cert: {prober: tcp, timeout: 5s, tcp: {preferred_ip_protocol: ip4, tls: true, tls_config: {insecure_skip_verify: true}}}
  tls_own_ca: {prober: tcp, timeout: 5s, tcp: {preferred_ip_protocol: ip4, tls: true, tls_config: {ca_file: "@CERT", server_name: b.test}}}
  tls_wrong_name: {prober: tcp, timeout: 5s, tcp: {preferred_ip_protocol: ip4, tls: true, tls_config: {ca_file: "@CERT", server_name: c.test}}}
  smtp_starttls: {prober: tcp, timeout: 5s, tcp: {preferred_ip_protocol: ip4, tls_config: {insecure_skip_verify: true}, query_response: [{expect: "^220 ([^ ]+) ESMTP (.+)$"}, {send: "EHLO \${1}\\r"}, {expect: "^250-STARTTLS"}, {send: "STARTTLS\\r"}, {expect: "^220"}, {starttls: true}, {send: "EHLO prober\\r"}, {expect: "^250-AUTH"}, {send: "QUIT\\r"}]}}
  smtp_never: {prober: tcp, timeout: 5s, tcp: {preferred_ip_protocol: ip4, query_response: [{expect: "^220 "}, {send: "QUIT\\r"}, {expect: "^500"}]}}
  banner: {prober: unix}
`;

const folder = mkdtempSync(join(tmpdir(), 'vedette-probe-'));
chmodSync(folder, 0o711); // the gateway is another user, and reads the CA that a module names
const open = new AsyncDisposableStack();
let vedette: OneMachine;
/** The key of an operator's Prometheus, for modules that send headers too. */
let comparing: string;
let exporter: string;
let targets: Record<'http' | 'https' | 'dns' | 'nobody' | 'silent' | 'broken' | 'mute' | 'smtp', string>;
let requests = 0;

beforeAll(async () => {
  if (!hasPrograms) return;
  const [exporterPort = 0, nobody = 0] = await freePorts(2);
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '10',
      '-subj',
      '/CN=a.test',
      '-addext',
      'subjectAltName=DNS:a.test,DNS:b.test',
      '-keyout',
      join(folder, 'key.pem'),
      '-out',
      join(folder, 'cert.pem'),
    ],
    { stdio: 'ignore' },
  );
  const answer: Parameters<typeof createServer>[1] = (request, response) => {
    requests++;
    if (request.url === '/away') response.writeHead(302, { location: '/' }).end();
    else if (request.url === '/broken') response.writeHead(500).end('no');
    else if (request.url === '/chunked') response.writeHead(200, { 'transfer-encoding': 'chunked' }).end('hello world');
    else if (request.url === '/packed') response.end(gzipSync('it was packed'));
    else if (request.url === '/signed')
      response.writeHead(/^(Token abc|Bearer tok)$/.test(request.headers.authorization ?? '') ? 200 : 401).end('in');
    else if (request.url === '/token') {
      const taken = request.headers.authorization === `Basic ${Buffer.from('me:pw').toString('base64')}`;
      response
        .writeHead(taken ? 200 : 401, { 'content-type': 'application/json' })
        .end(taken ? '{"access_token": "tok", "token_type": "bearer"}' : '{}');
    } else if (request.url === '/silent') return;
    else if (request.url === '/slower') setTimeout(() => response.end('hello'), 1_400);
    else if (request.url === '/slow') setTimeout(() => response.end('hello'), 700);
    else if (request.method === 'POST')
      request.setEncoding('utf8').on('data', (text: string) => response.end(`${text} ${request.headers['x-any']?.toString()}`));
    else response.writeHead(200, { 'last-modified': 'Sun, 06 Nov 1994 08:49:37 GMT', 'content-length': 11 }).end('hello world');
  };
  const web = await listening(
    [
      createServer(answer),
      createTlsServer({ key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, 'cert.pem')) }, answer),
    ],
    '127.0.0.1',
    [0, 0],
  );
  open.defer(() => web.close());
  const proxy = open.use(await startFakeProxy());
  // It takes connections and questions, and says nothing; and one that is no web server.
  const silent = await listening(
    [createTcpServer(), createTcpServer((socket) => void socket.end('\r\n\0 what?\r\n\r\n')), createTcpServer(mail)],
    '127.0.0.1',
    [0, 0, 0],
  );
  open.defer(() => silent.close());
  const mute = createSocket('udp4');
  open.defer(() => void mute.close());
  mute.bind(0, '127.0.0.1');
  await once(mute, 'listening');
  const modules = MODULES.replaceAll('@WEB', `http://127.0.0.1:${web.ports[0]}`)
    .replaceAll('@PROXY', String(proxy.port))
    .replaceAll('@NOBODY', String(nobody))
    .replaceAll('@CERT', join(folder, 'cert.pem'));
  writeFileSync(join(folder, 'blackbox.yml'), modules);
  const names = open.use(await openNameServer());
  targets = {
    http: `http://127.0.0.1:${web.ports[0]}`,
    https: `https://127.0.0.1:${web.ports[1]}`,
    dns: `127.0.0.1:${names.port}`,
    nobody: `127.0.0.1:${nobody}`,
    silent: `127.0.0.1:${silent.ports[0]}`,
    broken: `127.0.0.1:${silent.ports[1]}`,
    mute: `127.0.0.1:${mute.address().port}`,
    smtp: `127.0.0.1:${silent.ports[2]}`,
  };
  exporter = `http://127.0.0.1:${exporterPort}`;
  open.use(
    await startProgram(
      BLACKBOX,
      [`--config.file=${join(folder, 'blackbox.yml')}`, `--web.listen-address=127.0.0.1:${exporterPort}`],
      `${exporter}/-/healthy`,
    ),
  );
  vedette = await startOneMachine({
    ...NO_BROWSER,
    VEDETTE_ADMIN_TOKEN: TOKEN,
    VEDETTE_PROBE_FILE: join(folder, 'blackbox.yml'),
    VEDETTE_OWN_TARGETS: '127.0.0.0/8',
  });
  open.defer(async () => void (await vedette.stop()));
  comparing = (await keyOf('comparing', 10_000, false)).key;
});
afterAll(async () => {
  await open.disposeAsync();
  rmSync(folder, { recursive: true, force: true });
});

/** A mail server that has STARTTLS, and AUTH once that was asked for. */
function mail(socket: Socket, secured = false): void {
  if (!secured) socket.write('220 a.test ESMTP ready\r\n');
  const onData = (chunk: Buffer) => {
    const [word = ''] = chunk.toString().trim().split(' ');
    if (word === 'EHLO') socket.write(`250-a.test\r\n250-${secured ? 'AUTH PLAIN' : 'STARTTLS'}\r\n250 HELP\r\n`);
    else if (word === 'QUIT') socket.end('221 bye\r\n');
    else if (word === 'STARTTLS') {
      socket.off('data', onData);
      socket.pause();
      socket.write('220 go\r\n');
      const secureContext = createSecureContext({
        key: readFileSync(join(folder, 'key.pem')),
        cert: readFileSync(join(folder, 'cert.pem')),
      });
      mail(
        new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => {}),
        true,
      );
    }
  };
  socket.on('data', onData);
}

const get = (base: string, module: string, target: string, key?: string, more: Record<string, string> = {}): Promise<Response> =>
  fetch(`${base}/probe?${new URLSearchParams({ module, target }).toString()}`, {
    headers: { ...more, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
  });
async function scraped(
  base: string,
  module: string,
  target: string,
  key?: string,
  more?: Record<string, string>,
): Promise<Map<string, Family>> {
  const response = await get(base, module, target, key, more);
  const text = await response.text();
  expect([response.status, response.status === 200 ? '' : text]).toEqual([200, '']);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return familiesOf(text);
}

/** Values that both see, whatever time it takes them. */
const EQUAL =
  /^probe_(success|failed_due_to_regex|http_(content_length|last_modified_timestamp_seconds|redirects|ssl|status_code|uncompressed_body_length|version)|ip_(addr_hash|protocol)|ssl_earliest_cert_expiry|tls_version_info|dns_(answer|authority|additional)_rrs|dns_serial|dns_query_succeeded|icmp_reply_hop_limit)$/;
const LABEL = /([a-z_0-9]+)="((?:[^"\\]|\\.)*)"/g;
const labelsOf = (labels: string): Map<string, string> => new Map([...labels.matchAll(LABEL)].map(([, name, value]) => [name!, value!]));

/** What the exporter has and we lack, or have differently. */
function differences(theirs: Map<string, Family>, ours: Map<string, Family>): string[] {
  return [...theirs].flatMap(([name, family]) => {
    const own = ours.get(name);
    // What is not known has no series here, and −1 or the year 1 there.
    const known = [...family.samples].filter(([, value]) => !(value < 0));
    if (!own) return known.length === 0 ? [] : [`${name} is missing`];
    const wrong = [
      ...(own.type === family.type ? [] : [`${name} is a ${own.type}`]),
      ...(own.help === family.help ? [] : [`${name}: ${own.help}`]),
    ];
    for (const [labels, value] of known) {
      const wanted = labelsOf(labels);
      const same = [...own.samples].filter(([each]) => [...wanted].every(([label, text]) => labelsOf(each).get(label) === text));
      if (same.length !== 3) wrong.push(`${name}${labels}: at ${same.length} locations of 3`);
      for (const [each, mine] of same) {
        if (EQUAL.test(name) ? mine !== value : !(mine >= 0) || Math.abs(mine - value) > 2)
          wrong.push(`${name}${each}: ${mine}, and not ${value}`);
        if (!labelsOf(each).has('location')) wrong.push(`${name}${each} has no location`);
      }
    }
    return wrong;
  });
}

describe.skipIf(!hasPrograms)('beside blackbox_exporter, with its own file of modules', () => {
  it.each([
    ['http_2xx', () => `${targets.http}/`],
    ['http_2xx', () => `${targets.http}/away`],
    ['http_2xx', () => `${targets.http}/broken`],
    ['http_2xx', () => `${targets.http}/chunked`],
    ['http_2xx', () => targets.http.slice('http://'.length)],
    ['http_2xx', () => `http://${targets.nobody}/`],
    ['http_2xx', () => `${targets.https}/`],
    ['http_any_cert', () => `${targets.https}/`],
    ['http_six_first', () => `${targets.http}/`],
    ['http_six_first', () => `http://${targets.nobody}/`],
    ['http_stays', () => `${targets.http}/away`],
    ['http_post', () => `${targets.http}/`],
    ['http_never', () => `${targets.http}/`],
    ['http_hasty', () => `http://${targets.silent}/`],
    ['http_hasty', () => `https://${targets.silent}/`],
    ['http_hasty', () => `${targets.http}/silent`],
    ['http_2xx', () => `http://${targets.broken}/`],
    ['http_2xx', () => `https://${targets.broken}/`],
    ['http_2xx', () => `https://${targets.nobody}/`],
    ['http_2xx', () => 'http://no-such-name.test/'],
    ['http_gzip', () => `${targets.http}/packed`],
    ['http_gzip_only', () => `${targets.http}/`],
    ['http_small', () => `${targets.http}/`],
    ['http_token', () => `${targets.http}/signed`],
    ['http_2xx', () => `${targets.http}/signed`],
    ['http_oauth', () => `${targets.http}/signed`],
    ['http_proxy', () => `${targets.https}/`],
    ['http_proxy', () => `https://${targets.nobody}/`],
    ['http_proxy_dead', () => `${targets.https}/`],
    ['icmp', () => 'no-such-name.test'],
    ['dns_hasty', () => targets.mute],
    ['dns_hasty', () => 'no-such-name.test'],
    ['icmp', () => '127.0.0.1'],
    ['icmp_six', () => '127.0.0.1'],
    ['icmp_six', () => 'no-such-name.test'],
    ['dns_six', () => targets.dns],
    ['dns', () => targets.dns],
    ['dns', () => targets.nobody],
    ['dns_soa', () => targets.dns],
    ['dns_any', () => targets.dns],
    ['dns_never', () => targets.dns],
    ['dns_empty', () => targets.dns],
    ['dns_nobody', () => targets.dns],
    ['tcp_connect', () => targets.smtp],
    ['tcp_connect', () => targets.nobody],
    ['tcp_connect', () => 'no-such-name.test:25'],
    ['tcp_hasty', () => targets.silent],
    ['tls_connect', () => targets.https.slice('https://'.length)],
    ['tls_connect', () => targets.broken],
    ['tls_any_cert', () => targets.https.slice('https://'.length)],
    ['tls_own_ca', () => targets.https.slice('https://'.length)],
    ['tls_wrong_name', () => targets.https.slice('https://'.length)],
    ['smtp_starttls', () => targets.smtp],
    ['smtp_starttls', () => targets.broken],
    ['smtp_never', () => targets.smtp],
    ['smtp_never', () => targets.broken],
  ])('%s has its names, types and labels, and comparable values (%#)', async (module, target) => {
    const [theirs, ours] = await Promise.all([scraped(exporter, module, target()), scraped(vedette.url, module, target(), comparing)]);
    expect(differences(theirs, ours)).toEqual([]);
    expect([...ours.get('probe_locations')!.samples.values()].reduce((sum, count) => sum + count)).toBe(3);
  });
  it('fails where the token is refused; the target, which blackbox_exporter looks up before, has no address then', async () => {
    const target = `${targets.http}/signed`;
    const [theirs, ours] = await Promise.all([
      scraped(exporter, 'http_oauth_no', target),
      scraped(vedette.url, 'http_oauth_no', target, comparing),
    ]);
    const different = differences(theirs, ours);
    expect([different.length, different.filter((each) => !each.startsWith('probe_ip_'))]).toEqual([6, []]);
    expect([...ours.get('probe_success')!.samples.values()]).toEqual([0, 0, 0]);
  });
  it('names what it cannot do, at start and when it is asked for', async () => {
    const answer = await get(vedette.url, 'banner', targets.http, vedette.key);
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringMatching(/module banner: prober: unix \(line \d+ of the file\) is not supported/),
    ]);
    expect(vedette.stderr()).toContain('VEDETTE_PROBE_FILE: module banner is left out, since /probe cannot do prober: unix');
  });
});

const admin = async (method: string, path: string, body: object): Promise<{ key: string }> => {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${vedette.opsPort}/admin/${path}`, { method, headers, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
  return (await response.json()) as { key: string };
};

/** The blocks of docs/probe.md in YAML. */
const blocks = [...readFileSync(new URL('../../docs/probe.md', import.meta.url), 'utf8').matchAll(/^```yaml\n(.*?)^```/gms)].map(
  ([, text]) => text!,
);

describe.skipIf(!hasPrograms)('for Prometheus', () => {
  it('a configuration written for blackbox_exporter works with another address and a key, and errors are shown', async () => {
    const [scrapeConfig = ''] = blocks;
    expect(scrapeConfig).toContain('127.0.0.1:8080');
    const { key } = await keyOf('prometheus', 1_000, false);
    const [port = 0] = await freePorts(1);
    const common = scrapeConfig
      .replace(/'https:\/\/example.org\/', 'https:\/\/example.com\/'/, `'${targets.http}/', '${targets.http}/broken'`)
      .replace('scrape_interval: 60s', 'scrape_interval: 1500ms')
      .replace('scrape_timeout: 20s', 'scrape_timeout: 1500ms');
    const withKey = common.replace('vdt_…', key).replace('127.0.0.1:8080', new URL(vedette.url).host);
    const before = common
      .replace(/ {4}authorization:[^\n]*\n[^\n]*\n/, '')
      .replace('127.0.0.1:8080', new URL(exporter).host)
      .replace('job_name: websites', 'job_name: before')
      .replace('scrape_configs:\n', '');
    const other = (name: string, more: string) =>
      `  - {job_name: ${name}, metrics_path: /probe, params: {target: [127.0.0.1], module: [icmp]}, ${more}, scrape_interval: 1s, static_configs: [{targets: ['${new URL(vedette.url).host}']}]}\n`;
    const hasty = other('hasty', `authorization: {credentials: ${key}}, scrape_timeout: 1s`);
    writeFileSync(join(folder, 'prometheus.yml'), withKey + before + hasty);
    writeFileSync(join(folder, 'rules.yml'), blocks[1]!);
    execFileSync('promtool', ['check', 'config', join(folder, 'prometheus.yml')], { stdio: 'pipe' });
    execFileSync('promtool', ['check', 'rules', join(folder, 'rules.yml')], { stdio: 'pipe' });
    await using programs = new AsyncDisposableStack();
    const prometheus = await startProgram(
      PROMETHEUS,
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'tsdb')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      `http://127.0.0.1:${port}/-/ready`,
    );
    programs.use(prometheus);
    const query = async (text: string): Promise<string[]> => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?${new URLSearchParams({ query: text }).toString()}`);
      const { data } = (await response.json()) as { data: { result: { metric: Record<string, string>; value: [number, string] }[] } };
      return data.result.map(({ metric, value }) => `${metric['instance']} ${metric['location'] ?? ''} ${value[1]}`).toSorted();
    };
    const [well, broken] = [`${targets.http}/`, `${targets.http}/broken`];
    const everywhere = (instance: string, value: number) =>
      ['eu-fra', 'sg-sin', 'us-ash'].map((location) => `${instance} ${location} ${value}`);
    await expect
      .poll(() => query('probe_success{job="websites"}'), { timeout: 15_000, interval: 300 })
      .toEqual([...everywhere(well, 1), ...everywhere(broken, 0)]);
    await expect
      .poll(() => query('probe_success{job="before"}'), { timeout: 10_000, interval: 300 })
      .toEqual([`${well}  1`, `${broken}  0`]);
    expect(await query('probe_http_status_code{job="websites"}')).toEqual([...everywhere(well, 200), ...everywhere(broken, 500)]);
    expect(await query('up{job="websites"}')).toEqual([`${well}  1`, `${broken}  1`]);
    expect(await query('count by (instance) (probe_success == 0 and on (instance, location) probe_agent_ok == 1) >= 2')).toEqual([
      `${broken}  3`,
    ]);
    const errors = async (): Promise<Record<string, string>> => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/targets`);
      const { data } = (await response.json()) as { data: { activeTargets: { scrapePool: string; lastError: string }[] } };
      return Object.fromEntries(data.activeTargets.map(({ scrapePool, lastError }) => [scrapePool, lastError]));
    };
    await expect.poll(errors, { timeout: 10_000 }).toEqual({
      websites: '',
      before: '',
      hasty: expect.stringMatching(/^server returned HTTP status 400 A parameter .*: the scrape_timeout of 1 s/),
    });
  });

  it('fires the same alerts for the same targets as blackbox_exporter, up or down', { timeout: 180_000 }, async () => {
    const { key } = await keyOf('alerting', 100_000, false);
    const [port = 0] = await freePorts(1);
    const { http, https, dns, nobody, silent, broken, mute, smtp } = targets;
    const unknown = 'no-such-name.test';
    const scraped: Readonly<Record<string, string[]>> = {
      http_2xx: [`${http}/`, `${http}/slower`, `${http}/broken`, `http://${nobody}/`, `http://${broken}/`, `http://${unknown}/`],
      http_any_cert: [`${https}/`],
      http_hasty: [`http://${silent}/`, `https://${silent}/`],
      http_never: [`${http}/chunked`],
      icmp: ['127.0.0.1', unknown],
      dns: [dns],
      dns_hasty: [mute],
      tcp_connect: [smtp, nobody],
      tcp_hasty: [silent],
      tls_any_cert: [https.slice('https://'.length)],
      smtp_never: [smtp],
    };
    const jobs = ['blackbox_exporter', 'vedette'].flatMap((by) =>
      Object.entries(scraped).map(([module, addresses]) => ({
        job_name: `${by} ${module}`,
        metrics_path: '/probe',
        params: { module: [module] },
        ...(by === 'vedette' && { authorization: { credentials: key } }),
        static_configs: [{ targets: addresses, labels: { by } }],
        relabel_configs: [
          { source_labels: ['__address__'], target_label: '__param_target' },
          { source_labels: ['__param_target'], target_label: 'instance' },
          { target_label: '__address__', replacement: new URL(by === 'vedette' ? vedette.url : exporter).host },
        ],
      })),
    );
    const rules = join(folder, 'same-rules.yml');
    const [, page = ''] = /^```yaml\n(.*?)^```/ms.exec(read('docs/probe-alerts.md'))!;
    writeFileSync(rules, page);
    const global = { scrape_interval: '4s', scrape_timeout: '4s', evaluation_interval: '1s' };
    writeFileSync(join(folder, 'same.yml'), JSON.stringify({ global, rule_files: [rules], scrape_configs: jobs }));
    const prometheus = `http://127.0.0.1:${port}`;
    await using programs = new AsyncDisposableStack();
    programs.use(
      await startProgram(
        PROMETHEUS,
        [
          `--config.file=${join(folder, 'same.yml')}`,
          `--storage.tsdb.path=${join(folder, 'same-tsdb')}`,
          `--web.listen-address=127.0.0.1:${port}`,
        ],
        `${prometheus}/-/ready`,
      ),
    );
    const samples = async (text: string): Promise<Record<string, string>[]> => {
      const response = await fetch(`${prometheus}/api/v1/query?${new URLSearchParams({ query: text }).toString()}`);
      const { data } = (await response.json()) as { data: { result: { metric: Record<string, string> }[] } };
      return data.result.map(({ metric }) => metric);
    };
    const scrapes = Object.values(scraped).flat().length;
    await expect.poll(async () => (await samples('probe_success{by="blackbox_exporter"}')).length, { timeout: 20_000 }).toBe(scrapes);
    await expect.poll(async () => (await samples('probe_success{by="vedette"}')).length, { timeout: 20_000 }).toBe(3 * scrapes);
    const firing = async (by: string): Promise<string[]> => {
      const alerts = await samples(`ALERTS{alertstate="firing", by="${by}"}`);
      return [...new Set(alerts.map(({ alertname, instance }) => `${alertname} ${instance}`))].toSorted();
    };
    const alertNames = [...page.matchAll(/alert: (\w+)/g)].map(([, name]) => name!);
    const result = async () => {
      const [theirs, ours] = [await firing('blackbox_exporter'), await firing('vedette')];
      return {
        more: ours.filter((each) => !theirs.includes(each)),
        less: theirs.filter((each) => !ours.includes(each)),
        many: theirs.length > 30,
        refused: ours.filter((each) => each.endsWith(` http://${nobody}/`)),
        quiet: alertNames.filter((name) => !ours.some((each) => each.startsWith(`${name} `))),
        locations: (await samples(`ALERTS{alertname="HttpFailure", by="vedette", instance="http://${nobody}/"}`)).length,
      };
    };
    const refused = ['EmptyPage', 'HttpFailure', 'LowAvailability', 'NoTls', 'OldHttp', 'ProbeFailed'].map(
      (name) => `${name} http://${nobody}/`,
    );
    // One scrape that a busy machine makes slow counts in LowAvailability for a minute.
    await expect
      .poll(result, { timeout: 100_000, interval: 500 })
      .toEqual({ more: [], less: [], many: true, refused, quiet: ['SlowPing'], locations: 3 }); // loopback is not slow
  });

  it('a target that has a label location keeps it, and ours has another name', async () => {
    const { key } = await keyOf('labelled', 1_000, false);
    const [port = 0] = await freePorts(1);
    const job = (job_name: string, more: object) => ({
      job_name,
      metrics_path: '/probe',
      authorization: { credentials: key },
      static_configs: [{ targets: [new URL(vedette.url).host], labels: { location: 'dc1' } }],
      ...more,
    });
    const icmp = { target: ['127.0.0.1'], module: ['icmp'] };
    const scrape_configs = [
      job('usual', { params: icmp }),
      job('named', { params: { ...icmp, location_label: ['seen_from'] } }),
      job('ours', { params: icmp, honor_labels: true }),
    ];
    writeFileSync(join(folder, 'labels.yml'), JSON.stringify({ global: { scrape_interval: '2s', scrape_timeout: '2s' }, scrape_configs }));
    const prometheus = `http://127.0.0.1:${port}`;
    await using programs = new AsyncDisposableStack();
    programs.use(
      await startProgram(
        PROMETHEUS,
        [
          `--config.file=${join(folder, 'labels.yml')}`,
          `--storage.tsdb.path=${join(folder, 'labels-tsdb')}`,
          `--web.listen-address=127.0.0.1:${port}`,
        ],
        `${prometheus}/-/ready`,
      ),
    );
    const labels = async (): Promise<string[]> => {
      const response = await fetch(`${prometheus}/api/v1/query?query=probe_success`);
      const { data } = (await response.json()) as { data: { result: { metric: Record<string, string> }[] } };
      return data.result
        .map(({ metric: { job: name, location, exported_location: exported = '', seen_from: from = '' } }) =>
          [name, location, exported, from].join(' '),
        )
        .toSorted();
    };
    const places = ['eu-fra', 'sg-sin', 'us-ash'];
    await expect
      .poll(labels, { timeout: 20_000 })
      .toEqual([
        ...places.map((place) => `named dc1  ${place}`),
        ...places.map((place) => `ours ${place}  `),
        ...places.map((place) => `usual dc1 ${place} `),
      ]);
  });

  it('a scrape is charged as its operation, and not at all where the plan says so', async () => {
    const paid = await keyOf('paying', 12, false);
    const free = await keyOf('spared', 3, true);
    const quota = async (key: string) => {
      const answer = await get(vedette.url, 'icmp', '127.0.0.1', key);
      return [
        answer.status,
        /remaining=(\d+), .*cost=(\d+)/
          .exec(answer.headers.get('x-service-quota') ?? '')
          ?.slice(1)
          .join(' '),
      ];
    };
    expect([await quota(paid.key), await quota(paid.key), await quota(paid.key)]).toEqual([
      [200, '7 5'],
      [200, '2 5'],
      [402, '2 0'],
    ]);
    expect([await quota(free.key), await quota(free.key)]).toEqual([
      [200, '3 0'],
      [200, '3 0'],
    ]);
  });

  it('two of them at once get whole answers of one measurement', async () => {
    const successes: number[][] = [];
    const two = async (): Promise<number> => {
      const before = requests;
      const answers = await Promise.all([0, 1].map(() => scraped(vedette.url, 'http_2xx', `${targets.http}/slow`, vedette.key)));
      successes.push(...answers.map((families) => [...families.get('probe_success')!.samples.values()]));
      return requests - before;
    };
    // At an agent that is busy one may come when the other has been answered.
    await expect.poll(two, { timeout: 60_000 }).toBe(3);
    expect(successes).toEqual(successes.map(() => [1, 1, 1])); // of every try
  });

  it('a location that is gone leaves the others their series', async () => {
    const pid = agentOf('sg-sin');
    process.kill(pid, 'SIGSTOP');
    try {
      await sleep(100);
      const families = await scraped(vedette.url, 'icmp', '127.0.0.1', vedette.key, { 'x-prometheus-scrape-timeout-seconds': '3' });
      expect(families.get('probe_success')!.samples.get('{location="eu-fra"}')).toBe(1);
      expect(families.get('probe_success')!.samples.get('{location="sg-sin"}')).toBe(0);
      expect(families.get('probe_agent_ok')!.samples.get('{location="sg-sin"}')).toBe(0);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });
});

/** A key of an account of its own, a new one at each try, that may do nothing but this. */
async function keyOf(name: string, credits: number, unmetered: boolean): Promise<{ key: string }> {
  const account = `${name}-${randomUUID().slice(0, 8)}`;
  await admin('PUT', `plans/${account}`, { monthly_credits: credits, unmetered_probe: unmetered });
  await admin('POST', 'accounts', { id: account, name: account, plan: account });
  return await admin('POST', 'keys', { account, name: 'prometheus', allowed_operations: ['probe'] });
}

/** The process of one location's agent. */
function agentOf(location: string): number {
  const isIts = (pid: number): boolean => told(pid, 'environ').split('\0').includes(`VEDETTE_LOCATION=${location}`);
  return descendants(vedette.process.pid!).find(isIts)!;
}
