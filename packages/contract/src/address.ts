/**
 * IP addresses as numbers, and what the IANA special-purpose registries say of them. Addresses are judged as bits,
 * never as text: `::ffff:7f00:1`, `64:ff9b::7f00:1` and `2002:7f00:1::` are all 127.0.0.1.
 */
export type AddressClass =
  | 'public'
  | 'loopback'
  | 'private' // RFC 1918, RFC 4193, RFC 6598 (shared)
  | 'link_local'
  | 'reserved'; // everything else that is not proven public: documentation, multicast, benchmarking, translation …

export interface IpAddress {
  version: 4 | 6;
  value: bigint;
}

const V4_BITS = 32;
const V6_BITS = 128;

/** Parses dotted-quad IPv4 (no octal, no short forms) and RFC 4291 IPv6 (no zone, no brackets). Undefined when it is neither. */
export function parseIp(text: string): IpAddress | undefined {
  const v4 = parseV4(text);
  if (v4 !== undefined) return { version: 4, value: BigInt(v4) };
  const v6 = parseV6(text);
  return v6 === undefined ? undefined : { version: 6, value: v6 };
}

function parseV4(text: string): number | undefined {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return undefined;
  let value = 0;
  for (const part of text.split('.')) {
    const octet = Number(part);
    if (octet > 255 || (part.length > 1 && part.startsWith('0'))) return undefined;
    value = value * 256 + octet;
  }
  return value;
}

function parseV6(text: string): bigint | undefined {
  if (text.length > 45 || !/^[0-9a-fA-F:.]+$/.test(text) || !text.includes(':')) return undefined;
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1)!;
  if (last.at(-1)?.includes('.')) {
    const v4 = parseV4(last.pop()!);
    if (v4 === undefined) return undefined;
    last.push((v4 >>> 16).toString(16), (v4 & 0xffff).toString(16));
  }
  const all = groups.flat();
  if (all.some((group) => !/^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  const missing = 8 - all.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const full = halves.length === 2 ? [...groups[0]!, ...Array<string>(missing).fill('0'), ...groups[1]!] : all;
  return full.reduce((value, group) => (value << 16n) | BigInt(Number.parseInt(group, 16)), 0n);
}

/** Canonical text: dotted quad, or RFC 5952. */
export function formatIp({ version, value }: IpAddress): string {
  if (version === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(112 - 16 * i)) & 0xffffn));
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  const hex = (part: number[]) => part.map((group) => group.toString(16)).join(':');
  if (best.start < 0) return hex(groups);
  return `${hex(groups.slice(0, best.start))}::${hex(groups.slice(best.start + best.length))}`;
}

export interface Cidr {
  version: 4 | 6;
  base: bigint;
  bits: number;
}

/** Parses `192.0.2.0/24`; a bare address is a /32 or /128. Undefined when it is neither, or has host bits beyond the family's size. */
export function parseCidr(text: string): Cidr | undefined {
  const [address = '', length, ...rest] = text.trim().split('/');
  const ip = parseIp(address);
  if (!ip || rest.length > 0) return undefined;
  const size = ip.version === 4 ? V4_BITS : V6_BITS;
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return undefined;
  const bits = length === undefined ? size : Number(length);
  if (bits > size) return undefined;
  const shift = BigInt(size - bits);
  return { version: ip.version, base: (ip.value >> shift) << shift, bits };
}

/** Canonical text of a network; of a single address too. */
export const formatCidr = ({ version, base, bits }: Cidr): string => `${formatIp({ version, value: base })}/${bits}`;

export function cidrContains(cidr: Cidr, ip: IpAddress): boolean {
  if (cidr.version !== ip.version) return false;
  const shift = BigInt((ip.version === 4 ? V4_BITS : V6_BITS) - cidr.bits);
  return ip.value >> shift === cidr.base >> shift;
}

const nets = (...texts: string[]): Cidr[] =>
  texts.map(
    (text) =>
      parseCidr(text) ??
      (() => {
        throw new Error(`bad CIDR ${text}`);
      })(),
  );

// IANA IPv4 Special-Purpose Address Registry; 168.63.129.16 is a cloud's host agent on a public address.
const V4_LOOPBACK = nets('127.0.0.0/8');
const V4_PRIVATE = nets('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10');
const V4_LINK_LOCAL = nets('169.254.0.0/16');
const V4_RESERVED = nets(
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
  '168.63.129.16/32',
);
// IANA IPv6 Special-Purpose Address Registry. Outside 2000::/3 nothing is global unicast (RFC 4291 §2.4).
const V6_GLOBAL = nets('2000::/3')[0]!;
const V6_PRIVATE = nets('fc00::/7', 'fec0::/10');
const V6_LINK_LOCAL = nets('fe80::/10');
const V6_RESERVED = nets('2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20');

const MAPPED = nets('::ffff:0:0/96')[0]!; // RFC 4291 §2.5.5.2

/** The IPv4 address that an IPv4-mapped one stands for, as dual-stack sockets name IPv4 peers; any other address as it is. */
export const unmapped = (ip: IpAddress): IpAddress => (cidrContains(MAPPED, ip) ? { version: 4, value: ip.value & 0xffffffffn } : ip);

// Forms that carry an IPv4 address, and how far right it stands.
const V6_EMBEDDED: [Cidr, bigint][] = [
  [MAPPED, 0n],
  [nets('::/96')[0]!, 0n], // compatible, RFC 4291 §2.5.5.1
  [nets('::ffff:0:0:0/96')[0]!, 0n], // translated, RFC 2765
  [nets('64:ff9b::/96')[0]!, 0n], // NAT64, RFC 6052
  [nets('64:ff9b:1::/48')[0]!, 0n], // local NAT64, RFC 8215
  [nets('2002::/16')[0]!, 80n], // 6to4, RFC 3056
];
const TEREDO = nets('2001::/32')[0]!; // RFC 4380: the client's address is the last 32 bits, inverted

/** The IPv4 address inside a translated or tunnelled IPv6 one, else undefined. */
export function embeddedV4(ip: IpAddress): IpAddress | undefined {
  if (ip.version === 4 || ip.value <= 1n) return undefined;
  if (cidrContains(TEREDO, ip)) return { version: 4, value: ~ip.value & 0xffffffffn };
  const form = V6_EMBEDDED.find(([cidr]) => cidrContains(cidr, ip));
  return form && { version: 4, value: (ip.value >> form[1]) & 0xffffffffn };
}

/** What kind of address this is. A tunnelled or translated form is never public, and takes the class of the address inside when that is worse. */
export function classifyIp(ip: IpAddress): AddressClass {
  const within = (cidrs: Cidr[]) => cidrs.some((cidr) => cidrContains(cidr, ip));
  if (ip.version === 4) {
    if (within(V4_LOOPBACK)) return 'loopback';
    if (within(V4_PRIVATE)) return 'private';
    if (within(V4_LINK_LOCAL)) return 'link_local';
    return within(V4_RESERVED) ? 'reserved' : 'public';
  }
  if (ip.value === 1n) return 'loopback';
  const inner = embeddedV4(ip);
  if (inner) {
    const innerClass = classifyIp(inner);
    return innerClass === 'public' ? 'reserved' : innerClass;
  }
  if (within(V6_PRIVATE)) return 'private';
  if (within(V6_LINK_LOCAL)) return 'link_local';
  return cidrContains(V6_GLOBAL, ip) && !within(V6_RESERVED) ? 'public' : 'reserved';
}
