import { expect, it } from 'vitest';
import { clientAddressReader } from '../../packages/gateway/src/door/client-address.ts';

const reader = clientAddressReader(['10.0.0.0/8', 'fd00::/8']);

it.each([
  ['a peer that is no proxy is the client, whatever it claims', '198.51.100.7', '203.0.113.1', '198.51.100.7'],
  ['a proxy tells its client', '10.0.0.1', '203.0.113.1', '203.0.113.1'],
  ['only the right-most entry that is no proxy counts', '10.0.0.1', '192.0.2.66, 203.0.113.1, 10.0.0.2', '203.0.113.1'],
  ['an entry that is no address ends the walk', '10.0.0.1', '203.0.113.1, unknown', '10.0.0.1'],
  ['a dual-stack listener names IPv4 peers in their mapped form', '::ffff:10.0.0.1', '2001:DB8::0:1', '2001:db8::1'],
  ['an entry may name a port', '10.0.0.1', '203.0.113.1:4711', '203.0.113.1'],
  ['an IPv6 entry may stand in brackets', '10.0.0.1', '[2001:db8::1]:4711, [fd00::1]', '2001:db8::1'],
  ['an entry may name it in its mapped form, too', '10.0.0.1', '::ffff:203.0.113.1', '203.0.113.1'],
  ['a socket that is gone has no address', '', undefined, ''],
  ['no header, no doubt', '::ffff:198.51.100.7', undefined, '198.51.100.7'],
])('%s', (_rule, peer, forwardedFor, expected) => {
  expect(reader.read(peer, forwardedFor)).toBe(expected);
});

it('trusts nobody without configured proxies', () => {
  expect(clientAddressReader([]).read('10.0.0.1', '203.0.113.1')).toBe('10.0.0.1');
  expect(clientAddressReader([]).trusts('10.0.0.1')).toBe(false);
});
