import { formatIp, type IpAddress, parseIp, unmapped } from '@vedette/contract';

/** A client's address; a dual-stack socket names IPv4 clients in their mapped form. Undefined when the text is none. */
export function parseClientAddress(text: string): IpAddress | undefined {
  const address = parseIp(text);
  return address && unmapped(address);
}

/** What one client is counted by: the IPv4 address, or the /64 that a subscriber has to itself (RFC 6177). */
export function networkOf(text: string): string {
  const address = parseClientAddress(text);
  if (!address) return text;
  if (address.version === 4) return formatIp(address);
  return `${formatIp({ version: 6, value: (address.value >> 64n) << 64n })}/64`;
}
