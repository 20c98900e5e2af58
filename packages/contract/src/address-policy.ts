import {
  type AddressClass,
  type Cidr,
  cidrContains,
  classifyIp,
  embeddedV4,
  formatIp,
  type IpAddress,
  parseCidr,
  parseIp,
} from './address.ts';

export interface AddressVerdict {
  allowed: boolean;
  class: AddressClass;
  /** Canonical text of the address judged; empty when it is not an address. */
  address: string;
}

/** The one door out: what may be contacted. Says what an address is as well as whether it is allowed, since reports show both. */
export interface AddressPolicy {
  /** `port` is asked where there is one (not for ICMP). */
  judge(address: string, port?: number): AddressVerdict;
}

export interface AddressPolicyOptions {
  /** VEDETTE_ALLOW_NETS: let through although special-purpose (labs, intranets). */
  allowNets?: readonly string[];
  /** Addresses of this machine: never a target, unless an allowed network names them. */
  ownAddresses?: () => readonly string[];
  /** Ports that our own processes listen on. On our own or a loopback address they are refused whatever is allowed. */
  ownPorts?: () => readonly number[];
  /** Networks that the operator contacts for nobody, whatever is allowed. */
  denied?: () => readonly Cidr[];
}

/** Parses VEDETTE_ALLOW_NETS-like lists; throws with the text that is not a CIDR. */
export function parseCidrs(texts: readonly string[]): Cidr[] {
  return texts.map((text) => {
    const cidr = parseCidr(text);
    if (!cidr) throw new Error(`not a CIDR: ${text}`);
    return cidr;
  });
}

/** Allows what is proven public, plus the operator's networks; any port but those browsers refuse (Fetch standard). */
export function createAddressPolicy(options: AddressPolicyOptions = {}): AddressPolicy {
  const allowNets = parseCidrs(options.allowNets ?? []);
  const isOwn = (ip: IpAddress) => (options.ownAddresses?.() ?? []).some((text) => sameAddress(text, ip));
  return {
    judge(address, port) {
      const parsed = parseIp(address);
      if (!parsed) return { allowed: false, class: 'reserved', address: '' };
      const addressClass = classifyIp(parsed);
      const text = formatIp(parsed);
      // An allowed IPv4 network also covers its mapped form, which is how dual-stack sockets name it.
      const ip = embeddedV4(parsed) ?? parsed;
      const own = isOwn(ip);
      const allowed =
        (allowNets.some((net) => cidrContains(net, ip)) || (addressClass === 'public' && !own)) &&
        !options.denied?.().some((net) => cidrContains(net, ip)) &&
        !(port !== undefined && (own || addressClass === 'loopback') && (options.ownPorts?.() ?? []).includes(port)) &&
        !(port !== undefined && isBadPort(port));
      return { allowed, class: addressClass, address: text };
    },
  };
}

/** Whether no URL may name this port. */
export const isBadPort = (port: number): boolean => port < 1 || port > 65_535 || BAD_PORTS.has(port);

const sameAddress = (text: string, ip: IpAddress): boolean => {
  const own = parseIp(text);
  return own?.version === ip.version && own.value === ip.value;
};

// https://fetch.spec.whatwg.org/#port-blocking
const BAD_PORTS = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117,
  119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636,
  989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
]);
