/** IP addresses and networks as numbers: read, printed and compared as bits, never as text. */
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

/** Character by character: an expression and its parts cost three times as much, and a request reads its address several times. */
function parseV4(text: string): number | undefined {
  if (text.length > LONGEST_V4) return undefined;
  let value = 0;
  let octet = -1; // no digit yet
  let dots = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit === DOT && octet >= 0) {
      value = value * 256 + octet;
      octet = -1;
      dots++;
    } else {
      if (digit < 0 || digit > 9 || octet === 0) return undefined; // octal, where a zero leads
      octet = octet < 0 ? digit : octet * 10 + digit;
      if (octet > 255) return undefined;
    }
  }
  return dots === 3 && octet >= 0 ? value * 256 + octet : undefined;
}
const LONGEST_V4 = '255.255.255.255'.length;
const ZERO = '0'.charCodeAt(0);
const DOT = '.'.charCodeAt(0) - ZERO;

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
  if (version === 4) {
    const word = Number(value); // large networks have ten thousand of them in one report
    return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`;
  }
  const groups = [96n, 64n, 32n, 0n].flatMap((shift) => {
    const word = Number((value >> shift) & 0xffff_ffffn);
    return [word >>> 16, word & 0xffff];
  });
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

/** The network of so many leading bits around an address. Undefined when its family has fewer. */
export function cidrOf({ version, value }: IpAddress, bits: number): Cidr | undefined {
  const size = version === 4 ? V4_BITS : V6_BITS;
  if (bits > size) return undefined;
  const shift = BigInt(size - bits);
  return { version, base: (value >> shift) << shift, bits };
}

const MAPPED = cidrOf({ version: 6, value: 0xffffn << 32n }, V6_BITS - V4_BITS)!; // ::ffff:0:0/96, RFC 4291 §2.5.5.2

/** The IPv4 address that an IPv4-mapped one stands for, as dual-stack sockets name IPv4 peers; any other address as it is. */
export const unmapped = (ip: IpAddress): IpAddress => (cidrContains(MAPPED, ip) ? v4In(ip.value) : ip);

/** The IPv4 address that stands in a number, so many bits from its end. */
export const v4In = (value: bigint, fromEnd = 0n): IpAddress => ({ version: 4, value: (value >> fromEnd) & 0xffffffffn });

/**
 * Parses `192.0.2.0/24`; a bare address is a /32 or /128. An IPv4-mapped network is the IPv4 network that it stands for, since addresses
 * are compared unmapped: `::ffff:192.0.2.0/120` is `192.0.2.0/24`. Undefined when it is neither, has more bits than its family, or
 * is a mapped address with a length that reaches beyond those of IPv4.
 */
export function parseCidr(text: string): Cidr | undefined {
  const [address = '', length, ...rest] = text.trim().split('/');
  const written = parseIp(address);
  if (!written || rest.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return undefined;
  const ip = unmapped(written);
  if (length === undefined) return cidrOf(ip, ip.version === 4 ? V4_BITS : V6_BITS);
  const bits = Number(length) - (ip === written ? 0 : MAPPED.bits);
  return bits < 0 ? undefined : cidrOf(ip, bits);
}

/** Parses VEDETTE_ALLOW_NETS-like lists; throws with the text that is not a CIDR. */
export function parseCidrs(texts: readonly string[]): Cidr[] {
  return texts.map((text) => {
    const cidr = parseCidr(text);
    if (!cidr) throw new Error(`not a CIDR: ${text}`);
    return cidr;
  });
}

/** Canonical text of a network; of a single address too. */
export const formatCidr = ({ version, base, bits }: Cidr): string => `${formatIp({ version, value: base })}/${bits}`;

export function cidrContains(cidr: Cidr, ip: IpAddress): boolean {
  if (cidr.version !== ip.version) return false;
  const shift = BigInt((ip.version === 4 ? V4_BITS : V6_BITS) - cidr.bits);
  return ip.value >> shift === cidr.base >> shift;
}
