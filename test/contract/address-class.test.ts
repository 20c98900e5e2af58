import { type AddressClass, classifyIp, formatIp, parseCidrs, parseIp, translatedV4 } from '@vedette/contract/net';
import { describe, expect, it } from 'vitest';

// The neighbours just outside each block are there to catch a mask that is one bit off.
const CLASSES: [address: string, expected: AddressClass, source: string][] = [
  ['8.8.8.8', 'public', 'ordinary'],
  ['0.0.0.0', 'reserved', 'RFC 791 §3.2'],
  ['0.255.255.255', 'reserved', 'RFC 791 §3.2'],
  ['1.0.0.0', 'public', 'after 0/8'],
  ['9.255.255.255', 'public', 'before 10/8'],
  ['10.0.0.0', 'private', 'RFC 1918'],
  ['11.0.0.0', 'public', 'after 10/8'],
  ['100.63.255.255', 'public', 'before 100.64/10'],
  ['100.100.100.200', 'private', 'RFC 6598; a cloud metadata service'],
  ['100.128.0.0', 'public', 'after 100.64/10'],
  ['127.0.0.1', 'loopback', 'RFC 1122 §3.2.1.3'],
  ['127.255.255.255', 'loopback', 'RFC 1122 §3.2.1.3'],
  ['128.0.0.0', 'public', 'after 127/8'],
  ['168.63.129.16', 'reserved', 'a cloud host agent on a public address'],
  ['161.25.255.255', 'public', 'before 161.26/16'],
  ['161.26.0.10', 'reserved', "a cloud's resolver"],
  ['161.27.0.0', 'public', 'after 161.26/16'],
  ['166.7.255.255', 'public', 'before 166.8/14'],
  ['166.11.255.255', 'reserved', "a cloud's service endpoints"],
  ['166.12.0.0', 'public', 'after 166.8/14'],
  ['199.36.153.3', 'public', 'before a cloud-internal /30'],
  ['199.36.153.11', 'reserved', 'private.googleapis.com'],
  ['199.36.153.12', 'public', 'after it'],
  ['168.63.129.17', 'public', 'its neighbour'],
  ['169.254.169.254', 'link_local', 'RFC 3927; cloud metadata'],
  ['172.15.255.255', 'public', 'before 172.16/12'],
  ['172.31.255.255', 'private', 'RFC 1918'],
  ['172.32.0.0', 'public', 'after 172.16/12'],
  ['192.0.0.192', 'reserved', 'RFC 6890; a cloud metadata service'],
  ['192.0.1.0', 'public', 'after 192.0.0/24'],
  ['192.0.2.1', 'reserved', 'RFC 5737'],
  ['192.88.99.1', 'reserved', 'RFC 7526'],
  ['192.168.0.1', 'private', 'RFC 1918'],
  ['192.169.0.0', 'public', 'after 192.168/16'],
  ['198.17.255.255', 'public', 'before 198.18/15'],
  ['198.19.255.255', 'reserved', 'RFC 2544'],
  ['198.51.100.1', 'reserved', 'RFC 5737'],
  ['203.0.113.255', 'reserved', 'RFC 5737'],
  ['223.255.255.255', 'public', 'before multicast'],
  ['224.0.0.1', 'reserved', 'RFC 5771'],
  ['240.0.0.1', 'reserved', 'RFC 1112 §4'],
  ['255.255.255.255', 'reserved', 'RFC 919 §7'],
  ['2606:4700::1111', 'public', 'ordinary'],
  ['::', 'reserved', 'RFC 4291 §2.5.2'],
  ['::1', 'loopback', 'RFC 4291 §2.5.3'],
  ['::127.0.0.1', 'loopback', 'RFC 4291 §2.5.5.1, compatible'],
  ['::a9fe:a9fe', 'link_local', 'compatible form of cloud metadata'],
  ['::ffff:127.0.0.1', 'loopback', 'RFC 4291 §2.5.5.2, mapped'],
  ['::ffff:8.8.8.8', 'reserved', 'mapped forms are never on the wire'],
  ['::ffff:0:10.0.0.1', 'private', 'RFC 2765, translated'],
  ['64:ff9b::a9fe:a9fe', 'link_local', 'RFC 6052, NAT64'],
  ['64:ff9b:1::10.0.0.1', 'private', 'RFC 8215, local NAT64'],
  ['2002:7f00:1::', 'loopback', 'RFC 3056, 6to4'],
  ['2002:808:808::', 'reserved', '6to4 of a public address'],
  ['2001:0:4136:e378:8000:63bf:80ff:fffe', 'loopback', 'RFC 4380, Teredo: the last 32 bits inverted'],
  ['2001:db8::1', 'reserved', 'RFC 3849'],
  ['2001:1ff:ffff::', 'reserved', 'RFC 2928, 2001::/23'],
  ['2001:200::', 'public', 'after 2001::/23'],
  ['2001:1000::', 'reserved', 'IANA gave it to no registry'],
  ['2001:11ff:ffff::', 'reserved', 'the same'],
  ['2001:1200::', 'public', 'after it'],
  ['2001:3fff::', 'public', 'the end of 2001:2000::/19'],
  ['2001:4e00::', 'reserved', 'after 2001:4c00::/23'],
  ['2003:4000::', 'reserved', 'after 2003::/18'],
  ['241f::1', 'public', 'the end of 2400::/11'],
  ['2420::1', 'reserved', 'after it'],
  ['2600:2d00:2:1000::1', 'reserved', 'restricted.googleapis.com'],
  ['2600:2d00:2:2000::1', 'reserved', 'private.googleapis.com'],
  ['2600:2d00:2:3000::1', 'public', 'after them'],
  ['2a1f::1', 'public', 'the end of 2a00::/11'],
  ['2a20::1', 'reserved', 'after it'],
  ['2d00::1', 'reserved', 'IANA gave it to no registry'],
  ['3ffe::1', 'reserved', 'RFC 3701: once the 6bone'],
  ['2a02:26f7::5efe:10.1.2.3', 'private', 'RFC 5214, ISATAP'],
  ['2a02:26f7::200:5efe:127.0.0.1', 'loopback', 'RFC 5214, the address said to be unique'],
  ['2a02:26f7::5efe:8.8.8.8', 'reserved', 'ISATAP of a public address'],
  ['2a02:26f7::1:5efe:a01:203', 'public', 'not the identifier of ISATAP'],
  ['2a02:26f7::100:5efe:a01:203', 'public', 'not the identifier of ISATAP'],
  ['fe80::5efe:10.1.2.3', 'link_local', 'RFC 5214, and worse already'],
  ['3fff::1', 'reserved', 'RFC 9637'],
  ['4000::1', 'reserved', 'outside 2000::/3'],
  ['5f00::1', 'reserved', 'RFC 9602'],
  ['fc00::1', 'private', 'RFC 4193'],
  ['fd00:ec2::254', 'private', 'RFC 4193; cloud metadata'],
  ['fe80::1', 'link_local', 'RFC 4291 §2.5.6'],
  ['fec0::1', 'private', 'RFC 3879'],
  ['ff02::1', 'reserved', 'RFC 4291 §2.7'],
];

describe('classifyIp', () => {
  it.each(CLASSES)('%s is %s (%s)', (address, expected) => {
    expect(classifyIp(parseIp(address)!)).toBe(expected);
  });
});

const words = (text: string): string[] => text.trim().split(/\s+/);

/** What people measure every day: nothing that is added against inner networks may take one of these away. */
const WELL_KNOWN = {
  'public resolvers': words(`
    8.8.8.8 8.8.4.4 2001:4860:4860::8888 2001:4860:4860::8844 2001:4860:4860::6464
    1.1.1.1 1.0.0.1 2606:4700:4700::1111 2606:4700:4700::64 9.9.9.9 149.112.112.112 2620:fe::fe 2620:fe::9
    208.67.222.222 2620:119:35::35 2620:0:ccc::2 94.140.14.14 2a10:50c0::ad1:ff 76.76.2.0 2606:1a40::
    77.88.8.8 2a02:6b8::feed:ff 223.5.5.5 2400:3200::1 119.29.29.29 2402:4e00:: 114.114.114.114 4.2.2.2
    185.228.168.9 2a0d:2a00:1::2 193.110.81.0 2a0f:fc80:: 194.242.2.2 2a07:e340::2 101.101.101.101 2001:de4::101`),
  'root servers': words(`
    198.41.0.4 170.247.170.2 192.33.4.12 199.7.91.13 192.203.230.10 192.5.5.241 192.112.36.4 198.97.190.53
    192.36.148.17 192.58.128.30 193.0.14.129 199.7.83.42 202.12.27.33 2001:503:ba3e::2:30 2801:1b8:10::b
    2001:500:2::c 2001:500:2d::d 2001:500:a8::e 2001:500:2f::f 2001:500:12::d0d 2001:500:1::53 2001:7fe::53
    2001:503:c27::2:30 2001:7fd::1 2001:500:9f::42 2001:dc3::35`),
  'clouds and networks that carry the web': words(`
    104.16.0.1 172.64.0.1 172.67.1.1 162.159.0.1 188.114.96.1 2606:4700::6810:1 2803:f800::1 2405:8100::1
    151.101.1.69 199.232.1.1 146.75.0.1 2a04:4e42::1 23.0.0.1 23.192.228.80 104.64.0.1 2a02:26f0::1
    2600:1400::1 2600:1901::1 2600:1f18::1 2600:9000::1 13.32.0.1 18.64.0.1 52.84.0.1 54.230.0.1 3.5.0.1
    2a05:d018::1 2406:da18::1 2804:800::1 34.64.0.1 35.190.0.1 142.250.0.1 172.217.0.1 216.58.192.1
    2404:6800::1 2a00:1450::1 2607:f8b0::1 2800:3f0::1 2c0f:fb50::1 13.64.0.1 20.33.0.1 40.76.0.1
    2603:1000::1 2620:1ec::1 157.240.0.1 31.13.24.1 2a03:2880::1 17.253.144.10 2620:149::1 140.82.112.3
    185.199.108.153 2606:50c0:8000::153 159.89.0.1 2604:a880::1 95.216.0.1 116.202.0.1 2a01:4f8::1
    51.68.0.1 2001:41d0::1 51.15.0.1 2001:bc8::1 45.33.0.1 2600:3c00::1 45.76.0.1 2001:19f0::1
    47.88.0.1 8.208.0.1 2408:4000::1 43.128.0.1 2402:4e00:1::1 161.117.0.1 139.59.0.1 169.45.0.1 158.175.0.1
    129.146.0.1 2603:c020::1 185.230.60.1 199.36.154.1 166.4.0.1 166.70.0.1 161.35.0.1 168.61.0.1 192.0.78.1
    192.30.252.1 198.20.0.1 203.0.112.1 100.0.0.1 100.128.1.1 172.32.1.1 192.169.1.1 223.255.255.1`),
  'access networks of each registry': words(`
    2001:200::1 2001:468::1 2001:660::1 2001:8a0::1 2001:c38::1 2001:e60::1 2001:1200::1 2001:1470::1
    2001:1890::1 2001:1b70::1 2001:1c00::1 2001:2000::1 2001:4200::1 2001:44b8::1 2001:4600::1 2001:4800::1
    2001:4ba0::1 2001:4c08::1 2001:5000::1 2001:8003::1 2001:a000::1 2001:b000::1 2003:e0::1 2400:2410::1
    2409:8000::1 240e::1 240f::1 2601::1 2604::1 2610:a1::1 2620:0:860::1 2804:14c::1 2806::1 2a00:23c0::1
    2a02:810::1 2a0a::1 2a10::1 2c0f:f930::1 41.0.0.1 102.0.0.1 154.0.0.1 177.0.0.1 200.0.0.1 58.0.0.1`),
};

it.each(Object.entries(WELL_KNOWN))('%s are public', (_, addresses) => {
  expect(addresses.filter((address) => classifyIp(parseIp(address)!) !== 'public')).toEqual([]);
});

it('takes nothing away from IPv4 but the blocks that are named: of 57,088 addresses all others stay public', () => {
  // One address of each /16 of 1.0.0.0 to 223.255.255.255.
  const sample = Array.from({ length: 223 * 256 }, (_, i) => formatIp({ version: 4, value: BigInt((256 + i) * 65_536 + 77 * 256 + 7) }));
  const refused = sample.filter((address) => classifyIp(parseIp(address)!) !== 'public');
  const blocks = ['10/8', '127/8', '100.64/10', '172.16/12', '169.254/16', '192.168/16', '198.18/15', '161.26/16', '166.8/14'];
  expect(blocks.map((block) => 2 ** (16 - Number(block.split('/')[1]))).reduce((a, b) => a + b)).toBe(refused.length);
});

describe('behind a NAT64 prefix (RFC 6052 §2.4)', () => {
  // 192.0.2.33 in the examples of the RFC, whose 2001:db8::/32 nobody calls public: here with 192.168.2.33 behind a public one.
  it.each([
    ['2001:db8::/32', '2001:db8:c000:221::'],
    ['2001:db8:100::/40', '2001:db8:1c0:2:21::'],
    ['2001:db8:122::/48', '2001:db8:122:c000:2:2100::'],
    ['2001:db8:122:300::/56', '2001:db8:122:3c0:0:221::'],
    ['2001:db8:122:344::/64', '2001:db8:122:344:c0:2:2100::'],
    ['2001:db8:122:344::/96', '2001:db8:122:344::192.0.2.33'],
  ])('%s: 192.0.2.33 is %s', (prefix, address) => {
    expect(formatIp(translatedV4(parseIp(address)!, parseCidrs([prefix]))!)).toBe('192.0.2.33');
  });

  const nat64 = parseCidrs(['2a02:26f7:64::/96', '2a02:26f7:32::/48']);
  it.each([
    ['2a02:26f7:64::10.1.2.3', 'private'],
    ['2a02:26f7:64::169.254.169.254', 'link_local'],
    ['2a02:26f7:64::127.0.0.1', 'loopback'],
    ['2a02:26f7:64::161.26.0.10', 'reserved'],
    ['2a02:26f7:32:c0a8:2:2100::', 'private'],
    ['2a02:26f7:64::8.8.8.8', 'public'], // how an agent without IPv4 reaches the half of the internet that has nothing else
    ['2a02:26f7:65::10.1.2.3', 'public'], // not the prefix
  ])('%s is %s', (address, expected) => {
    expect(classifyIp(parseIp(address)!, nat64)).toBe(expected);
  });
});

it('takes what stands behind the well-known NAT64 prefix for the IPv4 address there, where the network has that', () => {
  const learnt = parseCidrs(['64:ff9b::/96']);
  const classes = ['64:ff9b::8.8.8.8', '64:ff9b::10.0.0.1', '64:ff9b::169.254.169.254', '64:ff9b:1::8.8.8.8'].map((address) => [
    classifyIp(parseIp(address)!),
    classifyIp(parseIp(address)!, learnt),
  ]);
  expect(classes).toEqual([
    ['reserved', 'public'], // it was refused, and with it every name that has IPv4 alone
    ['private', 'private'],
    ['link_local', 'link_local'],
    ['reserved', 'reserved'],
  ]);
});
