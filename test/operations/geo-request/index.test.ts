import { expect, it } from 'vitest';
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
