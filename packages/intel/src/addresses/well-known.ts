import { formatIp, parseIp } from '@vedette/contract';

/** Addresses that half the internet depends on, as their operators publish them. They are in no feed, and change about once in ten years. */

/** Public resolvers that mean to be public, by operator: the addresses on their own setup pages. */
const RESOLVERS: Readonly<Record<string, string>> = {
  'Google Public DNS': '8.8.8.8 8.8.4.4 2001:4860:4860::8888 2001:4860:4860::8844 2001:4860:4860::64 2001:4860:4860::6464',
  Cloudflare:
    '1.1.1.1 1.0.0.1 1.1.1.2 1.0.0.2 1.1.1.3 1.0.0.3 2606:4700:4700::1111 2606:4700:4700::1001 2606:4700:4700::1112 2606:4700:4700::1002 2606:4700:4700::1113 2606:4700:4700::1003 2606:4700:4700::64 2606:4700:4700::6400',
  Quad9:
    '9.9.9.9 149.112.112.112 9.9.9.10 149.112.112.10 9.9.9.11 149.112.112.11 2620:fe::fe 2620:fe::9 2620:fe::10 2620:fe::fe:10 2620:fe::11 2620:fe::fe:11',
  OpenDNS:
    '208.67.222.222 208.67.220.220 208.67.222.123 208.67.220.123 208.67.222.2 208.67.220.2 2620:119:35::35 2620:119:53::53 2620:119:35::123 2620:119:53::123',
  'AdGuard DNS':
    '94.140.14.14 94.140.15.15 94.140.14.15 94.140.15.16 94.140.14.140 94.140.14.141 2a10:50c0::ad1:ff 2a10:50c0::ad2:ff 2a10:50c0::bad1:ff 2a10:50c0::bad2:ff 2a10:50c0::1:ff 2a10:50c0::2:ff',
  CleanBrowsing:
    '185.228.168.9 185.228.169.9 185.228.168.10 185.228.169.11 185.228.168.168 185.228.169.168 2a0d:2a00:1::2 2a0d:2a00:2::2 2a0d:2a00:1::1 2a0d:2a00:2::1 2a0d:2a00:1:: 2a0d:2a00:2::',
  'Control D': '76.76.2.0 76.76.10.0 76.76.2.1 76.76.10.1 76.76.2.2 76.76.10.2 76.76.2.3 76.76.10.3 2606:1a40:: 2606:1a40:1::',
  'DNS.WATCH': '84.200.69.80 84.200.70.40 2001:1608:10:25::1c04:b12f 2001:1608:10:25::9249:d69b',
  'Verisign Public DNS': '64.6.64.6 64.6.65.6 2620:74:1b::1:1 2620:74:1c::2:2',
  'Lumen (Level 3)': '4.2.2.1 4.2.2.2 4.2.2.3 4.2.2.4 4.2.2.5 4.2.2.6',
  'Hurricane Electric': '74.82.42.42 2001:470:20::2',
  'Yandex DNS': '77.88.8.8 77.88.8.1 77.88.8.88 77.88.8.2 77.88.8.7 77.88.8.3 2a02:6b8::feed:0ff 2a02:6b8:0:1::feed:0ff',
  AliDNS: '223.5.5.5 223.6.6.6 2400:3200::1 2400:3200:baba::1',
  DNSPod: '119.29.29.29',
  '114DNS': '114.114.114.114 114.114.115.115',
  'Mullvad DNS': '194.242.2.2 194.242.2.3 194.242.2.4 2a07:e340::2 2a07:e340::3 2a07:e340::4',
  DNS4EU: '86.54.11.1 86.54.11.201 86.54.11.12 86.54.11.212 86.54.11.13 86.54.11.213 86.54.11.11 86.54.11.211 86.54.11.100 86.54.11.200',
  'CIRA Canadian Shield': '149.112.121.10 149.112.122.10 149.112.121.20 149.112.122.20 149.112.121.30 149.112.122.30',
};

/** The root name servers, by letter: IANA's root hints. */
const ROOT_SERVERS: Readonly<Record<string, string>> = {
  a: '198.41.0.4 2001:503:ba3e::2:30',
  b: '170.247.170.2 2801:1b8:10::b 199.9.14.201 2001:500:200::b',
  c: '192.33.4.12 2001:500:2::c',
  d: '199.7.91.13 2001:500:2d::d',
  e: '192.203.230.10 2001:500:a8::e',
  f: '192.5.5.241 2001:500:2f::f',
  g: '192.112.36.4 2001:500:12::d0d',
  h: '198.97.190.53 2001:500:1::53',
  i: '192.36.148.17 2001:7fe::53',
  j: '192.58.128.30 2001:503:c27::2:30',
  k: '193.0.14.129 2001:7fd::1',
  l: '199.7.83.42 2001:500:9f::42',
  m: '202.12.27.33 2001:dc3::35',
};

/** Turned round: what has each address, by canonical text. */
const byAddress = (table: Readonly<Record<string, string>>, name: (key: string) => string): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(table).flatMap(([key, addresses]) =>
      addresses.split(' ').map((address): [string, string] => [formatIp(parseIp(address)!), name(key)]),
    ),
  );

/** The operators of public resolvers that are open to all, by address. */
export const PUBLIC_RESOLVERS = byAddress(RESOLVERS, (operator) => operator);
/** Names of the root name servers, by address. */
export const ROOT_NAME_SERVERS = byAddress(ROOT_SERVERS, (letter) => `${letter}.root-servers.net`);
