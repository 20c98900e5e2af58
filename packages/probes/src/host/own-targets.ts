import { type Cidr, cidrContains, formatCidr, isAtOrUnder, parseCidr, parseIp } from '@vedette/contract';

/** Whether a name or an address is one of the operator's own targets (VEDETTE_OWN_TARGETS), on which there are no limits: at or under one of the names, or in one of the networks. */
export function ownTargets(texts: readonly string[]): (target: string) => boolean {
  const names: string[] = [];
  const cidrs: Cidr[] = [];
  for (const text of texts) {
    const cidr = parseCidr(text);
    if (cidr) cidrs.push(cidr);
    else names.push(text.toLowerCase());
  }
  if (texts.length === 0) return () => false;
  return (target) => {
    const ip = parseIp(target);
    if (ip) return cidrs.some((cidr) => cidrContains(cidr, ip));
    const host = target.toLowerCase();
    return names.some((own) => isAtOrUnder(host, own));
  };
}

/**
 * The network around an address, as text: the least that is routed on its own, a /24 or a /48. A flood of neighbours floods their shared
 * link.
 */
export function prefixOf(address: string): string {
  const cidr = parseCidr(`${address}/${address.includes(':') ? 48 : 24}`);
  return cidr ? formatCidr(cidr) : address;
}
