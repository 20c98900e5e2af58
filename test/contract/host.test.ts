import { isProtectedHost, isSpecialUseName, parseHost, parseHttpUrl, parseWebUrl, shownUrl } from '@vedette/contract/net';
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
    expect({ ...parsed, url: parsed?.url.href }).toEqual({
      kind: 'name',
      host: 'example.org',
      port: 443,
      url: 'https://example.org/a?b',
      fragment: '#c',
      username: '',
      password: '',
    });
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

describe('parseWebUrl', () => {
  const basic = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding).toString('base64');

  it.each([
    ['http://www.paypal.com@evil.test/login', 'evil.test', basic('www.paypal.com:')],
    ['http://user:secret@a.test/', 'a.test', basic('user:secret')],
    ['http://a:b@c@d.test/', 'd.test', basic('a:b@c')],
    ['http://a@b:c@10.0.0.7/', '10.0.0.7', basic('a@b:c')],
    ['http://www.irs.gov:443@127.0.0.1/', '127.0.0.1', basic('www.irs.gov:443')],
    ['http://a.test@www.irs.gov/', 'www.irs.gov', basic('a.test:')],
    ['http://www.irs.gov%2F@a.test/', 'a.test', basic('www.irs.gov/:')],
    ['http://a.test%40b.test:p%3Aw@c.test/', 'c.test', basic('a.test@b.test:p:w')],
    ['http://%E4:%ff%00@a.test/', 'a.test', basic('\u00e4:\u00ff\0', 'latin1')],
    ['http://100%:50%25@a.test/', 'a.test', basic('100%:50%')],
    ['http://:secret@a.test/', 'a.test', basic(':secret')],
    ['http://user:@a.test/', 'a.test', basic('user:')],
    ['http:///user:secret@a.test/', 'a.test', basic('user:secret')],
    ['http://@a.test/', 'a.test', undefined],
    ['http://:@a.test/', 'a.test', undefined],
    ['http://a.test/@b.test', 'a.test', undefined],
    ['http://a.test?@b.test', 'a.test', undefined],
    ['http://a.test#@b.test', 'a.test', undefined],
  ])('%s is of %s', (text, host, expected) => {
    const parsed = parseWebUrl(text);
    expect([parsed?.host, parsed?.basic]).toEqual([host, expected]);
    expect(parsed?.url.href.split(/[?#]/)[0]).toMatch(/^http:\/\/[^@]*\/(?:login|@b\.test)?$/);
  });

  it.each([
    'http://good.test\\@evil.test/',
    'http://good.test%40evil.test/',
    'http://user@/',
    'http://user:pw@',
    'http://user@a b/',
    'http://us\ter@a.test/',
    'ftp://user@a.test/',
  ])('refuses %j', (text) => {
    expect(parseWebUrl(text)).toBeUndefined();
  });
});

it.each([
  ['http://user:secret@a.test/x?y#z', 'http://user:***@a.test/x?y#z'],
  ['http:///user:secret@a.test/', 'http://user:***@a.test/'],
  ['http://a:b@secret@d.test/', 'http://a:***@d.test/'],
  ['//user:secret@a.test/', 'https://user:***@a.test/'],
  ['http://:secret@a.test/', 'http://:***@a.test/'],
  ['HTTP://www.paypal.com@Evil.test/a b', 'HTTP://www.paypal.com@Evil.test/a b'],
  ['http://a.test/x:y@z', 'http://a.test/x:y@z'],
  ['/x:y@z', '/x:y@z'],
  ['mailto:me@a.test', 'mailto:me@a.test'],
  ['not a URL: x:y@z', 'not a URL: x:y@z'],
  ['', ''],
])('%j is shown as %j', (text, shown) => {
  expect(shownUrl(text)).toBe(shown);
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
    // Only organisations founded by treaties are under .int, and the missions of states under un.int.
    'un.int',
    'www.who.int',
    'uni-heidelberg.de',
    'www.fh-aachen.de',
    'univ-paris.fr',
    'sch.uk',
  ])('%s is protected', (host) => {
    expect(isProtectedHost(host)).toBe(true);
  });
  it.each([
    'notgov.com',
    'education.com',
    'gov.com',
    'edu.example.org',
    'goo.gl',
    'fac.uk',
    'myeuropa.eu',
    'example.org',
    'go.com',
    'go.de',
    'ac.de',
    'int.example.org',
    'hs-sites.com',
    'hs-analytics.net',
    'uni-watch.com',
  ])('%s is not', (host) => {
    expect(isProtectedHost(host)).toBe(false);
  });
});

describe('government and educational names in their own script', () => {
  // All of these passed before: only Latin labels were known.
  it.each(
    `सरकार.भारत www.सरकार.भारत সরকার.ভারত સરકાર.ભારત ਸਰਕਾਰ.ਭਾਰਤ ପୁରୀ.ସରକାର.ଭାରତ அரசு.இந்தியா ప్రభుత్వం.భారత్
    政府.香港 www.政府.香港 教育.香港 政府.hk 敎育.hk 政府.澳門 政务.中国 北京.政务
    รัฐบาล.ไทย ทหาร.ไทย มจธ.ศึกษา.ไทย упр.срб обр.срб ак.срб правительство.рф
    ממשל.ישראל צהל.ישראל אקדמיה.ישראל حكومة.مصر سرکار.بھارت 정부.한국`.split(/\s+/),
  )('%s is protected', (text) => {
    expect(isProtectedHost(parseHost(text)!.host)).toBe(true);
  });
  it.each(
    `例え.jp 教育.jp 教育.com 谷歌.公司 www.香港大酒店.香港 ак.рф яндекс.рф москва.рф президент.онлайн упр.бг
    भारत.कॉम दैनिक.भारत موقع.وزارة.مصر דומיין.ישראל ไทย.com θ.ελ münchen.de straße.de 삼성.한국 みんな.みんな`.split(/\s+/),
  )('%s is not', (text) => {
    expect(isProtectedHost(parseHost(text)!.host)).toBe(false);
  });
});

it('leaves alone the names that people measure every day', () => {
  const names =
    `google youtube facebook instagram wikipedia whatsapp reddit amazon yahoo yandex baidu bing netflix linkedin office microsoft
    live github gitlab stackoverflow cloudflare akamai fastly apple icloud samsung intel nvidia oracle ibm salesforce adobe dropbox slack
    zoom discord telegram signal twitch spotify steampowered paypal stripe visa mastercard ebay etsy shopify walmart aliexpress alibaba
    taobao tencent weibo tiktok bytedance bbc cnn nytimes theguardian lemonde spiegel elpais repubblica asahi naver daum kakao rakuten
    mozilla debian ubuntu kernel python nodejs rust-lang golang php postgresql nginx apache docker kubernetes npmjs pypi wordpress medium
    internal-affairs local home lan corp private intranet localhost invalid onion alt svc govern militaria education edumedia academia`.split(
      /\s+/,
    );
  const suffixes = ['com', 'org', 'net', 'io', 'dev', 'de', 'fr', 'co.uk', 'com.br', 'co.jp', 'in', 'рф', '中国'];
  const hosts = names.flatMap((name) => suffixes.map((suffix) => parseHost(`${name}.${suffix}`)!.host));
  expect(hosts.length).toBeGreaterThan(1_000);
  expect(hosts.filter((host) => isProtectedHost(host) || isSpecialUseName(host, ['corp.example']))).toEqual([]);
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
