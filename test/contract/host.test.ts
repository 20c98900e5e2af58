import { isProtectedHost, isSpecialUseName, parseHost, parseHttpUrl } from '@vedette/contract';
import { describe, expect, it } from 'vitest';

describe('parseHost', () => {
  it.each([
    ['example.org', { kind: 'name', host: 'example.org' }],
    ['EXAMPLE.Org.', { kind: 'name', host: 'example.org' }],
    ['bücher.example', { kind: 'name', host: 'xn--bcher-kva.example' }],
    ['example.ｇｏｖ', { kind: 'name', host: 'example.gov' }],
    ['_dmarc.example.org', { kind: 'name', host: '_dmarc.example.org' }],
    ['192.0.2.1', { kind: 'ipv4', host: '192.0.2.1' }],
    ['127.1', { kind: 'ipv4', host: '127.0.0.1' }],
    ['0x7f.1', { kind: 'ipv4', host: '127.0.0.1' }],
    ['0177.0.0.1', { kind: 'ipv4', host: '127.0.0.1' }],
    ['2130706433', { kind: 'ipv4', host: '127.0.0.1' }],
    ['127.0.0.1.', { kind: 'ipv4', host: '127.0.0.1' }],
    ['①②⑦.⓪.⓪.①', { kind: 'ipv4', host: '127.0.0.1' }],
    ['127。0。0。1', { kind: 'ipv4', host: '127.0.0.1' }],
    ['::1', { kind: 'ipv6', host: '::1' }],
    ['[2001:DB8::0:1]', { kind: 'ipv6', host: '2001:db8::1' }],
  ])('%j is %o', (text, expected) => {
    expect(parseHost(text)).toEqual(expected);
  });

  it.each([
    '',
    '.',
    'a..b',
    'a b',
    '-f',
    '-oProxyCommand=x.test',
    '$(id).test',
    '8.8.8.8 -f',
    'a.test\r\nHELO',
    'exa%00mple.test',
    'a/b',
    'a?b',
    'a#b',
    'u@h',
    'h:80',
    '[::1',
    '::1%eth0',
    'xn--',
    '1.2.3.4.5',
    '1.2.3.999',
    `${'a'.repeat(64)}.test`,
    `${'a.'.repeat(130)}test`,
    'a\\b',
    "a'b",
    'a\u0000b',
  ])('refuses %j', (text) => {
    expect(parseHost(text)).toBeUndefined();
  });
});

describe('parseHttpUrl', () => {
  it('normalises and says host and port', () => {
    const parsed = parseHttpUrl(' HTTPS://Example.org/a?b#c ');
    expect({ ...parsed, url: parsed?.url.href }).toEqual({ kind: 'name', host: 'example.org', port: 443, url: 'https://example.org/a?b' });
  });
  it.each([
    ['http://127.1/', '127.0.0.1'],
    ['http://0/', '0.0.0.0'],
    ['http://%31%32%37.0.0.1/', '127.0.0.1'],
    ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
    ['http://[::]/', '::'],
  ])('%s names %s', (text, host) => {
    expect(parseHttpUrl(text)?.host).toBe(host);
  });
  it.each([
    'example.org',
    'ftp://example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://user:pw@example.org/',
    'http://@example.org/',
    'http:\\\\127.0.0.1\\',
    'http://evil.test\\@127.0.0.1/',
    'ht\ntp://127.0.0.1',
    'http://example.org:0/',
    'http://example.org:65536/',
    'http://',
    'http://a b/',
    'http://[fe80::1%25eth0]/',
    'http:example.org',
  ])('refuses %j', (text) => {
    expect(parseHttpUrl(text)).toBeUndefined();
  });
});

describe('isProtectedHost', () => {
  it.each([
    'example.gov',
    'www.example.mil',
    'mit.edu',
    'x.ac.uk',
    'ac.uk',
    'x.gouv.fr',
    'x.go.jp',
    'x.gob.mx',
    'x.gub.uy',
    'x.govt.nz',
    'x.gov.uk',
    'x.edu.au',
    'lincoln.k12.ca.us',
    'dmv.state.ny.us',
    'europa.eu',
    'ec.europa.eu',
    'www.admin.ch',
    'canada.gc.ca',
  ])('%s is protected', (host) => {
    expect(isProtectedHost(host)).toBe(true);
  });
  it.each(['notgov.com', 'education.com', 'gov.com', 'edu.example.org', 'goo.gl', 'fac.uk', 'myeuropa.eu', 'example.org', 'go.com'])(
    '%s is not',
    (host) => {
      expect(isProtectedHost(host)).toBe(false);
    },
  );
});

describe('isSpecialUseName', () => {
  it.each([
    'localhost',
    'foo.localhost',
    'printer.local',
    'db.internal',
    'kubernetes.default.svc.cluster.local',
    'kubernetes.default.svc',
    'x.onion',
    'router.home.arpa',
    '1.0.0.127.in-addr.arpa',
    '4.3.2.10.in-addr.arpa',
    '1.1.16.172.in-addr.arpa',
    '1.0.168.192.in-addr.arpa',
    '254.169.254.169.in-addr.arpa',
    '1.0.0.0.d.f.ip6.arpa',
    'e.f.b.e.f.ip6.arpa',
    'host.corp.example',
  ])('%s must not be asked for', (host) => {
    expect(isSpecialUseName(host, ['corp.example'])).toBe(true);
  });
  it.each(['example.org', 'local.example.org', '8.8.8.8.in-addr.arpa', '1.1.32.172.in-addr.arpa', 'a.test', 'corp.example.org', 'com'])(
    '%s may',
    (host) => {
      expect(isSpecialUseName(host, ['corp.example'])).toBe(false);
    },
  );
});
