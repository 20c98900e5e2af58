/**
 * The lab's world as data: who stands where, at which address, how far away, and what is to be seen from there.
 *
 * Addresses are from ranges that are public in the real world, because the production address policy is in force here: the
 * documentation ranges are "reserved" to it. The lab has no way out, so nothing of this reaches their real owners.
 */

/** A city with an agent and a validating resolver of its own. */
export interface Region {
  id: string;
  /** Third octet of its IPv4 network, fourth group of its IPv6 network, and number of its delay queue. */
  index: number;
  continent_code: string;
  continent_name: string;
  country_code: string;
  country_name: string;
  city_name: string;
  lat: number;
  lon: number;
  /** One way between the region and the lab's internet, ms; a round trip to any host takes twice that. */
  delay_ms: number;
}

const CITIES: readonly Omit<Region, 'index'>[] = [
  { id: 'eu-fra', ...continent('EU', 'Europe'), ...country('DE', 'Germany'), city_name: 'Frankfurt', lat: 50.11, lon: 8.68, delay_ms: 4 },
  {
    id: 'us-ash',
    ...continent('NA', 'North America'),
    ...country('US', 'United States'),
    city_name: 'Ashburn',
    lat: 39.04,
    lon: -77.49,
    delay_ms: 22,
  },
  { id: 'sg-sin', ...continent('AS', 'Asia'), ...country('SG', 'Singapore'), city_name: 'Singapore', lat: 1.35, lon: 103.82, delay_ms: 45 },
  {
    id: 'br-gru',
    ...continent('SA', 'South America'),
    ...country('BR', 'Brazil'),
    city_name: 'São Paulo',
    lat: -23.55,
    lon: -46.63,
    delay_ms: 35,
  },
  {
    id: 'za-jnb',
    ...continent('AF', 'Africa'),
    ...country('ZA', 'South Africa'),
    city_name: 'Johannesburg',
    lat: -26.2,
    lon: 28.05,
    delay_ms: 40,
  },
  {
    id: 'au-syd',
    ...continent('OC', 'Oceania'),
    ...country('AU', 'Australia'),
    city_name: 'Sydney',
    lat: -33.87,
    lon: 151.21,
    delay_ms: 60,
  },
];

/** A further region is a line above; the lab takes up to 200. */
export const REGIONS: readonly Region[] = CITIES.map((city, position) => ({ ...city, index: position + 1 }));

function continent(continent_code: string, continent_name: string) {
  return { continent_code, continent_name };
}
function country(country_code: string, country_name: string) {
  return { country_code, country_name };
}

/** A network namespace with a way to the lab's internet: its own addresses, the router's, and its resolver's where it has one. */
export interface Site {
  name: string;
  v4: string;
  v6: string;
  gateway4: string;
  gateway6: string;
  resolver4?: string;
  resolver6?: string;
  /** Further addresses, held on `lo` and routed here. */
  extra: readonly string[];
  /** Management address towards the core; regions only. */
  mgmt?: string;
}

const regionSite = ({ id, index }: Region): Site => ({
  name: id,
  v4: `45.80.${index}.10`,
  v6: `2a0f:8000:${index}::10`,
  gateway4: `45.80.${index}.1`,
  gateway6: `2a0f:8000:${index}::1`,
  resolver4: `45.80.${index}.53`,
  resolver6: `2a0f:8000:${index}::53`,
  extra: [],
  mgmt: `10.200.1.${index}`,
});

/** The bus, the API and everything else that runs in the core listens here; regions reach it over their management link only. */
export const CORE_ADDRESS = '10.200.0.1';

// https://www.iana.org/domains/root/servers: with their real addresses, a resolver's built-in hints work as they are.
export const ROOT_SERVERS: readonly [letter: string, v4: string, v6: string][] = [
  ['a', '198.41.0.4', '2001:503:ba3e::2:30'],
  ['b', '170.247.170.2', '2801:1b8:10::b'],
  ['c', '192.33.4.12', '2001:500:2::c'],
  ['d', '199.7.91.13', '2001:500:2d::d'],
  ['e', '192.203.230.10', '2001:500:a8::e'],
  ['f', '192.5.5.241', '2001:500:2f::f'],
  ['g', '192.112.36.4', '2001:500:12::d0d'],
  ['h', '198.97.190.53', '2001:500:1::53'],
  ['i', '192.36.148.17', '2001:7fe::53'],
  ['j', '192.58.128.30', '2001:503:c27::2:30'],
  ['k', '193.0.14.129', '2001:7fd::1'],
  ['l', '199.7.83.42', '2001:500:9f::42'],
  ['m', '202.12.27.33', '2001:dc3::35'],
];
// What older hint files still say of b.root-servers.net.
const OLD_B_ROOT = ['199.9.14.201', '2001:500:200::b'];

/** Name servers below the root. */
export const DNS = {
  tld: { v4: '192.5.6.30', v6: '2001:503:a83e::2:30' },
  authoritative: { v4: '93.100.53.1', v6: '2a0f:9100:53::1' },
  /** Answers by the region that asks. */
  regional: { v4: '93.100.53.4' },
  /** Refuses every question although zones are delegated to it. */
  lame: { v4: '93.100.53.5' },
  /** Breaks the protocol, by the first label of the name asked for. */
  hostile: { v4: '93.100.53.9' },
} as const;

/** Silence: packets to it are dropped by the router. Anything not in this file is "unreachable" at once instead. */
export const DARK_ADDRESS = '93.100.99.99';

/** Exits for vpn-test. A target sees the exit's own address. */
export const EXITS = {
  socks: { address: '185.77.1.10', port: 1080, username: 'lab', password: 'exit-pass' },
  connect: { address: '185.77.1.11', port: 8888 },
  wireguard: { address: '185.77.1.12', port: 51820, region: 'eu-fra', interface: 'wg0', inner: '10.99.0.2', innerServer: '10.99.0.1' },
} as const;

/** Resolvers for everybody, with the addresses that agents ask through their exits; the core's answers for them. */
export const PUBLIC_RESOLVERS = ['1.1.1.1', '8.8.8.8', '2606:4700:4700::1111'] as const;

/** How a host's certificate is wrong, if it is. */
export type Certificate = 'good' | 'expired' | 'not-yet-valid' | 'wrong-name' | 'self-signed' | 'missing-intermediate' | 'tls1.0';

export interface WebHost {
  name: string;
  v4?: string;
  v6?: string;
  /** None: plain HTTP only. */
  certificate?: Certificate;
}

/** Hosts with a web server (see web.ts for what each answers). */
export const WEB_HOSTS = {
  web: { name: 'www.lab-good.com', v4: '93.100.1.1', v6: '2a0f:9000:1::1', certificate: 'good' },
  plain: { name: 'www.lab-plain.com', v4: '93.100.1.2' },
  v6only: { name: 'v6.lab-good.com', v6: '2a0f:9000:1::6', certificate: 'good' },
  redirects: { name: 'redirects.lab-good.com', v4: '93.100.1.3', certificate: 'good' },
  blockPage: { name: 'blocked.lab-good.com', v4: '93.100.1.4', certificate: 'good' },
  captcha: { name: 'captcha.lab-good.com', v4: '93.100.1.5', certificate: 'good' },
  /** One that port scans alone ask: it cools down. */
  scanned: { name: 'scanned.lab-good.com', v4: '93.100.1.6', v6: '2a0f:9000:1::7', certificate: 'good' },
  tlsGood: { name: 'good.lab-tls.com', v4: '93.100.1.20', certificate: 'good' },
  tlsExpired: { name: 'expired.lab-tls.com', v4: '93.100.1.21', certificate: 'expired' },
  tlsNotYetValid: { name: 'not-yet-valid.lab-tls.com', v4: '93.100.1.22', certificate: 'not-yet-valid' },
  tlsWrongName: { name: 'wrong-name.lab-tls.com', v4: '93.100.1.23', certificate: 'wrong-name' },
  tlsSelfSigned: { name: 'self-signed.lab-tls.com', v4: '93.100.1.24', certificate: 'self-signed' },
  tlsMissingIntermediate: { name: 'missing-intermediate.lab-tls.com', v4: '93.100.1.25', certificate: 'missing-intermediate' },
  tls10: { name: 'tls10.lab-tls.com', v4: '93.100.1.26', certificate: 'tls1.0' },
  /** One that is asked about while it cannot be resolved, and by no other file. */
  unresolved: { name: 'unresolved.lab-tls.com', v4: '93.100.1.28', certificate: 'good' },
  /** One whose address a resolver lies about: agents of a shared lab keep what they were told for as long as its TTL says. */
  tlsLied: { name: 'lied-about.lab-tls.com', v4: '93.100.1.27', certificate: 'good' },
} as const satisfies Record<string, WebHost>;

/** A name with two addresses of web servers; tests make the first unreachable. */
export const HALF_DEAD = { name: 'half.lab-good.com', dead: WEB_HOSTS.web.v4, alive: WEB_HOSTS.captcha.v4 } as const;

/** A web server that behaves as badly as its path says (hostile-http.ts). */
export const HOSTILE_HOST = { name: 'hostile.lab-good.com', v4: '93.100.3.1' } as const;

/** The region's own answer for `www.lab-regions.com`; a web server there says which region it stands for. */
export const regionalAddress = (region: Region): string => `93.100.1.${100 + region.index}`;

const webAddresses = (Object.values(WEB_HOSTS) as WebHost[]).flatMap(({ v4, v6 }) => [v4, v6]).filter((address) => address !== undefined);

export const SITES: readonly Site[] = [
  ...REGIONS.map(regionSite),
  {
    name: 'core',
    v4: '45.80.250.10',
    v6: '2a0f:8000:250::10',
    gateway4: '45.80.250.1',
    gateway6: '2a0f:8000:250::1',
    resolver4: '45.80.250.53',
    resolver6: '2a0f:8000:250::53',
    extra: PUBLIC_RESOLVERS,
  },
  {
    name: 'hosts',
    v4: '45.80.251.10',
    v6: '2a0f:8000:251::10',
    gateway4: '45.80.251.1',
    gateway6: '2a0f:8000:251::1',
    extra: [...webAddresses, HOSTILE_HOST.v4, ...REGIONS.map(regionalAddress)],
  },
  {
    name: 'dns',
    v4: '45.80.252.10',
    v6: '2a0f:8000:252::10',
    gateway4: '45.80.252.1',
    gateway6: '2a0f:8000:252::1',
    extra: [
      ...ROOT_SERVERS.flatMap(([, v4, v6]) => [v4, v6]),
      ...OLD_B_ROOT,
      ...Object.values(DNS).flatMap((server) => Object.values(server)),
    ],
  },
  {
    name: 'vpn',
    v4: '45.80.253.10',
    v6: '2a0f:8000:253::10',
    gateway4: '45.80.253.1',
    gateway6: '2a0f:8000:253::1',
    resolver4: '45.80.253.53',
    resolver6: '2a0f:8000:253::53',
    extra: [EXITS.socks.address, EXITS.connect.address, EXITS.wireguard.address],
  },
];

export const site = (name: string): Site => {
  const found = SITES.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`no such site in the lab: ${name}`);
  return found;
};

export const region = (id: string): Region => {
  const found = REGIONS.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`no such region in the lab: ${id}`);
  return found;
};
