import { agreementsOf, chainOf, endInWords, endOf, failedTests, fixOf, layOut, pathOf, phasesOf } from '@vedette/console/views';
import { describe, expect, it } from 'vitest';

describe('the phases of a request', () => {
  it('follow each other, and end at its total time', () => {
    const phases = phasesOf({ timings: { dns_ms: 10, connect_ms: 12, tls_ms: 11, ttfb_ms: 49, total_ms: 50 } });
    expect(phases).toEqual([
      { name: 'DNS', from: 0, ms: 10 },
      { name: 'Connect', from: 10, ms: 12 },
      { name: 'TLS', from: 22, ms: 11 },
      { name: 'First byte', from: 33, ms: 16 },
      { name: 'Transfer', from: 49, ms: 1 },
    ]);
    expect(endOf(phases)).toBe(50);
  });

  it('end with silence where no byte came', () => {
    expect(phasesOf({ timings: { dns_ms: 5, connect_ms: 0, tls_ms: 0, ttfb_ms: 0, total_ms: 100 } })).toEqual([
      { name: 'DNS', from: 0, ms: 5 },
      { name: 'No answer', from: 5, ms: 95 },
    ]);
  });

  it.each([{}, { timings: null }, { timings: { dns_ms: -4, total_ms: 'soon' } }])('of %j are none', (output) => {
    expect(phasesOf(output)).toEqual([]);
  });
});

describe('the agreement about a name', () => {
  const summary = {
    dns_type: 'A',
    answers: [
      { status: 'NOERROR', records: ['192.0.2.2'], locations: ['sg-sin'] },
      { status: 'NOERROR', records: ['192.0.2.1', '192.0.2.9'], locations: ['eu-fra', 'us-ash'] },
    ],
    authoritative: [
      { server: 'ns1', status: 'NOERROR', records: ['192.0.2.9', '192.0.2.1'] },
      { server: 'ns2', status: 'SERVFAIL', records: [] },
    ],
    authoritative_error: '',
  };

  it('has the answer of most locations first, and those that the zone alone gives', () => {
    const [agreement] = agreementsOf({ summary: [summary] });
    expect(agreement!.answers.map(({ status, records, locations, servers }) => [status, records.length, [...locations], servers])).toEqual([
      ['NOERROR', 2, ['eu-fra', 'us-ash'], 1],
      ['NOERROR', 1, ['sg-sin'], 0],
      ['SERVFAIL', 0, [], 1],
    ]);
    expect(agreement!.servers).toBe(2);
  });

  it.each([{}, { summary: 'x' }, { summary: [null, 3] }])('of %j is none', (report) => {
    expect(agreementsOf(report)).toEqual([]);
  });
});

describe('paths from many places', () => {
  const output = (addresses: string[], reached = true) => ({
    reached,
    stopped_by: reached ? 'target' : 'silence',
    hops: addresses.map((ip_address) => ({ rtt: { avg: 5 }, answers: ip_address === '' ? [] : [{ ip_address, packets_received: 3 }] })),
  });

  it('meet where they pass the same address, counted from the target', () => {
    const paths = [
      pathOf('a', output(['198.51.100.1', '203.0.113.9', '192.0.2.10'])),
      pathOf('b', output(['198.51.100.2', '', '203.0.113.9', '192.0.2.10'])),
      pathOf('c', output(['198.51.100.2', '', '', ''], false)),
    ];
    const { columns, lines } = layOut(paths);
    expect(columns).toBe(4);
    expect(lines.map((line) => line.map(({ column }) => column))).toEqual([
      [1, 2, 3],
      [0, 1, 2, 3],
      [0, 1, 2, 3],
    ]);
    expect(lines[0]!.at(-1)).toBe(lines[1]!.at(-1));
    expect(lines[1]![0]).toBe(lines[2]![0]);
    // Silence is nobody's: two silent hops are not one router.
    expect(lines[1]![1]).not.toBe(lines[2]![1]);
    expect(lines[0]![1]).toMatchObject({ row: 0.5, paths: [0, 1] });
    expect(paths.map(endInWords)).toEqual(['reached the target', 'reached the target', 'no later hop answered']);
  });

  it('of a stranger stay in the picture, however long they are', () => {
    const { columns, lines } = layOut([
      pathOf('a', output(Array.from({ length: 10_000 }, () => '192.0.2.1'))),
      pathOf('b', output(['192.0.2.1'], false)),
      pathOf('c', { hops: 'x', stopped_by: 'constructor' }),
    ]);
    expect(columns).toBe(64);
    expect(lines.flat().every(({ column }) => column >= 0 && column < 64)).toBe(true);
  });
});

describe('what to change', () => {
  it.each([
    [{ send: 'X-Content-Type-Options: nosniff' }, 'Send', 'X-Content-Type-Options: nosniff'],
    [
      { code: 'CAA_MISSING', message: 'Any may. To restrict that, publish a.test. CAA 0 issue "ca.test"' },
      'Publish',
      'a.test. CAA 0 issue "ca.test"',
    ],
    [
      { code: 'DMARC_NOT_FOUND', message: 'There is no record. Publish "v=DMARC1; p=none; rua=mailto:…" as a start' },
      'Publish',
      '_dmarc.a.test. TXT "v=DMARC1; p=none; rua=mailto:…"',
    ],
  ])('of %j is %s %s', (finding, does, text) => {
    expect(fixOf({ dmarc_host: '_dmarc.a.test' }, finding)).toMatchObject({ does, text });
  });

  it.each([
    { send: '' },
    { code: 'constructor', message: 'Publish "v=spf1 +all"' },
    { code: 'SPF_SYNTAX', message: 'It says: Publish "v=spf1 +all"' },
    { code: 'CAA_MISSING', message: 'publish a.test. CAA 0 issue "ca.test" and pay' },
  ])('of %j is nothing: a stranger may have written it', (finding) => {
    expect(fixOf({}, finding)).toBeUndefined();
  });

  it('is said once for each line of failed tests', () => {
    const test = (name: string, passed: boolean, send: string) => ({ name, passed, send, message: 'm', recommendation: 'r' });
    const tests = [test('a', false, 'A: 1'), test('b', false, 'A: 1'), test('c', true, 'C: 1'), test('d', false, '')];
    expect(failedTests({ tests }).map(({ name, line }) => [name, line.text])).toEqual([['a', 'A: 1']]);
  });
});

describe('a chain', () => {
  it('of redirects has a step for each answer', () => {
    const chain = [
      {
        url: 'https://a.test/',
        status_code: 302,
        status_message: 'Found',
        redirect_type: 'location',
        redirect_info: { https_to_http: true },
        elapsed_ms: 8,
      },
      { url: 'http://b.test/', status_code: 200, status_message: 'OK', redirect_type: '', elapsed_ms: 2 },
    ];
    expect(chainOf('url-status', { chain })).toEqual({
      heading: 'Redirects',
      steps: [
        { title: 'https://a.test/', notes: ['302 Found', 'by location', 'leaves https', '8 ms'], tone: 'warn' },
        { title: 'http://b.test/', notes: ['200 OK', '2 ms'], tone: 'good' },
      ],
    });
  });

  it('of one step, or of none, is not drawn', () => {
    expect(chainOf('ssl-info', { chain: [{ subject: 'CN=a' }] })).toBeUndefined();
    expect(chainOf('security-headers', { redirects: 'x' })).toBeUndefined();
    expect(chainOf('ping-test', { chain: [{}, {}] })).toBeUndefined();
  });
});
