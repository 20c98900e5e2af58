import { formatIp, type IpAddress, parseIp, unmapped } from '@vedette/contract';

/** A client's address; a dual-stack socket names IPv4 clients in their mapped form. Returns undefined when the text is not an address. */
export function parseClientAddress(text: string): IpAddress | undefined {
  const address = parseIp(text);
  return address && unmapped(address);
}

/** The unit by which one client is counted: the IPv4 address, or the /64 of a subscriber (RFC 6177). */
export function networkOf(text: string): string {
  const address = parseClientAddress(text);
  if (!address) return text;
  if (address.version === 4) return formatIp(address);
  return `${formatIp({ version: 6, value: (address.value >> 64n) << 64n })}/64`;
}
