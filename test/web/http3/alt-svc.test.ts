import { describe, expect, it } from 'vitest';
import { readAltSvc } from '@vedette/web/http3';

const service = (alpn: string, host: string, port: number, maxAge = 86_400, persist = false) => ({ alpn, host, port, maxAge, persist });

describe('Alt-Svc, RFC 7838 §3', () => {
  it.each([
    ['the example of §3', 'h2=":8000"', [service('h2', '', 8_000)]],
    ['another host', 'h2="new.example.org:80"', [service('h2', 'new.example.org', 80)]],
    ['several', 'h2="alt.example.com:8000", h2=":443"', [service('h2', 'alt.example.com', 8_000), service('h2', '', 443)]],
    ['a percent-encoded identifier', 'w%3Dx%3Ay#z=":1"', [service('w=x:y#z', '', 1)]],
    ['ma', 'h3=":443"; ma=3600', [service('h3', '', 443, 3_600)]],
    ['a quoted value', 'h3=":443"; ma="60";persist="1"', [service('h3', '', 443, 60, true)]],
    ['persist that is not 1', 'h3=":443"; persist=2', [service('h3', '', 443)]],
    ['a parameter that nobody knows', 'h3=":443"; v="46,43"; ma=5', [service('h3', '', 443, 5)]],
    ['an address', 'h3="[2001:DB8::1]:443"', [service('h3', '[2001:db8::1]', 443)]],
    ['quoted pairs', String.raw`h3="\:4\43"`, [service('h3', '', 443)]],
    ['empty elements', ' , h3=":1",, h2=":2",', [service('h3', '', 1), service('h2', '', 2)]],
    ['nothing', '', []],
  ])('%s', (_, value, services) => {
    expect(readAltSvc([value])).toEqual({ clear: false, services, malformed: '' });
  });

  it('clear withdraws what stands beside it', () => {
    expect(readAltSvc(['h3=":443"', ' clear '])).toEqual({ clear: true, services: [], malformed: '' });
  });

  it('clear is case-sensitive', () => {
    expect(readAltSvc(['Clear'])).toEqual({ clear: false, services: [], malformed: 'Clear' });
  });

  it.each([
    'h3=:443',
    'h3=443',
    'h3="443"',
    'h3=":0"',
    'h3=":65536"',
    'h3=":44x"',
    'h3="a b:443"',
    'h3="user@host:443"',
    'h3=":443',
    '="x"',
    'h3',
  ])('%s is not read', (value) => {
    expect(readAltSvc([value])).toEqual({ clear: false, services: [], malformed: value });
  });

  it('reads up to what it cannot read, and the next field', () => {
    expect(readAltSvc(['h2=":1", h3=443, h2=":2"', 'h3=":3"'])).toEqual({
      clear: false,
      services: [service('h2', '', 1), service('h3', '', 3)],
      malformed: 'h3=443, h2=":2"',
    });
  });

  it('reads a bounded number, of a field of any length', () => {
    expect(readAltSvc([Array.from({ length: 5_000 }, () => 'h3=":1"').join(', ')]).services).toHaveLength(32);
    expect(readAltSvc([`h3=":1${' ;'.repeat(30_000)}`]).malformed).not.toBe('');
  });
});
