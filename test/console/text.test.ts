import { offersOf, understand } from '@vedette/console/subject';
import { defanged, inWords, itemInWords, partsOf, refanged, safeAddress, sizeOf, titleOf, unitOf } from '@vedette/console/text';
import { describe, expect, it } from 'vitest';

describe('what is pasted', () => {
  it.each([
    ['example.org', 'host', 'example.org'],
    ['EXAMPLE.org.', 'host', 'EXAMPLE.org.'],
    ['_dmarc.example.org', 'host', '_dmarc.example.org'],
    ['bücher.example', 'host', 'bücher.example'],
    ['example[.]org', 'host', 'example.org'],
    ['192.0.2.1', 'address', '192.0.2.1'],
    ['192.0.2[.]1', 'address', '192.0.2.1'],
    ['2001:db8::1', 'address', '2001:db8::1'],
    ['[2001:db8::1]', 'address', '2001:db8::1'],
    ['::ffff:192.0.2.1', 'address', '::ffff:192.0.2.1'],
    ['https://example.org/a?b=c', 'url', 'https://example.org/a?b=c'],
    ['hxxps://example[.]org/a', 'url', 'https://example.org/a'],
    ['example.org/path', 'url', 'https://example.org/path'],
    ['jane.doe@example.org', 'email', 'jane.doe@example.org'],
    ['jane[at]example[dot]org', 'email', 'jane@example.org'],
    ['AS64496', 'asn', 'AS64496'],
    ['as64496', 'asn', 'AS64496'],
    ['+44 20 7183 8750', 'phone', '+44 20 7183 8750'],
    ['  example.org \n', 'host', 'example.org'],
  ])('%j is a %s', (text, kind, value) => {
    expect(understand(text)).toEqual({ kind, value });
  });

  it('a port beside a host is kept', () => {
    expect(understand('example.org:8443')).toEqual({ kind: 'host', value: 'example.org', port: 8443 });
    expect(understand('192.0.2.1:22')).toEqual({ kind: 'address', value: '192.0.2.1', port: 22 });
  });

  it.each([
    '',
    ' ',
    'hello world',
    'localhost',
    'javascript:alert(1)',
    'ftp://example.org',
    '300.1.1.1',
    '192.168.1.300',
    '2026-11-28',
    '28.11.2026',
    '12:34:56',
    '1:2:3:4:5:6:7:8:9',
    'a@b@c',
    '12345',
    'x'.repeat(100_000),
  ])('%j is nothing that can be asked about', (text) => {
    expect(understand(text.slice(0, 60))).toBeUndefined();
    expect(understand(text)).toBeUndefined();
  });

  it('is offered to the operations that take it, those of its own kind first', () => {
    const names = (text: string) => offersOf(understand(text)!).map(({ operation }) => operation.name);
    expect(names('192.0.2.1').slice(0, 3)).toEqual(['ip-reputation', 'reverse-ip', 'tor-test']);
    expect(names('192.0.2.1')).not.toContain('spf-validator');
    expect(names('example.org')).toEqual(expect.arrayContaining(['ping-test', 'spf-validator', 'site-trust', 'screenshot']));
    expect(names('jane@example.org')[0]).toBe('email-verify');
    expect(names('AS64496')).toEqual(['asn-info']);
    expect(names('+44 20 7183 8750')).toEqual(['phone-validator']);
    expect(offersOf({ kind: 'eml_base64', value: 'eA==' }).map(({ operation, request }) => [operation.name, request])).toEqual([
      ['eml-insights', { eml_base64: 'eA==' }],
    ]);
    expect(offersOf({ kind: 'image_base64', value: 'eA==' }).map(({ operation }) => operation.name)).toEqual(['qr-scan']);
  });

  it('is a request that can be sent', () => {
    const [request] = offersOf(understand('example.org:8443')!).flatMap((offer) =>
      offer.operation.name === 'tls-check' ? [offer.request] : [],
    );
    expect(request).toEqual({ host: 'example.org', port: 8443 });
  });
});

describe('text of strangers', () => {
  it.each([
    ['plain', [['plain', false]]],
    ['', [['', false]]],
    ['line\nfeed and\ttab', [['line\nfeed and\ttab', false]]],
    [
      'a\u202Ecod.exe',
      [
        ['a', false],
        ['U+202E', true],
        ['cod.exe', false],
      ],
    ],
    [
      '\u200Bpay\u00ADpal',
      [
        ['U+200B', true],
        ['pay', false],
        ['U+00AD', true],
        ['pal', false],
      ],
    ],
    ['\u{E0041}', [['U+E0041', true]]],
    [
      '\u001B[2J',
      [
        ['U+001B', true],
        ['[2J', false],
      ],
    ],
    ['Ünïcödé 中文 👍🏽', [['Ünïcödé 中文 👍🏽', false]]],
  ])('%j shows what is hidden in it', (text, parts) => {
    expect(partsOf(text).map(({ text: shown, isHidden }) => [shown, isHidden])).toEqual(parts);
  });

  it.each([
    ['https://example.org/', 'https://example.org/'],
    ['http://example.org', 'http://example.org/'],
    ['mailto:jane@example.org', 'mailto:jane@example.org'],
    ['/ask/ping-test?host=example.org', '/ask/ping-test?host=example.org'],
    ['javascript:alert(1)', undefined],
    ['JaVaScRiPt:alert(1)', undefined],
    ['java\tscript:alert(1)', undefined],
    ['\u0000javascript:alert(1)', undefined],
    [' javascript:alert(1)', undefined],
    ['data:text/html,<script>alert(1)</script>', undefined],
    ['vbscript:x', undefined],
    ['blob:https://example.org/x', undefined],
    ['//evil.example/', undefined],
    ['/\\evil.example/', undefined],
    ['/\t/evil.example/', undefined],
    ['/a/..//evil.example/', undefined],
    ['ask', undefined],
  ])('%j becomes the link %j', (address, link) => {
    expect(safeAddress(address)).toBe(link);
  });

  it('is defanged, and back', () => {
    expect(defanged('https://evil.example/a.b')).toBe('hxxps://evil[.]example/a[.]b');
    expect(defanged('jane@example.org')).toBe('jane[@]example[.]org');
    expect(refanged(defanged('https://evil.example/a.b'))).toBe('https://evil.example/a.b');
  });
});

it('names of fields become headings and units', () => {
  expect(
    [
      'elapsed_ms',
      'is_tor_exit',
      'ip_address',
      'file_size_bytes',
      'html_files_bytes',
      'domain_age_in_days',
      'days_since_created',
      '2xx_status_codes',
      'spf_record',
      'asn',
    ].map((name) => [titleOf(name), unitOf(name)]),
  ).toEqual([
    ['Elapsed', 'ms'],
    ['Tor exit', ''],
    ['IP address', ''],
    ['File size', 'B'],
    ['HTML files size', 'B'],
    ['Domain age', 'days'],
    ['Days since created', 'days'],
    ['2xx status codes', ''],
    ['SPF record', ''],
    ['ASN', ''],
  ]);
  expect([unitOf('avg', 'rtt'), unitOf('avg', 'stats')]).toEqual(['ms', '']);
  expect(itemInWords('not_checked', 'hsts.preloaded')).toBe('HSTS: Preloaded');
  expect(itemInWords('constructor', 'is_tor')).toBe('is_tor');
  expect(itemInWords('unknown', 'a sentence of_a stranger')).toBe('a sentence of_a stranger');
  expect(inWords('older_than_10_years')).toBe('Older than 10 years');
  expect([unitOf('ttl', 'a'), unitOf('ttl', 'icmp_requests')]).toEqual(['s', '']); // of a record, of a packet
  expect([0, 999, 1_000, 2_449_000].map(sizeOf)).toEqual(['0 B', '999 B', '1.0 kB', '2.4 MB']);
});
