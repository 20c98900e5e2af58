import {
  type AddressClass,
  type AddressPolicy,
  type Cidr,
  cidrContains,
  classifyIp,
  embeddedV4,
  formatIp,
  type IpAddress,
  type Listener,
  parseCidrs,
  parseIp,
  type Service,
  translatedV4,
} from '@vedette/contract';

const SERVICE_PORTS: Record<Exclude<Service, 'port'>, number> = { whois: 43, dns: 53 };

export interface AddressPolicyOptions {
  /** VEDETTE_ALLOW_NETS: let through although special-purpose (labs, intranets). */
  allowNets?: readonly string[];
  /** Addresses of this machine: never a target, unless an allowed network names them. */
  ownAddresses?: () => readonly string[];
  /** Where processes of ours, and those that they depend on, listen: refused whatever is allowed. */
  listeners?: () => readonly Listener[];
  /** The prefixes by which this network reaches IPv4 from IPv6 (NAT64). */
  nat64?: () => readonly Cidr[];
  /** Networks on the operator's deny-list; they win over `allowed`. */
  denied?: () => readonly Cidr[];
}

/** Allows what is proven public, plus the operator's networks; any port but those browsers refuse (Fetch standard). */
export function createAddressPolicy(options: AddressPolicyOptions = {}): AddressPolicy {
  const allowNets = parseCidrs(options.allowNets ?? []);
  const isOwn = (ip: IpAddress) => (options.ownAddresses?.() ?? []).some((text) => sameAddress(text, ip));
  const isListener = (ip: IpAddress, addressClass: AddressClass, port: number) =>
    (options.listeners?.() ?? []).some(
      ({ addresses, ports }) =>
        ports.includes(port) &&
        addresses.some((text) => sameAddress(text, ip) || (addressClass === 'loopback' && classOf(text) === 'loopback')),
    );
  return {
    judge(address, port, service) {
      const parsed = parseIp(address);
      if (!parsed) return { allowed: false, class: 'reserved', address: '' };
      const nat64 = options.nat64?.() ?? [];
      const addressClass = classifyIp(parsed, nat64);
      const text = formatIp(parsed);
      // The verdict on an IPv4 address also holds for IPv6 forms of it; dual-stack sockets use the mapped form.
      const ip = embeddedV4(parsed) ?? translatedV4(parsed, nat64) ?? parsed;
      const allowed =
        (allowNets.some((net) => cidrContains(net, ip)) || (addressClass === 'public' && !isOwn(ip))) &&
        !options.denied?.().some((net) => cidrContains(net, ip) || cidrContains(net, parsed)) &&
        !(port !== undefined && (isForbidden(port, service) || isListener(ip, addressClass, port)));
      return { allowed, class: addressClass, address: text };
    },
  };
}

function isForbidden(port: number, service: Service | undefined): boolean {
  if (service === 'port') return !isPort(port);
  return isBadPort(port) && !(service !== undefined && SERVICE_PORTS[service] === port);
}

const isPort = (port: number): boolean => port >= 1 && port <= 65_535;

/** Whether no URL may name this port. */
export const isBadPort = (port: number): boolean => !isPort(port) || BAD_PORTS.has(port);

const classOf = (text: string): AddressClass | undefined => {
  const ip = parseIp(text);
  return ip && classifyIp(ip);
};

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
