import { type AddressClass, classifyIp, parseIp } from '@vedette/contract';

/** Traits of a name's IPv4 addresses. */
export interface Ipv4Traits {
  /** It has one. */
  assigned: boolean;
  private: boolean;
  loopback: boolean;
  /** Link-local, documentation, multicast, and all other addresses that are not used on the internet. */
  reserved: boolean;
  /** One at least is public. */
  valid: boolean;
}

export function judgeIpv4(addresses: readonly string[]): Ipv4Traits {
  const classes = new Set<AddressClass>(
    addresses.flatMap((text) => {
      const ip = parseIp(text);
      return ip?.version === 4 ? [classifyIp(ip)] : [];
    }),
  );
  return {
    assigned: classes.size > 0,
    private: classes.has('private'),
    loopback: classes.has('loopback'),
    reserved: classes.has('reserved') || classes.has('link_local'),
    valid: classes.has('public'),
  };
}
