import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { readProbeFile } from '../../../packages/gateway/src/probe-modules/module-file.ts';
import { unsupportedModules, withBuiltIn } from '../../../packages/gateway/src/probe-modules/modules.ts';

const read = (text: string) => readProbeFile(text, '/nowhere/blackbox.yml');
const only = (text: string) => read(`modules:\n  it:\n${text.replace(/^/gm, '    ')}`).modules.get('it');
const DEBIAN = '/etc/prometheus/blackbox.yml';

it('without a file the usual modules are there, and no other', () => {
  expect([...withBuiltIn([], []).modules.keys()]).toEqual(['http_2xx', 'http', 'icmp', 'ping', 'dns', 'tcp_connect', 'trace']);
});

it.skipIf(!existsSync(DEBIAN))('Debian’s own blackbox.yml loads, and what only blackbox_exporter does is named with its line', () => {
  const text = readFileSync(DEBIAN, 'utf8');
  const modules = readProbeFile(text, DEBIAN);
  expect([...modules.modules.keys()].toSorted()).toEqual([
    'dns',
    'http',
    'http_2xx',
    'http_post_2xx',
    'icmp',
    'icmp_ttl5',
    'irc_banner',
    'ping',
    'pop3s_banner',
    'ssh_banner',
    'tcp_connect',
    'trace',
  ]);
  expect(modules.modules.get('http_post_2xx')).toMatchObject({ prober: 'http', options: { method: 'POST' } });
  expect(modules.modules.get('icmp_ttl5')).toMatchObject({ prober: 'icmp', options: { ttl: 5 }, timeoutMs: 5_000 });
  const lines = text.split('\n');
  expect([...modules.unsupported.keys()].toSorted()).toEqual(['grpc', 'grpc_plain']);
  for (const { line, what } of modules.unsupported.values()) expect(lines[line - 1]!.trim()).toBe(what);
  expect(unsupportedModules(modules)[0]).toMatch(
    /^VEDETTE_PROBE_FILE: module grpc is left out, since \/probe cannot do prober: grpc \(line \d+\)$/,
  );
});

describe('a module', () => {
  it('of trace has what traceroute takes, and its defaults', () => {
    const head = { name: 'it', prober: 'trace', ipv6First: false, timeoutMs: undefined };
    expect(only('prober: trace')).toEqual({ ...head, options: { family: 0, protocol: 'icmp', rounds: 3, max_hops: 30, flows: 1 } });
    expect(
      only(
        'prober: trace\ntrace: {protocol: tcp, rounds: 4, max_hops: 9, flows: 2, preferred_ip_protocol: ip6, ip_protocol_fallback: false}',
      ),
    ).toEqual({ ...head, options: { family: 6, protocol: 'tcp', rounds: 4, max_hops: 9, flows: 2 } });
    expect(() => only('prober: trace\ntrace: {rounds: 16, flows: 2}')).toThrow('rounds times flows is more than 24');
    expect(() => only('prober: trace\ntrace: {protocol: sctp}')).toThrow('protocol must be one of icmp, udp, tcp');
  });
  it('of http has all that agents can do', () => {
    const text = `prober: http
timeout: 1m30s
http:
  valid_status_codes: [200, 301]
  valid_http_versions: ["HTTP/1.1", "HTTP/2.0"]
  method: POST
  headers: {Host: b.test, X-Any: "1"}
  body: '{"a": 1}'
  follow_redirects: no
  fail_if_ssl: true
  fail_if_not_ssl: false
  fail_if_body_matches_regexp: [(?i)error]
  fail_if_body_not_matches_regexp: [ok, fine]
  fail_if_header_matches: [{header: Server, regexp: old}]
  fail_if_header_not_matches: [{header: X-Way, regexp: '^a$', allow_missing: true}]
  tls_config: {insecure_skip_verify: true, server_name: c.test}
  basic_auth: {username: me, password: secret}
  enable_http2: false
  preferred_ip_protocol: ip4
  ip_protocol_fallback: false
  http_headers: {Accept-Language: {values: [en], secrets: [de]}}
  compression: gzip
  body_size_limit: 1.5MB
  proxy_url: http://me:pw@proxy.test/
  no_proxy: inner.test, .B.test
  proxy_connect_header: {X-Tenant: [a]}
  skip_resolve_phase_with_proxy: true
  enable_http3: false`;
    expect(only(text)).toEqual({
      name: 'it',
      prober: 'http',
      timeoutMs: 90_000,
      options: {
        family: 4,
        method: 'POST',
        headers: { host: 'b.test', 'x-any': '1', 'accept-language': 'en, de', authorization: 'Basic bWU6c2VjcmV0' },
        http_versions: ['HTTP/1.1'],
        max_redirects: 0,
      },
      ipv6First: false,
      body: '{"a": 1}',
      compression: 'gzip',
      bodyMaxBytes: 1_572_864,
      proxy: { url: 'http://me:pw@proxy.test:80', headers: { 'x-tenant': 'a' }, except: ['inner.test', 'b.test'] },
      oauth2: undefined,
      verifyCertificate: false,
      serverName: 'c.test',
      validStatusCodes: [200, 301],
      validHttpVersions: ['HTTP/1.1', 'HTTP/2.0'],
      failIfTls: true,
      failIfNotTls: false,
      bodyPatterns: [
        { regexp: '(?i)error', fails: 'present' },
        { regexp: 'ok', fails: 'absent' },
        { regexp: 'fine', fails: 'absent' },
      ],
      headerPatterns: [
        { header: 'server', regexp: 'old', fails: 'present', allowMissing: false },
        { header: 'x-way', regexp: '^a$', fails: 'absent', allowMissing: true },
      ],
    });
  });
  it('of dns asks a server where it has a query_name, and the resolvers of each location where it has none', () => {
    const text = `prober: dns
dns:
  query_name: Bücher.example.
  query_type: soa
  transport_protocol: tcp
  recursion_desired: false
  valid_rcodes: [NXDOMAIN, NOERROR]
  validate_answer_rrs: {fail_if_not_matches_regexp: ['SOA']}`;
    expect(only(text)).toMatchObject({
      queryName: 'xn--bcher-kva.example',
      queryType: 'SOA',
      options: { transport: 'tcp', recursion: false },
      validRcodes: ['NXDOMAIN', 'NOERROR'],
      answer: { failIfNotMatches: [/SOA/], failIfMatches: [] },
    });
    expect(only('prober: dns\ndns: {query_name: a.test}')).toMatchObject({ queryType: 'ANY', validRcodes: ['NOERROR'], options: {} });
    expect(only('prober: dns\ndns: {query_type: AAAA}')).toMatchObject({ queryName: undefined, queryType: 'AAAA' });
  });
  it('of http may sign in by a token of its own, or by client credentials', () => {
    expect(only('prober: http\nhttp:\n  authorization: {credentials: abc}')).toMatchObject({
      options: { headers: { authorization: 'Bearer abc' } },
    });
    expect(only('prober: http\nhttp:\n  authorization: {type: Token, credentials: abc}')).toMatchObject({
      options: { headers: { authorization: 'Token abc' } },
    });
    const text = `prober: http
http:
  oauth2:
    client_id: me
    client_secret: s
    token_url: https://login.test/token
    scopes: [read]
    endpoint_params: {audience: it}`;
    expect(only(text)).toMatchObject({
      options: {},
      oauth2: { tokenUrl: 'https://login.test/token', clientId: 'me', clientSecret: 's', scopes: ['read'], parameters: { audience: 'it' } },
    });
  });
  it.each([
    ['10', 10],
    ['10B', 10],
    ['2KB', 2048],
    ['2KiB', 2048],
    ['1GB', 1_073_741_824],
    ['0', undefined],
  ])('limits a body to %s: %s bytes', (size, bytes) => {
    expect(only(`prober: http\nhttp:\n  body_size_limit: ${size}`)).toMatchObject({ bodyMaxBytes: bytes });
  });
  it('may use anchors and merge keys', () => {
    const { modules } = read('modules:\n  a: &a {prober: http, timeout: 5s}\n  b: {<<: *a, timeout: 7s}\n  c: *a');
    expect(['a', 'b', 'c'].map((name) => modules.get(name))).toMatchObject([
      { prober: 'http', timeoutMs: 5_000 },
      { prober: 'http', timeoutMs: 7_000 },
      { prober: 'http', timeoutMs: 5_000 },
    ]);
  });
  it('may have a secret in a file beside its own', () => {
    const folder = mkdtempSync(join(tmpdir(), 'probe-file-'));
    writeFileSync(join(folder, 'token'), 'abc\n');
    const text = 'modules: {it: {prober: http, http: {bearer_token_file: token}}}';
    expect(readProbeFile(text, join(folder, 'probe.yml')).modules.get('it')).toMatchObject({
      options: { headers: { authorization: 'Bearer abc' } },
    });
    // blackbox_exporter starts without it, too, and its probes fail.
    expect(read(text).unsupported.get('it')).toEqual({ module: 'it', line: 1, what: 'bearer_token_file (ENOENT)' });
    expect(read('modules: {it: {prober: http, http: {method: POST, body_file: none}}}').unsupported.get('it')?.what).toBe(
      'body_file (ENOENT)',
    );
    writeFileSync(join(folder, 'body'), ' {}\n');
    const posts = 'modules: {it: {prober: http, http: {method: POST, body_file: body, http_headers: {X-Key: {files: [token]}}}}}';
    expect(readProbeFile(posts, join(folder, 'probe.yml')).modules.get('it')).toMatchObject({
      body: ' {}\n',
      options: { headers: { 'x-key': 'abc' } },
    });
  });
  it('of the file takes the place of a built-in one, also where it cannot be run', () => {
    const { modules, unsupported } = read('modules: {icmp: {prober: grpc}, http: {prober: icmp}}');
    expect([modules.get('icmp'), modules.get('http')?.prober, unsupported.get('icmp')]).toEqual([
      undefined,
      'icmp',
      { module: 'icmp', line: 1, what: 'prober: grpc' },
    ]);
  });
});

describe('what only blackbox_exporter does leaves a module out, by key and line', () => {
  it.each([
    ['prober: http\nhttp:\n  proxy_url: ftp://a.test', 5, 'proxy_url, which must be http://, https:// or socks5:// with a host'],
    ['prober: http\nhttp:\n  proxy_from_environment: true', 5, 'proxy_from_environment'],
    ['prober: http\nhttp:\n  proxy_url: http://a.test\n  no_proxy: 10.0.0.0/8', 6, 'no_proxy: "10.0.0.0/8"'],
    ['prober: http\nhttp:\n  oauth2:\n    token_url: http://a.test\n    tls_config: {insecure_skip_verify: true}', 7, 'tls_config'],
    ['prober: http\nhttp:\n  compression: zstd', 5, 'compression: zstd'],
    ['prober: http\nhttp:\n  enable_http3: true', 5, 'enable_http3'],
    ['prober: http\nhttp:\n  http_headers:\n    Authorization: {values: [a]}', 6, 'http_headers: "Authorization"'],
    ['prober: http\nhttp:\n  fail_if_body_json_matches_cel: a', 5, 'fail_if_body_json_matches_cel'],
    ['prober: icmp\nicmp:\n  payload_size: 65000', 2, 'payload_bytes: must be <= 1472'],
    ['prober: http\nhttp:\n  headers: {a: "b\\r\\nc: d"}', 2, 'headers.a: must match pattern "^[\\t\\x20-\\x7e]{0,4096}$"'],
    ['prober: http\nhttp:\n  method: DELETE', 5, 'method: DELETE'],
    ['prober: http\nhttp:\n  tls_config:\n    ca_file: /x', 6, 'ca_file'],
    ['prober: http\nhttp:\n  tls_config:\n    min_version: TLS13', 6, 'min_version: TLS13'],
    ['prober: icmp\nicmp:\n  source_ip_address: 192.0.2.1', 5, 'source_ip_address'],
    ['prober: dns\ndns:\n  query_name: a.test\n  tls_config: {server_name: b.test}', 6, 'tls_config'],
    ['prober: dns\ndns:\n  query_name: a.test\n  query_type: MAILA', 6, 'query_type: MAILA'],
    ['prober: unix', 3, 'prober: unix'],
  ])('%j', (text, line, what) => {
    const { modules, unsupported } = read(`modules:\n  it:\n${text.replace(/^/gm, '    ')}\n  other: {prober: icmp}`);
    expect(unsupported.get('it')).toEqual({ module: 'it', line, what });
    expect(modules.get('other')).toMatchObject({ prober: 'icmp' });
  });
});

it.each([
  ['  a:\n    prober: http\n    htpp: {}', 4, 'the key "htpp" of a; did you mean http?'],
  [
    '  a:\n    prober: http\n    http:\n      folow_redirects: true',
    5,
    'the key "folow_redirects" of http; did you mean follow_redirects?',
  ],
  ['  a: {prober: websocket, websocket: {x: 1}}', 2, 'prober: websocket'],
])('a prober or a key of a later blackbox_exporter leaves its module out, and no gateway: %s', (text, line, what) => {
  const { modules, unsupported } = read(`modules:\n${text}\n  b: {prober: icmp}`);
  expect([modules.has('a'), modules.has('b')]).toEqual([false, true]);
  expect(unsupported.get('a')).toEqual({ module: 'a', line, what });
});

describe('a file that is wrong is refused at start, with its line', () => {
  it.each([
    ['', 'line 1: there are no modules'],
    ['modules:', 'line 1: there are no modules'],
    ['[]', 'line 1: the file must be a mapping'],
    ['modules: {a: {prober: http}}\nother: 1', 'line 2: the file has no "other"'],
    ['modules:\n  a:\n    timeout: 5s', 'line 2: module "a" has no prober'],
    ['modules: {a: {prober: http, timeout: soon}}', 'line 1: timeout must be a duration such as 5s'],
    ['modules: {a: {prober: http, http: {valid_status_codes: 200}}}', 'line 1: valid_status_codes must be a list'],
    ['modules: {a: {prober: http, http: {valid_status_codes: [2xx]}}}', 'line 1: valid_status_codes must be a whole number'],
    ['modules: {a: {prober: http, http: {fail_if_ssl: perhaps}}}', 'line 1: fail_if_ssl must be true or false'],
    ['modules: {a: {prober: http, http: {fail_if_body_matches_regexp: ["(a"]}}}', 'line 1: fail_if_body_matches_regexp: '],
    ['modules: {a: {prober: http, http: {headers: {"a b": c}}}}', 'headers'],
    ['modules: {a: {prober: http, http: {headers: {a: 1, A: 2}}}}', 'the header a is there twice'],
    [
      'modules:\n  a:\n    prober: http\n    http:\n      http_headers:\n        X-A: {values: [b]}\n        x-a: {values: [c]}',
      'line 7: the header x-a is there twice',
    ],
    ['modules: {a: {prober: http, http: {headers: {X-A: b}, http_headers: {x-a: {values: [c]}}}}}', 'the header x-a is there twice'],
    ['modules: {a: {prober: http, http: {headers: {Authorization: b}, bearer_token: c}}}', 'the header authorization is there twice'],
    ['modules: {a: {prober: http, http: {bearer_token: a, basic_auth: {username: b}}}}', 'bearer_token and basic_auth exclude each other'],
    [
      'modules: {a: {prober: http, http: {authorization: {credentials: a}, basic_auth: {username: b}}}}',
      'basic_auth and authorization exclude',
    ],
    ['modules: {a: {prober: http, http: {body: a, body_file: b}}}', 'line 1: body and body_file exclude each other'],
    ['modules: {a: {prober: http, http: {body_size_limit: much}}}', 'line 1: body_size_limit must be a size such as 10MB'],
    ['modules: {a: {prober: http, http: {oauth2: {client_id: a}}}}', 'line 1: token_url must be an http or https URL'],
    ['modules: {a: {prober: dns, dns: {query_name: "a b"}}}', 'line 1: query_name: "a b" is not a name of the DNS'],
    ['modules: {a: {prober: dns, dns: {validate_answer_rrs: {fail_if_matches_regexp: [a]}}}}', 'validate_answer_rrs wants a query_name'],
    ['modules: {"a b": {prober: http}}', 'is no name of a module'],
    ['modules:\n  a: {prober: http}\n  a: {prober: icmp}', 'line 3: Map keys must be unique'],
    ['modules: {a: !!js/function "x"}', 'line 1: '],
    ['modules: {a: *nobody}', 'line 1: '],
    ['modules: {a: {prober: http, http: &h {<<: *h}}}', 'line 1: '],
    ['modules: {a: {prober: [http]}}', 'line 1: prober must be text'],
    ['modules:\n\ta: 1', 'line 2: '],
    ['a: 1\n---\nmodules: {}', 'line '],
    [`modules: ${'['.repeat(50_000)}`, 'line 1: '],
    ['x'.repeat(2 * 1024 * 1024), 'line 1: more than 1048576 characters'],
  ])('%#', (text, problem) => {
    expect(() => read(text)).toThrow(problem);
  });
  it('and one that would grow a billionfold takes no time', () => {
    const laughs = Array.from({ length: 30 }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(10).fill(`*l${i}`).join(', ')}]`);
    const all = ['modules: {a: {prober: icmp}, b: {prober: http, http: {headers: *l30}}}', 'l0: &l0 lol', ...laughs].join('\n');
    expect(() => read(all)).toThrow('line 2: the file has no "l0"');
    expect(() => read(['l0: &l0 lol', ...laughs, 'modules: {a: {prober: icmp}}'].join('\n'))).toThrow('line 1: the file has no "l0"');
  });
});

/** The tcp modules of blackbox_exporter's `example.yml` and `blackbox.yml`, as they are. */
const PUBLISHED = `modules:
  tls_connect: {prober: tcp, timeout: 5s, tcp: {tls: true}}
  tcp_connect_example:
    prober: tcp
    timeout: 5s
  imap_starttls:
    prober: tcp
    timeout: 5s
    tcp:
      query_response:
        - expect: "OK.*STARTTLS"
        - send: ". STARTTLS"
        - expect: "OK"
        - starttls: true
        - send: ". capability"
        - expect: "CAPABILITY IMAP4rev1"
  smtp_starttls:
    prober: tcp
    timeout: 5s
    tcp:
      query_response:
        - expect: "^220 ([^ ]+) ESMTP (.+)$"
        - send: "EHLO prober\\r"
        - expect: "^250-STARTTLS"
        - send: "STARTTLS\\r"
        - expect: "^220"
        - starttls: true
        - send: "EHLO prober\\r"
        - expect: "^250-AUTH"
        - send: "QUIT\\r"
  irc_banner_example:
    prober: tcp
    timeout: 5s
    tcp:
      query_response:
        - send: "NICK prober"
        - send: "USER prober prober prober :prober"
        - expect: "PING :([^ ]+)"
          send: "PONG \${1}"
        - expect: "^:[^ ]+ 001"
  rabbitmq_insecure:
    prober: tcp
    timeout: 30s
    tcp:
      query_response:
        - send: "HELO\\r"
        - send: "\\r"
        - expect: "AMQP"
      tls: true
      tls_config:
        insecure_skip_verify: true
        ca_file: "CA_cert.crt"
  pop3s_banner:
    prober: tcp
    tcp:
      query_response:
      - expect: "^+OK"
      tls: true
      tls_config:
        insecure_skip_verify: false
  ssh_banner_extract:
    prober: tcp
    timeout: 5s
    tcp:
      query_response:
      - expect: "^SSH-2.0-([^ -]+)(?: (.*))?$"
        labels:
        - name: ssh_version
          value: "\${1}"
        - name: ssh_comments
          value: "\${2}"
  postgresql:
    prober: tcp
    tcp:
      query_response:
      - send: !!binary AAAACATSFi8= # 0x00, 0x00, 0x00, 0x08, 0x04, 0xD2, 0x16, 0x2F - PostgreSQL SSLRequest
      - expect_bytes: S # 0x53 - Reply will be 'S' if SSL is enabled, and 'N' if it is not.
      - starttls: true
`;

describe('a tcp module', () => {
  it('that blackbox_exporter publishes loads as it is; one whose CA cannot be read is left out', () => {
    const { modules, unsupported } = read(PUBLISHED);
    expect([...unsupported.values()]).toEqual([{ module: 'rabbitmq_insecure', line: expect.any(Number), what: 'ca_file (ENOENT)' }]);
    expect([...modules.values()].filter(({ prober }) => prober === 'tcp')).toHaveLength(9); // and the built-in one
    expect(modules.get('postgresql')).toMatchObject({
      steps: [{ send: Buffer.from('0000000804d2162f', 'hex') }, { expectBytes: Buffer.from('S') }, { startTls: true, send: undefined }],
    });
    expect(modules.get('ssh_banner_extract')).toMatchObject({
      timeoutMs: 5_000,
      steps: [{ labels: [{ name: 'ssh_version', value: '${1}' }, { name: 'ssh_comments' }] }],
    });
    expect(modules.get('tls_connect')).toMatchObject({ tls: true, verifyCertificate: true, family: 0, ipv6First: false, steps: [] });
    const folder = mkdtempSync(join(tmpdir(), 'vedette-probe-file-'));
    writeFileSync(join(folder, 'CA_cert.crt'), rootCertificates[0]!);
    expect(readProbeFile(PUBLISHED, join(folder, 'probe.yml')).modules.get('rabbitmq_insecure')).toMatchObject({
      terms: { roots: rootCertificates[0] },
    });
  });

  it.each([
    ['{}', { ipv6First: false, options: {} }],
    ['{preferred_ip_protocol: ip6}', { ipv6First: true, options: {} }],
    ['{preferred_ip_protocol: ip6, ip_protocol_fallback: false}', { ipv6First: false, options: { family: 6 } }],
    ['{ip_protocol_fallback: false}', { ipv6First: false, options: { family: 6 } }],
  ])('has the families of http, icmp and dns modules as those of a tcp one: %s', (families, wanted) => {
    for (const prober of ['http', 'icmp', 'dns']) {
      const section = prober === 'dns' ? families.replace('{', '{query_name: a.test, ') : families;
      expect(only(`prober: ${prober}\n${prober}: ${section}`)).toMatchObject(wanted);
    }
    expect(only('prober: http\nhttp: {preferred_ip_protocol: ip6}\noptions: {family: 4}')).toMatchObject({ ipv6First: false });
    expect(only('prober: icmp\nicmp: {preferred_ip_protocol: ip6}\noptions: {family: 4}')).toMatchObject({ ipv6First: false });
  });

  it.each([
    ['{}', { family: 0, ipv6First: false }],
    ['{preferred_ip_protocol: ip6}', { family: 0, ipv6First: true }],
    ['{preferred_ip_protocol: ip4, ip_protocol_fallback: false}', { family: 4 }],
    ['{ip_protocol_fallback: false}', { family: 6 }],
    [
      '{tls_config: {min_version: TLS10, max_version: TLS12, server_name: b.test}}',
      { serverName: 'b.test', terms: { minVersion: 'TLSv1', maxVersion: 'TLSv1.2' } },
    ],
  ])('%s', (tcp, wanted) => {
    expect(only(`prober: tcp\ntcp: ${tcp}`)).toMatchObject(wanted);
  });

  it.each([
    ['{query_response: [{expect: "("}]}', /^line 4: expect: /],
    ['{query_response: [{expect: a, labels: [{name: "a-b", value: x}]}]}', /name must be the name of a label/],
    ['{tls_config: {cert: nonsense, key: nonsense}}', /tls_config: /],
  ])('that is wrong is named with its line: %s', (tcp, problem) => {
    expect(() => read(`modules:\n  it:\n    prober: tcp\n    tcp: ${tcp}`)).toThrow(problem);
  });

  it('with an unknown key is left out', () => {
    expect([...read('modules: {it: {prober: tcp, tcp: {query_response: [{sned: a}]}}}').unsupported.keys()]).toEqual(['it']);
  });
});
