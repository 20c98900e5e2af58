import { type Endpoint, listOf, parseHost, parseIp } from '@vedette/contract';

/** The servers whose answers prove that our own network works, by what they are asked. None: that is not tested. */
export interface Witnesses {
  /** Name servers that know the root. */
  dns: string[];
  /** Hosts that answer echoes. */
  icmp: string[];
  /** Servers that accept connections. */
  tcp: Endpoint[];
  quic: Endpoint[];
  /** Names that have the same answer everywhere. */
  names: string[];
}

interface Reader {
  isSet(name: string): boolean;
  value<T>(name: string, parse: (text: string) => T): T | undefined;
}

/** Root servers a, b and c, of each family (https://www.iana.org/domains/root/servers). */
const ROOT_SERVERS = ['198.41.0.4', '170.247.170.2', '192.33.4.12', '2001:503:ba3e::2:30', '2801:1b8:10::b', '2001:500:2::c'];
/** Resolvers of the public, of three operators: they answer echoes and HTTPS, the first two HTTP/3. */
const QUIC_SERVERS = ['1.1.1.1', '8.8.8.8', '2606:4700:4700::1111', '2001:4860:4860::8888'];
const PUBLIC_SERVERS = [...QUIC_SERVERS, '9.9.9.9', '2620:fe::fe'];
/** Two servers of the root that never moved, and a name that does not exist: some resolvers sell those. */
const ROOT_NAMES = ['f.root-servers.net', 'i.root-servers.net', 'nothing.root-servers.net'];
const NAMES_MAX = 8;
const DNS_PORT = 53;
const HTTPS_PORT = 443;

/** Reads VEDETTE_WITNESSES and its like; `endpoints` parses a list of addresses with ports. */
export function readWitnesses(reader: Reader, endpoints: (text: string, port: number, wanted: string) => Endpoint[]): Witnesses {
  const named = reader.isSet('VEDETTE_WITNESSES') ? (reader.value('VEDETTE_WITNESSES', addressesOf) ?? []) : undefined;
  const dns = named ?? ROOT_SERVERS;
  const publicOnes = named === undefined ? PUBLIC_SERVERS : [];
  return {
    dns,
    icmp: reader.value('VEDETTE_ICMP_WITNESSES', addressesOf) ?? [...dns, ...publicOnes],
    tcp: reader.value('VEDETTE_TCP_WITNESSES', (text) => endpoints(text, HTTPS_PORT, 'an address of a server')) ?? [
      ...withPort(dns, DNS_PORT),
      ...withPort(publicOnes, HTTPS_PORT),
    ],
    quic:
      reader.value('VEDETTE_QUIC_WITNESSES', (text) => endpoints(text, HTTPS_PORT, 'an address of a QUIC server')) ??
      withPort(dns.length > 0 ? QUIC_SERVERS : [], HTTPS_PORT),
    names: reader.value('VEDETTE_NAME_WITNESSES', namesOf) ?? (named === undefined ? ROOT_NAMES : []),
  };
}

const withPort = (addresses: readonly string[], port: number): Endpoint[] => addresses.map((address) => ({ address, port }));

function addressesOf(value: string): string[] {
  const addresses = listOf(value);
  const bad = addresses.filter((address) => parseIp(address) === undefined);
  if (bad.length > 0) throw new Error(`not an address: ${bad.join(', ')}`);
  return addresses;
}

function namesOf(value: string): string[] {
  const hosts = listOf(value).map((text) => ({ text, parsed: parseHost(text) }));
  const bad = hosts.filter(({ parsed }) => parsed?.kind !== 'name').map(({ text }) => text);
  if (bad.length > 0) throw new Error(`not a name: ${bad.join(', ')}`);
  if (hosts.length > NAMES_MAX) throw new Error(`at most ${NAMES_MAX} names`);
  return hosts.map(({ parsed }) => parsed!.host);
}
