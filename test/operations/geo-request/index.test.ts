import { describe, expect, it } from 'vitest';
import { geoRequest } from '../../../packages/operations/src/geo-request/index.ts';
import { read } from '../answer.ts';

it.each([
  ['http://example.org/', false, 4],
  ['http://example.org/', undefined, 0],
  ['http://example.org/', true, 6],
  ['http://192.0.2.1/', false, 0],
  ['http://[2001:db8::1]/', false, 0],
  ['http://[2001:db8::1]/', true, 0],
])('%s, use_ipv6 %s: IPv%i, 0 for whichever it has', (url, use_ipv6, family) => {
  const query = read(geoRequest, { url, ...(use_ipv6 !== undefined && { use_ipv6 }) });
  expect(geoRequest.job(query)).toEqual({ url, family });
});

it('refuses IPv6 to an IPv4 address', () => {
  expect(() => read(geoRequest, { url: 'http://192.0.2.1/', use_ipv6: true })).toThrow(
    expect.objectContaining({ code: 'parameter_conflict' }),
  );
});

it('sends the user name of a URL beside it, and shows no password', () => {
  const query = read(geoRequest, { url: 'http://user:secret@Example.org/x' });
  expect(geoRequest.job(query)).toEqual({ url: 'http://example.org/x', family: 0, basic: btoa('user:secret') });
  expect(query.requestedUrl).toBe('http://user:***@example.org/x');
});

describe('options', () => {
  const query = (options: object, url = 'http://a.test/') => read(geoRequest, { url, options });
  it('become the job', () => {
    const options = {
      method: 'HEAD' as const,
      headers: { Host: 'b.test', 'x-a': '1' },
      http_versions: ['HTTP/2' as const],
      show_body: 'text' as const,
      show_certificates: true,
    };
    const job = { url: 'http://a.test/', family: 6, ...options, follow_redirects: true, max_redirects: 3 };
    expect(geoRequest.job(query({ ...options, max_redirects: 3, family: 6 }))).toEqual(job);
    expect(geoRequest.job(query({ max_redirects: 0 }))).toEqual({ url: 'http://a.test/', family: 0 });
  });
  it('name a host that is judged as a target', () => {
    expect(geoRequest.further!(query({ headers: { HOST: 'B.test:8080' } }))).toMatchObject({ 'options.headers.host': { host: 'b.test' } });
    expect(geoRequest.further!(query({ headers: { accept: '*/*' } }))).toEqual({});
  });
  it.each([
    [{}, 5],
    [{ max_redirects: 10, show_certificates: true }, 5],
    [{ show_body: 'base64' }, 6],
  ])('%j costs %i', (options, credits) => {
    expect((geoRequest.cost as { of(query: unknown): number }).of(query(options))).toBe(credits);
  });
  it.each([
    [{ method: 'POST' }, 'options.method must be one of GET, HEAD, OPTIONS'],
    [{ body: 'x' }, 'options: body; options takes method'],
    [{ headers: { 'Content-Length': '3' } }, 'Content-Length belongs to the connection'],
    [{ headers: { 'transfer-encoding': 'chunked' } }, 'transfer-encoding belongs to the connection'],
    [{ headers: { host: 'a.test', Host: 'b.test' } }, 'host is there twice'],
    [{ headers: { host: '' } }, 'host is not a host name'],
    [{ headers: { host: 'a.test/path' } }, 'host is not a host name'],
    [{ headers: { 'x-a': 'b\r\nx-b: c' } }, 'options.headers.x-a must match pattern'],
    [{ headers: { 'x a': 'b' } }, 'options.headers.x a is not allowed'],
    [{ headers: { 'x-a': 'b'.repeat(4_097) } }, 'options.headers.x-a must match pattern'],
    [{ headers: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`x-${i}`, ''])) }, 'options.headers must not have more than 32'],
    [{ headers: ['a'] }, 'options.headers must be object'],
    [{ http_versions: ['HTTP/3'] }, 'options.http_versions[0] must be one of HTTP/1.1, HTTP/2'],
    [{ http_versions: [] }, 'options.http_versions'],
    [{ max_redirects: 11 }, 'options.max_redirects must be <= 10'],
    [{ show_body: 'html' }, 'options.show_body must be one of text, base64'],
  ])('refuses %j', (options, sentence) => {
    expect(() => query(options)).toThrow(sentence);
  });
  it('and use_ipv6 exclude each other where both name a family', () => {
    expect(() => read(geoRequest, { url: 'http://a.test/', use_ipv6: false, options: { family: 4 } })).toThrow(
      'use_ipv6 and options.family',
    );
    expect(geoRequest.job(read(geoRequest, { url: 'http://a.test/', use_ipv6: true, options: { method: 'HEAD' } }))).toMatchObject({
      family: 6,
      method: 'HEAD',
    });
  });
});
