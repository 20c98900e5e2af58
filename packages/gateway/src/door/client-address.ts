import { cidrContains, formatIp, parseCidrs, parseIp, unmapped } from '@vedette/contract';

export interface ClientAddressReader {
  /** `peer` is the socket's remote address; `forwardedFor` the X-Forwarded-For header as received. */
  read(peer: string, forwardedFor: string | undefined): string;
  /** Whether the peer is a configured proxy. */
  trusts(peer: string): boolean;
}

/**
 * The client's address: the socket's, or, from a configured proxy, the right-most X-Forwarded-For entry that is not a proxy itself. The
 * count of hops is never trusted.
 */
export function clientAddressReader(trustedProxies: readonly string[]): ClientAddressReader {
  const proxies = parseCidrs(trustedProxies);
  const isProxy = (address: string): boolean => {
    const ip = proxies.length === 0 ? undefined : parseIp(address);
    return ip !== undefined && proxies.some((proxy) => cidrContains(proxy, ip));
  };
  return {
    trusts: (peer) => isProxy(peerAddress(peer)),
    read(peer, forwardedFor) {
      let client = peerAddress(peer);
      if (forwardedFor === undefined) return client;
      for (const hop of forwardedFor.split(',').reverse()) {
        if (!isProxy(client)) return client;
        const ip = parseIp(withoutPort(hop.trim()));
        if (ip === undefined) return client;
        client = formatIp(unmapped(ip));
      }
      return client;
    },
  };
}

/** Some load balancers write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
const withoutPort = (hop: string): string => /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, '$1');

/** A dual-stack listener names IPv4 peers in their mapped form. A text that is not an address (of a closed socket) stays as it is. */
export function peerAddress(peer: string): string {
  if (!peer.startsWith('::')) return peer; // in the kernel's canonical text a mapped address begins so: the others need not be parsed
  const ip = parseIp(peer);
  return ip === undefined ? peer : formatIp(unmapped(ip));
}
