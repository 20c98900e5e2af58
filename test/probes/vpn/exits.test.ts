import { describe, expect, it } from 'vitest';
import { exitEndpoints, parseVpnExits } from '@vedette/probes/vpn';

it('reads every kind, with credentials and locations', () => {
  expect(
    parseVpnExits('socks5://user:p%40s%2Cs@exit.test:1081#eu-fra, http://192.0.2.1:3128 ,iface:wg0#us-ash,socks5://[2001:db8::1],'),
  ).toEqual([
    {
      kind: 'socks5',
      label: 'socks5://exit.test:1081',
      endpoint: { host: 'exit.test', port: 1081 },
      username: 'user',
      password: 'p@s,s',
      location: 'eu-fra',
    },
    { kind: 'http', label: 'http://192.0.2.1:3128', endpoint: { host: '192.0.2.1', port: 3128 } },
    { kind: 'iface', label: 'iface:wg0', interface: 'wg0', location: 'us-ash' },
    { kind: 'socks5', label: 'socks5://[2001:db8::1]:1080', endpoint: { host: '2001:db8::1', port: 1080 } },
  ]);
  expect(parseVpnExits('')).toEqual([]);
});

it('says where the proxies among them are', () => {
  expect(exitEndpoints(parseVpnExits('socks5://exit.test:1081,http://192.0.2.1:3128,iface:wg0'))).toEqual([
    { host: 'exit.test', port: 1081 },
    { host: '192.0.2.1', port: 3128 },
  ]);
});

describe('refuses, without repeating what may be a password', () => {
  it.each([
    'socks4://exit.test:1080',
    'https://exit.test',
    'socks5://',
    'socks5://user@exit.test',
    'socks5://exit.test:0',
    'socks5://exit.test:65536',
    'socks5://user:%zz@exit.test',
    `socks5://user:${'x'.repeat(256)}@exit.test`,
    'iface:',
    'iface:a name',
    'iface:sixteencharacter',
    'wg0',
    'socks5://exit.test#no place',
    'socks5://exit.test#a#b',
    'http://exit.test/path',
  ])('%s', (entry) => {
    expect(() => parseVpnExits(`iface:wg0,${entry}`)).toThrow(/^VPN exit 2 is not socks5:/);
  });
});
