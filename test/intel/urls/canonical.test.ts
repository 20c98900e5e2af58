import { describe, expect, it } from 'vitest';
import { canonicalText, canonicalUrl, exactExpression, expressionsOf } from '@vedette/intel/urls';

const text = (url: string | Uint8Array): string | undefined => {
  const parsed = canonicalUrl(url);
  return parsed && canonicalText(parsed);
};

describe('canonical forms: the vectors of "URLs and Hashing"', () => {
  it.each([
    ['http://host/%25%32%35', 'http://host/%25'],
    ['http://host/%25%32%35%25%32%35', 'http://host/%25%25'],
    ['http://host/%2525252525252525', 'http://host/%25'],
    ['http://host/asdf%25%32%35asd', 'http://host/asdf%25asd'],
    ['http://host/%%%25%32%35asd%%', 'http://host/%25%25%25asd%25%25'],
    ['http://www.google.com/', 'http://www.google.com/'],
    [
      'http://%31%36%38%2e%31%38%38%2e%39%39%2e%32%36/%2E%73%65%63%75%72%65/%77%77%77%2E%65%62%61%79%2E%63%6F%6D/',
      'http://168.188.99.26/.secure/www.ebay.com/',
    ],
    [
      'http://195.127.0.11/uploads/%20%20%20%20/.verify/.eBaysecure=updateuserdataxplimnbqmn-xplmvalidateinfoswqpcmlx=hgplmcx/',
      'http://195.127.0.11/uploads/%20%20%20%20/.verify/.eBaysecure=updateuserdataxplimnbqmn-xplmvalidateinfoswqpcmlx=hgplmcx/',
    ],
    [
      'http://host%23.com/%257Ea%2521b%2540c%2523d%2524e%25f%255E00%252611%252A22%252833%252944_55%252B',
      'http://host%23.com/~a!b@c%23d$e%25f^00&11*22(33)44_55+',
    ],
    ['http://3279880203/blah', 'http://195.127.0.11/blah'],
    ['http://www.google.com/blah/..', 'http://www.google.com/'],
    ['www.google.com/', 'http://www.google.com/'],
    ['www.google.com', 'http://www.google.com/'],
    ['http://www.evil.com/blah#frag', 'http://www.evil.com/blah'],
    ['http://www.GOOgle.com/', 'http://www.google.com/'],
    ['http://www.google.com.../', 'http://www.google.com/'],
    ['http://www.google.com/foo\tbar\rbaz\n2', 'http://www.google.com/foobarbaz2'],
    ['http://www.google.com/q?', 'http://www.google.com/q?'],
    ['http://www.google.com/q?r?', 'http://www.google.com/q?r?'],
    ['http://www.google.com/q?r?s', 'http://www.google.com/q?r?s'],
    ['http://evil.com/foo#bar#baz', 'http://evil.com/foo'],
    ['http://evil.com/foo;', 'http://evil.com/foo;'],
    ['http://evil.com/foo?bar;', 'http://evil.com/foo?bar;'],
    [Buffer.from('http://\u0001\u0080.com/', 'latin1'), 'http://%01%80.com/'],
    ['http://notrailingslash.com', 'http://notrailingslash.com/'],
    ['http://www.gotaport.com:1234/', 'http://www.gotaport.com/'],
    ['  http://www.google.com/  ', 'http://www.google.com/'],
    ['http:// leadingspace.com/', 'http://%20leadingspace.com/'],
    ['http://%20leadingspace.com/', 'http://%20leadingspace.com/'],
    ['%20leadingspace.com/', 'http://%20leadingspace.com/'],
    ['https://www.securesite.com/', 'https://www.securesite.com/'],
    ['http://host.com/ab%23cd', 'http://host.com/ab%23cd'],
    ['http://host.com//twoslashes?more//slashes', 'http://host.com/twoslashes?more//slashes'],
  ])('%j', (url, canonical) => expect(text(url)).toBe(canonical));
});

describe('canonical forms: the vectors of google/safebrowsing, with the query that the document keeps', () => {
  it.each([
    ['ftp://ftp.myfiles.com/', 'ftp://ftp.myfiles.com/'],
    ['http://some%1bhost.com/%1b', 'http://some%1Bhost.com/%1B'],
    ['http://www.google.com/q?r?s%3F', 'http://www.google.com/q?r?s?'],
    ['http://www.\u00fcmlat.com/', 'http://www.xn--mlat-zra.com/'],
    ['http://[2001:470:1:18::114]/', 'http://[2001:470:1:18::114]/'],
    ['http%3A%2F%2Fwackyurl.com:80/', 'http://wackyurl.com/'],
    ['http://W!eird<>Ho$^.com/', 'http://w!eird<>ho$^.com/'],
    ['http://i.have.way.too.many.dots.com/', 'http://i.have.way.too.many.dots.com/'],
    ['http://google.com.:8080/foo.html', 'http://google.com/foo.html'],
    ['http://google...com/foo.html', 'http://google.com/foo.html'],
    ['http://..google.com/foo.html', 'http://google.com/foo.html'],
    ['http://[FEDC:BA98:7654:3210:FEDC:BA98:7654:3210]:80/index.html', 'http://[fedc:ba98:7654:3210:fedc:ba98:7654:3210]/index.html'],
    ['http://0x12.0x43.0x44.0x01', 'http://18.67.68.1/'],
    ['http://a.com/foo/.././bar/./../foo.html', 'http://a.com/foo.html'],
    ['http://a.com//a//b///c////', 'http://a.com/a/b/c/'],
  ])('%s', (url, canonical) => expect(text(url)).toBe(canonical));

  it.each(['', ':', '/blah', '#ref', '/blah#ref', '?query#ref', '/blah?query#ref', '/blah;param', 'http://#ref', 'http:///blah#ref',
    'http://?query#ref', 'http:///blah?query#ref', 'http:///blah;param', 'http:///blah;param?query#ref', 'mailto:bryner@google.com',
  ])('%j has no host', (url) => expect(canonicalUrl(url)).toBeUndefined()); // prettier-ignore

  it.each([
    ['123.123.0.0.1', undefined],
    ['255.0.0.1', '255.0.0.1'],
    ['12.0x12.01234', '12.18.2.156'],
    ['276.2.3', '20.2.0.3'],
    ['012.034.01.055', '10.28.1.45'],
    ['0x12.0x43.0x44.0x01', '18.67.68.1'],
    ['167838211', '10.1.2.3'],
    ['3279880203', '195.127.0.11'],
    ['4294967295', '255.255.255.255'],
    ['10.192.95.89 xy', '10.192.95.89'],
    ['1.2.3.00x0', undefined],
  ])('the address %s', (host, address) => {
    const found = canonicalUrl(`http://${host}/`)?.host;
    expect(found).toBe(address ?? host);
  });

  it('addresses that wrap one of IPv4 are that', () => {
    expect(text('http://[::ffff:1.2.3.4]/a')).toBe('http://1.2.3.4/a');
    expect(text('http://[64:ff9b::1.2.3.4]/a')).toBe('http://1.2.3.4/a');
    expect(text('http://[2001:0db8:0000::1]/')).toBe('http://[2001:db8::1]/');
  });
});

it('what stands before the last @ is not the host', () => {
  expect(text('https://paypal.com@evil.example/a')).toBe('https://evil.example/a');
  expect(text('https://user:pass@www.bank.example@evil.example:8443/a')).toBe('https://evil.example/a');
});

it('takes escapes that were escaped a thousand times in one pass', () => {
  expect(text(`http://host/%${'25'.repeat(4_000)}41`)).toBe('http://host/A');
});

describe('expressions', () => {
  const of = (url: string) => expressionsOf(canonicalUrl(url)!);

  it.each([
    ['http://a.b.com/1/2.html?param=1/2', ['a.b.com/1/2.html?param=1/2', 'a.b.com/1/2.html', 'a.b.com/1/', 'a.b.com/', 'b.com/1/2.html?param=1/2', 'b.com/1/2.html', 'b.com/1/', 'b.com/']],
    ['http://a.b.c.d.e.f.com/1.html', ['a.b.c.d.e.f.com/1.html', 'a.b.c.d.e.f.com/', 'c.d.e.f.com/1.html', 'c.d.e.f.com/', 'd.e.f.com/1.html', 'd.e.f.com/', 'e.f.com/1.html', 'e.f.com/', 'f.com/1.html', 'f.com/']],
    ['http://1.2.3.4/1/', ['1.2.3.4/1/', '1.2.3.4/']],
    ['http://example.co.uk/1', ['example.co.uk/1', 'example.co.uk/']],
    ['http://a.b.c/1/2/3/4/5/', ['a.b.c/1/2/3/4/5/', 'a.b.c/1/2/3/', 'a.b.c/1/2/', 'a.b.c/1/', 'a.b.c/', 'b.c/1/2/3/4/5/', 'b.c/1/2/3/', 'b.c/1/2/', 'b.c/1/', 'b.c/']],
    ['http://a.b/?', ['a.b/']],
    ['http://[2001:470:1:18::114]/a/b', ['[2001:470:1:18::114]/a/b', '[2001:470:1:18::114]/a/', '[2001:470:1:18::114]/']],
    ['http://b/', ['b/']],
    ['http://someone.github.io/x', ['someone.github.io/x', 'someone.github.io/']],
  ])('%s', (url, expressions) => expect(of(url)).toEqual(expressions)); // prettier-ignore

  it('are at most thirty, and the URL itself is the first', () => {
    const url = 'http://a.b.c.d.e.f.g.com/1/2/3/4/5.html?q=1';
    expect(of(url)).toHaveLength(30);
    expect(of(url)[0]).toBe(exactExpression(canonicalUrl(url)!));
  });
});
