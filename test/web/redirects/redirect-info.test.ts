import { redirectInfo, type RedirectInfo, rootOf } from '@vedette/web/redirects';
import { describe, expect, it } from 'vitest';

/** Of each boolean: what it is true of, and what is nearly that. */
const ROWS: [what: keyof RedirectInfo, from: string, to: string, near: [from: string, to: string]][] = [
  ['http_to_https', 'http://a.test/', 'https://b.test/x', ['http://a.test/', 'http://a.test:443/']],
  ['https_to_http', 'https://a.test/', 'http://b.test/x', ['http://a.test/', 'https://a.test/']],
  ['non_www_to_www', 'http://a.test/', 'https://www.a.test/', ['http://a.test/', 'http://www.b.test/']],
  ['www_to_non_www', 'http://www.a.test/', 'http://a.test/', ['http://www.a.test/', 'http://www2.a.test/']],
  ['external_redirect', 'https://a.co.uk/', 'https://b.co.uk/', ['https://x.a.co.uk/', 'https://y.a.co.uk/']],
  ['same_origin', 'https://a.test/x', 'https://a.test:443/y', ['https://a.test/', 'https://a.test:8443/']],
  ['cross_origin', 'https://a.test/', 'https://www.a.test/', ['https://a.test/', 'https://A.test/x']],
  ['same_scheme', 'https://a.test/', 'https://b.test/', ['http://a.test/', 'https://a.test/']],
  ['same_domain', 'https://x.a.co.uk/', 'http://a.co.uk/', ['https://x.a.co.uk/', 'https://x.b.co.uk/']],
  ['same_host', 'https://a.test/', 'http://a.test:8080/', ['https://a.test/', 'https://www.a.test/']],
  ['same_port', 'http://a.test:443/', 'https://b.test/', ['http://a.test/', 'https://a.test/']],
];

describe.each(ROWS)('%s', (what, from, to, near) => {
  it(`is true of ${from} to ${to}`, () => {
    expect(redirectInfo(from, to)[what]).toBe(true);
  });
  it(`is false of ${near[0]} to ${near[1]}`, () => {
    expect(redirectInfo(...near)[what]).toBe(false);
  });
});

it('names of IDNs, trailing dots and capitals are the same host', () => {
  expect(redirectInfo('https://Bücher.test/', 'https://xn--bcher-kva.test./')).toMatchObject({ same_host: true, same_origin: true });
});

it('hosts without a registrable domain are domains of their own', () => {
  expect(redirectInfo('http://192.0.2.1/', 'http://198.51.2.1/')).toMatchObject({ external_redirect: true, same_domain: false });
  expect(redirectInfo('http://192.0.2.1/', 'https://192.0.2.1/')).toMatchObject({ external_redirect: false, same_host: true });
  expect(redirectInfo('http://[2001:db8::1]/', 'http://[2001:db8::2]/')).toMatchObject({ external_redirect: true });
  expect(rootOf('a.b.example.co.uk')).toBe('example.co.uk');
});

it('what is no web page is another origin, host and domain', () => {
  expect(redirectInfo('https://a.test/', 'mailto:me@a.test')).toMatchObject({
    external_redirect: true,
    cross_origin: true,
    same_host: false,
    same_scheme: false,
  });
});
