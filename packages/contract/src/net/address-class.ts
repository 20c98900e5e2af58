import { type Cidr, cidrContains, type IpAddress, parseCidrs, parseIp, unmapped, v4In } from './address.ts';

/**
 * The class of an address, by the registries of IANA and facts beside them. Addresses are judged as bits: `::ffff:7f00:1`,
 * `64:ff9b::7f00:1` and `2002:7f00:1::` are all 127.0.0.1.
 */
export type AddressClass =
  | 'public'
  | 'loopback'
  | 'private' // RFC 1918, RFC 4193, RFC 6598 (shared)
  | 'link_local'
  | 'reserved'; // everything else that is not proven public: documentation, multicast, translation, unallocated, inside of a cloud …

const one = (text: string): Cidr => parseCidrs([text])[0]!;

// IANA IPv4 Special-Purpose Address Registry.
const V4_LOOPBACK = parseCidrs(['127.0.0.0/8']);
const V4_PRIVATE = parseCidrs(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10']);
const V4_LINK_LOCAL = parseCidrs(['169.254.0.0/16']);
const V4_RESERVED = parseCidrs([
  '0.0.0.0/8',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);
// IANA IPv6 Special-Purpose Address Registry.
const V6_PRIVATE = parseCidrs(['fc00::/7', 'fec0::/10']);
const V6_LINK_LOCAL = parseCidrs(['fe80::/10']);
const V6_RESERVED = parseCidrs(['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']);

/** Public by the registries, answered by a cloud's own machinery inside of it alone. Its other such addresses are special-purpose ones. */
const CLOUD_INTERNAL = parseCidrs([
  '168.63.129.16/32', // Azure: host agent and resolver of each virtual machine
  '161.26.0.0/16', // IBM Cloud: resolvers, mirrors, time, storage of its private network
  '166.8.0.0/14', // IBM Cloud: service endpoints
  '199.36.153.4/30', // Google Cloud: restricted.googleapis.com, never announced to the internet
  '199.36.153.8/30', // Google Cloud: private.googleapis.com
  '2600:2d00:2:1000::/56', // the same two over IPv6
  '2600:2d00:2:2000::/56',
]);

/**
 * IANA IPv6 Global Unicast Address Assignments: what regional registries may give out. No other address of 2000::/3 is on the internet, but
 * one may well be on an inner network (3ffe::/16 was the 6bone's). A new row there is a new row here.
 */
const V6_ALLOCATED = parseCidrs([
  '2001:200::/23',
  '2001:400::/22',
  '2001:800::/21',
  '2001:1200::/23',
  '2001:1400::/22',
  '2001:1800::/21',
  '2001:2000::/19',
  '2001:4000::/21',
  '2001:4800::/22',
  '2001:4c00::/23',
  '2001:5000::/20',
  '2001:8000::/19',
  '2001:a000::/20',
  '2001:b000::/20',
  '2003::/18',
  '2400::/11',
  '2600::/12',
  '2610::/23',
  '2620::/23',
  '2630::/12',
  '2800::/12',
  '2a00::/11',
  '2c00::/12',
]);

// Forms that carry an IPv4 address, and how far right it stands.
const V6_EMBEDDED: [Cidr, bigint][] = [
  [one('::/96'), 0n], // compatible, RFC 4291 §2.5.5.1
  [one('0:0:0:0:ffff:0::/96'), 0n], // translated, RFC 2765
  [one('64:ff9b::/96'), 0n], // NAT64, RFC 6052
  [one('64:ff9b:1::/48'), 0n], // local NAT64, RFC 8215
  [one('2002::/16'), 80n], // 6to4, RFC 3056
];
const NAT64_WELL_KNOWN = one('64:ff9b::/96');
const TEREDO = one('2001::/32'); // RFC 4380: the client's address is the last 32 bits, inverted
const ISATAP_ID = 0x5efen; // RFC 5214 §6.1: bits 64–95 of any prefix are 5efe, or 200:5efe where the address below is unique in the world
const UNIVERSAL_BIT = 0x0200_0000n;

/** The IPv4 address inside a mapped, translated or tunnelled IPv6 one, else undefined. */
export function embeddedV4(ip: IpAddress): IpAddress | undefined {
  if (ip.version === 4 || ip.value <= 1n) return undefined;
  const v4 = unmapped(ip);
  if (v4 !== ip) return v4;
  if (cidrContains(TEREDO, ip)) return v4In(~ip.value);
  const form = V6_EMBEDDED.find(([cidr]) => cidrContains(cidr, ip));
  if (form) return v4In(ip.value, form[1]);
  const isatap = (v4In(ip.value, 32n).value & ~UNIVERSAL_BIT) === ISATAP_ID;
  return isatap && isGlobal(ip) ? v4In(ip.value) : undefined;
}

/** The IPv4 address that stands behind one of these NAT64 prefixes: right behind it, bits 64 to 71 left out (RFC 6052 §2.2). */
export function translatedV4(ip: IpAddress, prefixes: readonly Cidr[]): IpAddress | undefined {
  const prefix = prefixes.find((nat64) => cidrContains(nat64, ip));
  if (!prefix) return undefined;
  const without = ((ip.value >> 64n) << 56n) | (ip.value & 0xff_ffff_ffff_ffffn);
  return prefix.bits === 96 ? v4In(ip.value) : v4In(without, BigInt(88 - prefix.bits));
}

/**
 * The kind of this address. A tunnelled form is never public, and takes the class of the address inside when that is worse. Behind one of
 * the network's own NAT64 prefixes, the well-known one too where it is used, an address is what the IPv4 address there is.
 */
export function classifyIp(ip: IpAddress, nat64: readonly Cidr[] = []): AddressClass {
  const within = (cidrs: readonly Cidr[]) => cidrs.some((cidr) => cidrContains(cidr, ip));
  if (ip.version === 4) {
    if (within(V4_LOOPBACK)) return 'loopback';
    if (within(V4_PRIVATE)) return 'private';
    if (within(V4_LINK_LOCAL)) return 'link_local';
    return within(V4_RESERVED) || within(CLOUD_INTERNAL) ? 'reserved' : 'public';
  }
  if (ip.value === 1n) return 'loopback';
  const translated = translatedV4(ip, nat64);
  if (translated && cidrContains(NAT64_WELL_KNOWN, ip)) return classifyIp(translated);
  const inner = embeddedV4(ip);
  if (inner) {
    const innerClass = classifyIp(inner);
    return innerClass === 'public' ? 'reserved' : innerClass;
  }
  if (within(V6_PRIVATE)) return 'private';
  if (within(V6_LINK_LOCAL)) return 'link_local';
  if (!isGlobal(ip)) return 'reserved';
  return translated ? classifyIp(translated) : 'public';
}

const isGlobal = (ip: IpAddress): boolean =>
  V6_ALLOCATED.some((cidr) => cidrContains(cidr, ip)) && ![...V6_RESERVED, ...CLOUD_INTERNAL].some((cidr) => cidrContains(cidr, ip));

/** Whether what listens at a host, or is reached there, is on this machine alone. An IPv6 address may stand in brackets, as in a URL. */
export function isLoopback(host: string): boolean {
  const address = parseIp(host.replace(/^\[|\]$/g, ''));
  return address === undefined ? host === 'localhost' : classifyIp(unmapped(address)) === 'loopback';
}
