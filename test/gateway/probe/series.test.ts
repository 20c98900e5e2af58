import { describe, expect, it } from 'vitest';
import { directResult, httpResult, pingResult, tcpResult, TLS, traceResult } from './results.ts';
import { openProbe, samplesOf, type Told } from './scraping.ts';

/** What one location's series are, without its label. */
async function seriesOf(told: Told, query: string, file?: string): Promise<Record<string, number>> {
  await using probe = await openProbe({ 'eu-fra': told }, { ...(file !== undefined && { file }) });
  const { status, text } = await probe.scrape(`${query}&location=eu-fra`);
  expect([status, text.slice(0, status === 200 ? 0 : 200)]).toEqual([200, '']);
  return Object.fromEntries(
    Object.entries(samplesOf(text))
      .filter(([name]) => !/^probe_(locations|location_info)/.test(name))
      .map(([name, value]) => [name.replace(/location="eu-fra",?/, '').replace(/,?\{\}$/, ''), value]),
  );
}

const HTTP = 'target=http://192.0.2.10/&module=it';
const module = (body: string) => `modules: {it: ${body}}`;
const PLAIN = module('{prober: http}');

describe('a trace module', () => {
  const TRACE = 'target=192.0.2.10&module=trace';
  it('has loss and round trip of each hop, and a hash of the path', async () => {
    const series = await seriesOf({ result: traceResult() }, TRACE);
    expect(series).toEqual({
      probe_success: 1,
      probe_agent_ok: 1,
      probe_duration_seconds: 0.45,
      probe_ip_protocol: 4,
      probe_ip_addr_hash: 1886098357,
      probe_trace_reached: 1,
      probe_trace_hops: 3,
      probe_trace_path_hash: expect.any(Number) as number,
      'probe_trace_hop_packets_sent_count{hop="1",address="inner"}': 3,
      'probe_trace_hop_packets_received_count{hop="1",address="inner"}': 3,
      'probe_trace_hop_answers_limited{hop="1",address="inner"}': 0,
      'probe_trace_hop_rtt_seconds{hop="1",address="inner"}': 0.001,
      'probe_trace_hop_packets_sent_count{hop="2",address=""}': 3,
      'probe_trace_hop_packets_received_count{hop="2",address=""}': 0,
      'probe_trace_hop_answers_limited{hop="2",address=""}': 1,
      'probe_trace_hop_packets_sent_count{hop="3",address="192.0.2.10"}': 3,
      'probe_trace_hop_packets_received_count{hop="3",address="192.0.2.10"}': 3,
      'probe_trace_hop_answers_limited{hop="3",address="192.0.2.10"}': 0,
      'probe_trace_hop_rtt_seconds{hop="3",address="192.0.2.10"}': 0.02,
    });
    // Of the same path it is the same.
    expect((await seriesOf({ result: traceResult({ elapsed_ms: 999 }) }, TRACE))['probe_trace_path_hash']).toBe(
      series['probe_trace_path_hash'],
    );
    expect((await seriesOf({ result: traceResult({ hops: [] }) }, TRACE))['probe_trace_path_hash']).toBeUndefined();
  });
  it('fails where the target does not answer, with the hops that did', async () => {
    const result = traceResult({ reached: false, stopped_by: 'silence' });
    expect(await seriesOf({ result }, TRACE)).toMatchObject({
      probe_success: 0,
      probe_agent_ok: 1,
      'probe_failure_info{reason="target_not_reached"}': 1,
      probe_trace_reached: 0,
      probe_trace_hops: 3,
    });
  });
});

describe('an http module', () => {
  it('has blackbox_exporter’s series', async () => {
    expect(await seriesOf({ result: httpResult() }, HTTP, PLAIN)).toEqual({
      probe_success: 1,
      probe_agent_ok: 1,
      probe_duration_seconds: 0.008,
      probe_dns_lookup_time_seconds: 0.00125,
      probe_ip_protocol: 4,
      probe_ip_addr_hash: 1886098357,
      probe_failed_due_to_regex: 0,
      'probe_http_duration_seconds{phase="resolve"}': 0.00125,
      'probe_http_duration_seconds{phase="connect"}': 0.0025,
      'probe_http_duration_seconds{phase="tls"}': 0,
      'probe_http_duration_seconds{phase="processing"}': 0.004,
      'probe_http_duration_seconds{phase="transfer"}': 0.00025,
      probe_http_redirects: 0,
      probe_http_status_code: 200,
      probe_http_version: 1.1,
      probe_http_ssl: 0,
      probe_http_content_length: 11,
      probe_http_uncompressed_body_length: 11,
      probe_http_last_modified_timestamp_seconds: 784111777,
    });
  });
  it('of https has the certificate’s, too', async () => {
    const result = httpResult({ tls_version: 'TLSv1.3', cipher_suite: 'TLS_AES_128_GCM_SHA256', http_version: 'HTTP/2' }, { tls: TLS });
    expect(await seriesOf({ result }, HTTP, PLAIN)).toMatchObject({
      probe_http_ssl: 1,
      probe_http_version: 2,
      'probe_tls_version_info{version="TLS 1.3"}': 1,
      'probe_tls_cipher_info{cipher="TLS_AES_128_GCM_SHA256"}': 1,
      probe_ssl_earliest_cert_expiry: 1826922421,
      probe_ssl_last_chain_expiry_timestamp_seconds: 1826922421,
      [`probe_ssl_last_chain_info{fingerprint_sha256="${'ab'.repeat(32)}",subject="CN=a.test",issuer="CN=issuer",subjectalternative="a.test,b.test",serialnumber="1f"}`]: 1,
    });
  });
  it('leaves out what is not known: there is no length of −1', async () => {
    const series = await seriesOf({ result: httpResult({}, { content_length: undefined, last_modified: undefined }) }, HTTP, PLAIN);
    expect(Object.keys(series).filter((name) => /content_length|last_modified/.test(name))).toEqual([]);
  });
  it('counts a redirect that is not to be followed', async () => {
    const file = module('{prober: http, http: {follow_redirects: false, valid_status_codes: [302]}}');
    const result = httpResult({ status_code: 302, redirects_to: 'http://192.0.2.10/on' });
    expect(await seriesOf({ result }, HTTP, file)).toMatchObject({ probe_success: 1, probe_http_redirects: 1 });
  });
  it('that failed has what was measured by then, and the exporter’s zeros for the rest: an alert on the status did not fire', async () => {
    const phases = { resolve_ms: 1, connect_ms: 3, tls_ms: 0, processing_ms: 0, transfer_ms: 0 };
    const result = httpResult(
      { status_code: 0, http_version: '', remote_addr: '192.0.2.10' },
      { phases, content_length: undefined, last_modified: undefined },
    );
    expect(await seriesOf({ reason: 'connect_refused', result }, HTTP, PLAIN)).toEqual({
      probe_success: 0,
      probe_agent_ok: 1,
      'probe_failure_info{reason="connect_refused"}': 1,
      probe_duration_seconds: 0.012,
      probe_dns_lookup_time_seconds: 0.001,
      probe_ip_protocol: 4,
      probe_ip_addr_hash: 1886098357,
      probe_failed_due_to_regex: 0,
      probe_http_redirects: 0,
      probe_http_content_length: 0,
      probe_http_ssl: 0,
      probe_http_status_code: 0,
      probe_http_uncompressed_body_length: 0,
      probe_http_version: 0,
      'probe_http_duration_seconds{phase="resolve"}': 0.001,
      'probe_http_duration_seconds{phase="connect"}': 0.003,
      'probe_http_duration_seconds{phase="tls"}': 0,
      'probe_http_duration_seconds{phase="processing"}': 0,
      'probe_http_duration_seconds{phase="transfer"}': 0,
    });
  });
  it('that met a bad certificate still says when it expires', async () => {
    const result = httpResult(
      { status_code: 0, http_version: '', tls_version: 'TLSv1.2' },
      { tls: { ...TLS, verified_not_after: undefined } },
    );
    expect(await seriesOf({ reason: 'tls_cert_invalid', result }, HTTP, PLAIN)).toMatchObject({
      probe_success: 0,
      'probe_failure_info{reason="tls_cert_invalid"}': 1,
      probe_ssl_earliest_cert_expiry: 1826922421,
    });
  });
  it.each([
    ['{prober: http}', {}, {}, undefined],
    ['{prober: http}', { status_code: 301 }, {}, 'unexpected_status'],
    ['{prober: http, http: {valid_status_codes: [301]}}', { status_code: 301 }, {}, undefined],
    ['{prober: http, http: {valid_status_codes: [301]}}', {}, {}, 'unexpected_status'],
    ['{prober: http, http: {valid_http_versions: ["HTTP/2.0"]}}', {}, {}, 'unexpected_http_version'],
    ['{prober: http, http: {valid_http_versions: ["HTTP/2.0"]}}', { http_version: 'HTTP/2' }, {}, undefined],
    ['{prober: http, http: {fail_if_ssl: true}}', { tls_version: 'TLSv1.3' }, {}, 'unexpected_tls'],
    ['{prober: http, http: {fail_if_not_ssl: true}}', {}, {}, 'missing_tls'],
    ['{prober: http, http: {fail_if_body_matches_regexp: [a]}}', {}, { body_matches: [true] }, 'unexpected_body'],
    ['{prober: http, http: {fail_if_body_matches_regexp: [a]}}', {}, { body_matches: [false] }, undefined],
    ['{prober: http, http: {fail_if_body_not_matches_regexp: [a]}}', {}, { body_matches: [false] }, 'unexpected_body'],
    ['{prober: http, http: {fail_if_body_not_matches_regexp: [a]}}', {}, { body_matches: [] }, 'pattern_timeout'],
    ['{prober: http, http: {fail_if_header_matches: [{header: Server, regexp: a}]}}', {}, { header_matches: [true] }, 'unexpected_header'],
    ['{prober: http, http: {fail_if_header_matches: [{header: X-No, regexp: a}]}}', {}, { header_matches: [false] }, 'unexpected_header'],
    [
      '{prober: http, http: {fail_if_header_matches: [{header: X-No, regexp: a, allow_missing: true}]}}',
      {},
      { header_matches: [false] },
      undefined,
    ],
    [
      '{prober: http, http: {fail_if_header_not_matches: [{header: Server, regexp: a}]}}',
      {},
      { header_matches: [false] },
      'unexpected_header',
    ],
  ])('%s of %j, %j: %s', async (text, changes, detail, reason) => {
    const series = await seriesOf({ result: httpResult(changes, detail) }, HTTP, module(text));
    expect([series['probe_success'], Object.keys(series).filter((name) => name.startsWith('probe_failure_info'))]).toEqual(
      reason === undefined ? [1, []] : [0, [`probe_failure_info{reason="${reason}"}`]],
    );
    expect(series['probe_failed_due_to_regex']).toBe(/body|header|pattern/.test(reason ?? '') ? 1 : 0);
  });
  it('asks agents for all of it, with the patterns and a hostname', async () => {
    const text = module(
      '{prober: http, http: {headers: {A: b}, fail_if_body_matches_regexp: [x], fail_if_body_not_matches_regexp: [y], tls_config: {insecure_skip_verify: true}}}',
    );
    await using probe = await openProbe({ 'eu-fra': { result: httpResult({}, { body_matches: [false, true] }) } }, { file: text });
    // An address: a name would be asked for the opt-out of its owner.
    const refused = await probe.scrape(`${HTTP}&hostname=whitehouse.gov`);
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('Government and educational targets') });
    expect((await probe.scrape(`${HTTP}&hostname=localhost`)).status).toBe(400);
    expect((await probe.scrape(HTTP)).status).toBe(200);
    expect(probe.asked.map(({ spec }) => spec)).toEqual([
      {
        url: 'http://192.0.2.10/',
        family: 0,
        detail: true,
        follow_redirects: true,
        verify_certificate: false,
        headers: { a: 'b' },
        body_matches: ['x', 'y'],
      },
    ]);
  });
});

describe('labels from strangers', () => {
  it('are escaped, and cut: a certificate chooses them', async () => {
    const hostile = {
      subject: 'CN="a\\b"\nprobe_success{location="eu-fra"} 1\u202e',
      subject_alternative: 'x'.repeat(4_000),
      issuer: '}\r\n# TYPE x counter',
    };
    await using probe = await openProbe({
      'eu-fra': { result: httpResult({ status_code: 500, tls_version: 'TLSv1.3' }, { tls: { ...TLS, ...hostile } }) },
    });
    const { text } = await probe.scrape('target=192.0.2.10&location=eu-fra');
    const [line = ''] = text.split('\n').filter((each) => each.startsWith('probe_ssl_last_chain_info'));
    expect(line).toContain(String.raw`subject="CN=\"a\\b\" probe_success{location=\"eu-fra\"} 1 "`);
    expect(line).toContain('issuer="} # TYPE x counter"');
    expect(line.length).toBeLessThan(1_000);
    expect(text.split('\n').filter((each) => each.startsWith('probe_success'))).toEqual(['probe_success{location="eu-fra"} 0']);
    expect(text).not.toMatch(/[\r\u202e]|^# TYPE x/m);
  });
  it('stand in comments on one line', async () => {
    await using probe = await openProbe({ 'eu-fra': { reason: 'http_protocol', seen: 'x\nprobe_success 1\r\n', result: httpResult() } });
    const { text } = await probe.scrape('target=192.0.2.10&location=eu-fra');
    expect(text.split('\n')[0]).toBe('# eu-fra: The answer is not valid HTTP: x probe_success 1');
  });
});

describe('an icmp module', () => {
  it('has blackbox_exporter’s series, and those of Grafana’s agents for several echoes', async () => {
    expect(await seriesOf({ result: pingResult() }, 'target=192.0.2.10&module=icmp')).toEqual({
      probe_success: 1,
      probe_agent_ok: 1,
      probe_duration_seconds: 0.0166,
      probe_dns_lookup_time_seconds: 0.0015,
      probe_ip_protocol: 4,
      probe_ip_addr_hash: 1886098357,
      'probe_icmp_duration_seconds{phase="resolve"}': 0.0015,
      'probe_icmp_duration_seconds{phase="setup"}': 0.0001,
      'probe_icmp_duration_seconds{phase="rtt"}': 0.015,
      probe_icmp_duration_rtt_min_seconds: 0.012,
      probe_icmp_duration_rtt_max_seconds: 0.018,
      probe_icmp_duration_rtt_stddev_seconds: 0.003,
      probe_icmp_packets_sent_count: 4,
      probe_icmp_packets_received_count: 3,
      probe_icmp_reply_hop_limit: 57,
    });
  });
  it('asks for what its module says', async () => {
    const file = module('{prober: icmp, icmp: {ttl: 5, payload_size: 100, dont_fragment: true}}');
    await using probe = await openProbe({ 'eu-fra': { result: pingResult() } }, { file });
    await probe.scrape('target=192.0.2.10&module=it');
    expect(probe.asked[0]!.spec).toMatchObject({ count: 4, ttl: 5, payload_bytes: 100, dont_fragment: true, detail: true });
  });
});

const SERVER = 'target=192.0.2.53&module=it';
const dnsModule = (more = '') => module(`{prober: dns, dns: {query_name: a.test, query_type: A${more}}}`);

describe('a dns module with a query_name', () => {
  it('asks the target, with blackbox_exporter’s series', async () => {
    expect(await seriesOf({ result: directResult({ serial: 12345 }) }, SERVER, dnsModule())).toEqual({
      probe_success: 1,
      probe_agent_ok: 1,
      probe_duration_seconds: 0.0021,
      probe_dns_lookup_time_seconds: 0,
      probe_ip_protocol: 4,
      probe_ip_addr_hash: 2171317880,
      probe_dns_query_succeeded: 1,
      'probe_dns_duration_seconds{phase="resolve"}': 0,
      'probe_dns_duration_seconds{phase="connect"}': 0.0001,
      'probe_dns_duration_seconds{phase="request"}': 0.002,
      probe_dns_answer_rrs: 1,
      probe_dns_authority_rrs: 0,
      probe_dns_additional_rrs: 0,
      probe_dns_serial: 12345,
    });
  });
  it.each([
    ['192.0.2.53', '192.0.2.53', 53],
    ['192.0.2.53:5353', '192.0.2.53', 5353],
    ['[2001:db8::53]', '2001:db8::53', 53],
    ['[2001:db8::53]:5353', '2001:db8::53', 5353],
    ['2001:db8::53', '2001:db8::53', 53],
  ])('reads the target %s', async (target, host, port) => {
    await using probe = await openProbe(
      { 'eu-fra': { result: directResult() } },
      { file: dnsModule(', transport_protocol: tcp, query_class: CH') },
    );
    expect((await probe.scrape(`module=it&target=${encodeURIComponent(target)}`)).status).toBe(200);
    expect(probe.asked[0]!.spec).toEqual({
      host: 'a.test',
      types: ['A'],
      server: { host, port, transport: 'tcp', recursion: true, class: 3, family: 0 },
    });
  });
  it('may ask for a type that has no name here', async () => {
    await using probe = await openProbe(
      { 'eu-fra': { result: directResult() } },
      { file: module('{prober: dns, dns: {query_name: a.test}}') },
    );
    await probe.scrape(SERVER);
    expect(probe.asked[0]!.spec).toMatchObject({ server: { type: 255 } });
  });
  it.each([':99999', ':0', ':x', ':'])('refuses a port %s', async (port) => {
    await using probe = await openProbe({ 'eu-fra': { result: directResult() } }, { file: dnsModule() });
    expect((await probe.scrape(`module=it&target=192.0.2.53${port}`)).status).toBe(400);
  });
  it.each([
    ['', { rcode: 'NXDOMAIN' }, 'unexpected_rcode'],
    [', valid_rcodes: [NXDOMAIN]', { rcode: 'NXDOMAIN' }, undefined],
    [', validate_answer_rrs: {fail_if_matches_regexp: [192]}', {}, 'unexpected_records'],
    [', validate_answer_rrs: {fail_if_matches_regexp: [never]}', {}, undefined],
    [', validate_answer_rrs: {fail_if_not_matches_regexp: [never]}', {}, 'unexpected_records'],
    [', validate_answer_rrs: {fail_if_not_matches_regexp: ["a.test.\\\\t.*\\\\tIN\\\\tA\\\\t192"]}', {}, undefined],
    [', validate_answer_rrs: {fail_if_all_match_regexp: [IN]}', {}, 'unexpected_records'],
    [', validate_answer_rrs: {fail_if_all_match_regexp: [IN]}', { answer: ['IN', 'CH'] }, undefined],
    [', validate_answer_rrs: {fail_if_none_matches_regexp: [x, CH]}', { answer: ['IN', 'CH'] }, undefined],
    [', validate_answer_rrs: {fail_if_none_matches_regexp: [x]}', {}, 'unexpected_records'],
    [', validate_authority_rrs: {fail_if_not_matches_regexp: [x]}', {}, 'unexpected_records'],
    [', validate_authority_rrs: {fail_if_all_match_regexp: [x]}', {}, undefined],
    [', validate_additional_rrs: {fail_if_matches_regexp: [OPT]}', { additional: ['OPT'] }, 'unexpected_records'],
    [', validate_answer_rrs: {fail_if_matches_regexp: ["^(a+)+$"]}', { answer: [`${'a'.repeat(60)}!`] }, 'pattern_timeout'],
  ])('%s of %j: %s', async (more, changes, reason) => {
    const series = await seriesOf({ result: directResult(changes) }, SERVER, dnsModule(more));
    expect([series['probe_success'], Object.keys(series).filter((name) => name.startsWith('probe_failure_info'))]).toEqual(
      reason === undefined ? [1, []] : [0, [`probe_failure_info{reason="${reason}"}`]],
    );
  });
  it('of a server that says nothing has not succeeded', async () => {
    expect(await seriesOf({ reason: 'dns_timeout' }, SERVER, dnsModule())).toMatchObject({
      probe_success: 0,
      probe_dns_query_succeeded: 0,
      'probe_failure_info{reason="dns_timeout"}': 1,
    });
  });
});

describe('a dns module without one', () => {
  const answer = (changes: object) => ({
    answers: [
      {
        dns_type: 'SOA',
        rcode: 'NOERROR',
        records: [{ serial: 7 }],
        ttl: 60,
        server: '192.0.2.53:53',
        tries: 1,
        request_ms: 2.5,
        authority_rrs: 2,
        additional_rrs: 1,
        ...changes,
      },
    ],
  });
  const SOA = module('{prober: dns, dns: {query_type: SOA, valid_rcodes: [NOERROR, REFUSED]}}');
  const NAME = 'target=example.org&module=it';

  it('asks the resolvers of each location for it', async () => {
    expect(await seriesOf({ result: answer({}) }, NAME, SOA)).toEqual({
      probe_success: 1,
      probe_agent_ok: 1,
      probe_duration_seconds: expect.any(Number),
      probe_dns_query_succeeded: 1,
      probe_dns_lookup_time_seconds: 0,
      'probe_dns_duration_seconds{phase="resolve"}': 0,
      'probe_dns_duration_seconds{phase="connect"}': 0,
      'probe_dns_duration_seconds{phase="request"}': 0.0025,
      probe_dns_answer_rrs: 1,
      probe_dns_authority_rrs: 2,
      probe_dns_additional_rrs: 1,
      probe_dns_serial: 7,
    });
  });
  it('judges an answer by its code', async () => {
    expect(await seriesOf({ reason: 'dns_servfail', result: answer({ rcode: 'REFUSED', records: [] }) }, NAME, SOA)).toMatchObject({
      probe_success: 1,
    });
    expect(await seriesOf({ reason: 'dns_nxdomain', result: answer({ rcode: 'NXDOMAIN', records: [] }) }, NAME, SOA)).toMatchObject({
      probe_success: 0,
      probe_dns_query_succeeded: 1,
      'probe_failure_info{reason="dns_nxdomain"}': 1,
    });
    expect(await seriesOf({ reason: 'dns_timeout', result: answer({ rcode: '', records: [] }) }, NAME, SOA)).toMatchObject({
      probe_success: 0,
      probe_dns_query_succeeded: 0,
      'probe_failure_info{reason="dns_timeout"}': 1,
    });
  });
});

describe('a tcp module', () => {
  const TCP = 'target=192.0.2.10:22&module=it';
  const FILE = module('{prober: tcp}');
  const CONNECTED = {
    probe_success: 1,
    probe_agent_ok: 1,
    probe_duration_seconds: 0.008,
    probe_dns_lookup_time_seconds: 0.00125,
    probe_ip_protocol: 4,
    probe_ip_addr_hash: 1886098357,
    probe_failed_due_to_regex: 0,
    probe_failed_due_to_bytes: 0,
  };

  it('has blackbox_exporter’s series', async () => {
    expect(await seriesOf({ result: tcpResult() }, TCP, FILE)).toEqual(CONNECTED);
  });

  it('has those of TLS and of its labels, each once', async () => {
    const label = [{ name: 'ssh_version', value: 'OpenSSH' }];
    const own = [
      { name: 'location', value: 'taken' },
      { name: 'other', value: 'a"b' },
    ];
    const result = tcpResult(
      { tls: { version: 'TLSv1.2', cipher_suite: 'x', group: '', alpn: '', warnings: [] } },
      { chain: TLS, labels: [label, label, own] },
    );
    const { probe_success, ...rest } = await seriesOf({ result }, TCP, FILE);
    expect([probe_success, rest]).toEqual([
      1,
      expect.objectContaining({
        'probe_expect_info{ssh_version="OpenSSH"}': 1,
        'probe_expect_info{other="a\\"b"}': 1,
        'probe_tls_version_info{version="TLS 1.2"}': 1,
        probe_ssl_earliest_cert_expiry: TLS.earliest_not_after,
        probe_ssl_last_chain_expiry_timestamp_seconds: TLS.verified_not_after,
      }),
    ]);
  });

  it.each([
    ['no_match', 'unexpected_response', 1, 0],
    ['no_bytes', 'unexpected_bytes', 0, 1],
    ['ended', 'unexpected_end', 0, 0],
    ['pattern_timeout', 'pattern_timeout', 0, 0],
  ])('whose script ended with %s fails as %s', async (script, reason, regex, bytes) => {
    expect(await seriesOf({ result: tcpResult({}, { script }) }, TCP, FILE)).toEqual({
      ...CONNECTED,
      probe_success: 0,
      probe_failed_due_to_regex: regex,
      probe_failed_due_to_bytes: bytes,
      [`probe_failure_info{reason="${reason}"}`]: 1,
    });
  });

  it('has zeros for a target that is down, and none for a location that is', async () => {
    const down = { result: tcpResult({ state: 'refused' }, { script: '' }), reason: 'connect_refused' as const };
    expect(await seriesOf(down, TCP, FILE)).toEqual({ ...CONNECTED, probe_success: 0, 'probe_failure_info{reason="connect_refused"}': 1 });
    await using probe = await openProbe({ 'eu-fra': { reason: 'unsupported' }, 'us-ash': { result: tcpResult() } }, { file: FILE });
    const samples = samplesOf((await probe.scrape(TCP)).text);
    expect(samples).toMatchObject({ 'probe_agent_ok{location="eu-fra"}': 0, 'probe_success{location="us-ash"}': 1 });
    expect(samples).not.toHaveProperty('probe_failed_due_to_regex{location="eu-fra"}');
    expect(probe.money).toEqual(['reserve 5 for probe-tcp', 'settle 5']);
    expect(probe.asked[0]).toMatchObject({
      kind: 'tcp',
      spec: { host: '192.0.2.10', port: 22, attempts: 1, script: [], tls: { verify: true } },
    });
  });

  it('wants a port, and for a login a key that may send secrets', async () => {
    await using probe = await openProbe(
      { 'eu-fra': { result: tcpResult() } },
      { file: module('{prober: tcp, tcp: {query_response: [{send: "PASS oauth:x"}]}}'), allowedOperations: null },
    );
    expect((await probe.scrape('target=192.0.2.10&module=tcp_connect')).text).toContain('target must be host:port');
    expect((await probe.scrape('target=192.0.2.10:22&module=tcp_connect')).status).toBe(200);
    expect((await probe.scrape(TCP)).status).toBe(403);
  });
});
