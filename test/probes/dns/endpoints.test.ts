import { describe, expect, it } from 'vitest';
import { parseEndpoints } from '@vedette/probes/dns';
import { formatEndpoint } from '../../../packages/probes/src/dns/engine/endpoints.ts';
import { searchDomains, systemServers } from '@vedette/probes/dns';

describe('parseEndpoints', () => {
  it('reads addresses with and without ports', () => {
    const endpoints = parseEndpoints('192.0.2.53, 192.0.2.54:5353,2001:DB8::53,[2001:db8::54]:5353,[::1]');
    expect(endpoints).toEqual([
      { address: '192.0.2.53', port: 53 },
      { address: '192.0.2.54', port: 5353 },
      { address: '2001:db8::53', port: 53 },
      { address: '2001:db8::54', port: 5353 },
      { address: '::1', port: 53 },
    ]);
    expect(endpoints.map(formatEndpoint)).toEqual([
      '192.0.2.53:53',
      '192.0.2.54:5353',
      '[2001:db8::53]:53',
      '[2001:db8::54]:5353',
      '[::1]:53',
    ]);
  });

  it.each([
    'dns.example.org',
    '192.0.2.1:0',
    '192.0.2.1:65536',
    '192.0.2.1:',
    '[192.0.2.1]:53',
    '192.0.2.999',
    '[::1',
    '::1]:53',
    '192.0.2.1:53x',
  ])('names the bad piece %s', (piece) => {
    expect(() => parseEndpoints(`192.0.2.53,${piece}`)).toThrow(`not an address of a resolver: ${piece}`);
  });

  it('reads nothing from nothing', () => {
    expect(parseEndpoints(' , ')).toEqual([]);
  });
});

describe('resolv.conf', () => {
  const text = `# written by hand
nameserver 192.0.2.53
 nameserver\t2001:db8::53
nameserver fe80::1%eth0
; nameserver 192.0.2.99
domain old.example.org
search Corp.Example.org. lab.example.org
options ndots:2
`;

  it('names the servers', () => {
    expect(systemServers(text)).toEqual([
      { address: '192.0.2.53', port: 53 },
      { address: '2001:db8::53', port: 53 },
    ]);
  });

  it('means the own machine when it names none', () => {
    expect(systemServers('')).toEqual([{ address: '127.0.0.1', port: 53 }]);
  });

  it('names the search domains, the last line counting', () => {
    expect(searchDomains(text)).toEqual(['corp.example.org', 'lab.example.org']);
    expect(searchDomains('')).toEqual([]);
  });
});
