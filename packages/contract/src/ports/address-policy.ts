import type { AddressClass } from '../net/address-class.ts';

export interface AddressVerdict {
  allowed: boolean;
  class: AddressClass;
  /** Canonical text of the address judged; empty when it is not an address. */
  address: string;
}

/** The one door out: what may be contacted. Says what an address is as well as whether it is allowed, since reports show both. */
export interface AddressPolicy {
  /** `port` is asked where there is one (not for ICMP); `service`: whose own port is allowed beside those of the web. */
  judge(address: string, port?: number, service?: Service): AddressVerdict;
}

/** A service of others that is not the web: it has one port that no URL may name, or with `port`, every port is measured for its own sake. */
export type Service = 'whois' | 'dns' | 'port';
/** Sockets of one machine that take connections. */
export interface Listener {
  /** The listeners of the machine. A loopback address among them stands for all such. */
  addresses: readonly string[];
  ports: readonly number[];
}
