import { cidrContains, formatIp, type IpAddress, parseCidr, parseIp } from '@vedette/contract';

const MAPPED = parseCidr('::ffff:0:0/96')!;

/** A client's address; the IPv4-mapped form of a dual-stack socket (RFC 4291 §2.5.5.2) is the IPv4 address. Undefined when it is none. */
export function parseClientAddress(text: string): IpAddress | undefined {
  const address = parseIp(text);
  return address && cidrContains(MAPPED, address) ? { version: 4, value: address.value & 0xffffffffn } : address;
}

/** What one client is counted by: the IPv4 address, or the /64 that a subscriber has to itself (RFC 6177). */
export function networkOf(text: string): string {
  const address = parseClientAddress(text);
  if (!address) return text;
  if (address.version === 4) return formatIp(address);
  return `${formatIp({ version: 6, value: (address.value >> 64n) << 64n })}/64`;
}
