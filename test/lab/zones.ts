import { DARK_ADDRESS, DNS, HALF_DEAD, HOSTILE_HOST, regionalAddress, REGIONS, ROOT_SERVERS, WEB_HOSTS, type WebHost } from './plan.ts';

/** How a zone is signed. `bogus` is damaged after signing; `expired` was valid in 2020 only. */
type Signing = 'none' | 'good' | 'bogus' | 'expired';

export interface Zone {
  /** Without the trailing dot; the root is ''. */
  name: string;
  signing: Signing;
  /** Where its name server is; the parent's delegation says so. */
  server: { v4: string; v6?: string };
  records: readonly string[];
}

/** A zone whose records a test may change while the lab runs (`Dns.setZone`); its TTL outlives a test, so resolvers keep what they saw. */
export const CHANGING_ZONE = 'lab-change.com';
const CHANGING_TTL_S = 300;

/** A suffix under which names are registered by strangers, as the Public Suffix List has it: any name below is there, each a domain of its own. */
export const NAMES_OF_MANY_OWNERS = 'co.com';

/** 20 strings of 250 octets: more than a UDP answer holds. */
export const BIG_TXT = Array.from({ length: 20 }, (_, index) => String.fromCharCode(97 + index).repeat(250));

const quoted = (text: string) => `"${text}"`;

const hostRecords = (domain: string): string[] =>
  (Object.values(WEB_HOSTS) as WebHost[])
    .filter(({ name }) => name.endsWith(`.${domain}`))
    .flatMap(({ name, v4, v6 }) => [
      ...(v4 === undefined ? [] : [`${name}. A ${v4}`]),
      ...(v6 === undefined ? [] : [`${name}. AAAA ${v6}`]),
    ]);

const GOOD_RECORDS = [
  ...hostRecords('lab-good.com'),
  `hostile A ${HOSTILE_HOST.v4}`,
  `half A ${HALF_DEAD.dead}`,
  `half A ${HALF_DEAD.alive}`,
  `dark A ${DARK_ADDRESS}`,
  'unrouted A 93.100.98.1',
  'alias CNAME www',
  '*.wild A 93.100.1.1',
  'text-only TXT "no address here"',
  `big TXT ${BIG_TXT.map(quoted).join(' ')}`,
  // Every type that dns-lookup knows.
  '@ A 93.100.1.1',
  '@ AAAA 2a0f:9000:1::1',
  '@ MX 10 mail',
  '@ TXT "v=spf1 mx -all"',
  '@ TXT "two " "strings"',
  '_dmarc TXT "v=DMARC1; p=reject; rua=mailto:dmarc@lab-good.com"',
  'google._domainkey TXT "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="', // RFC 8463 §A
  'default._bimi TXT "v=BIMI1; l=https://www.lab-good.com/logo.svg"',
  '@ CAA 0 issue "ca.lab-good.com"',
  'mail A 93.100.2.1',
  '_sip._tcp SRV 10 60 5060 www',
  'https HTTPS 1 . alpn="h2,h3" ipv4hint=93.100.1.1',
  '_443._tcp.www TLSA 3 1 1 0D6FCE13243AA7A0D6FCE13243AA7A0D6FCE13243AA7A0D6FCE13243AA7A0D6F',
  'phone NAPTR 100 10 "u" "E2U+sip" "!^.*$!sip:info@lab-good.com!" .',
  // Names that lead inside. The public-looking first address of `mixed` must not open the way to its second.
  'private A 10.200.0.1',
  'loopback A 127.0.0.1',
  'loopback AAAA ::1',
  'metadata A 169.254.169.254',
  'cname-private CNAME private',
  // As if it were the operator's own domain: what is in there, and what is said to be.
  'db.inner A 10.1.2.3',
  'to-inner CNAME db.inner',
  'to-nothing CNAME no.inner',
  'mapped AAAA ::ffff:127.0.0.1',
  'nat64 AAAA 64:ff9b::7f00:1',
  'sixtofour AAAA 2002:7f00:1::1',
  'mixed A 93.100.1.1',
  'mixed A 127.0.0.1',
];

const zone = (name: string, signing: Signing, records: readonly string[], server: Zone['server'] = DNS.authoritative): Zone => ({
  name,
  signing,
  server,
  records,
});

/** Leaves of the tree that our own name server answers for. */
export const ZONES: readonly Zone[] = [
  zone('lab-good.com', 'good', GOOD_RECORDS),
  zone('lab-tls.com', 'none', hostRecords('lab-tls.com')),
  zone('lab-plain.com', 'none', [...hostRecords('lab-plain.com'), '@ A 93.100.1.2']),
  zone('lab-bogus.com', 'bogus', ['www A 93.100.1.1', 'www AAAA 2a0f:9000:1::1']),
  zone('lab-expired.com', 'expired', ['www A 93.100.1.1']),
  zone(CHANGING_ZONE, 'none', ['www A 93.100.1.1']),
  zone(NAMES_OF_MANY_OWNERS, 'none', ['* A 93.100.1.2']),
];

/** Answered by region: each sees its own address. */
export const REGIONAL_ZONE = zone('lab-regions.com', 'none', ['www A 93.100.1.1'], DNS.regional);
export const regionalZones: readonly { region: (typeof REGIONS)[number]; zone: Zone }[] = REGIONS.map((region) => ({
  region,
  zone: { ...REGIONAL_ZONE, records: [`www A ${regionalAddress(region)}`] },
}));

/** Delegated, but answered by something else than our name server. */
const DELEGATED_ONLY: readonly Zone[] = [
  REGIONAL_ZONE,
  zone('lab-lame.com', 'none', [], DNS.lame),
  zone('lab-dead.com', 'none', [], { v4: DARK_ADDRESS }),
  zone('lab-hostile.com', 'none', [], DNS.hostile),
];

const delegation = ({ name, server }: Zone): string[] => [
  `${name}. NS ns1.${name}.`,
  `ns1.${name}. A ${server.v4}`,
  ...(server.v6 === undefined ? [] : [`ns1.${name}. AAAA ${server.v6}`]),
];

export const COM_ZONE = zone('com', 'good', [...ZONES, ...DELEGATED_ONLY].flatMap(delegation), DNS.tld);

const rootServers = ROOT_SERVERS.flatMap(([letter, v4, v6]) => [
  `. NS ${letter}.root-servers.net.`,
  `${letter}.root-servers.net. A ${v4}`,
  `${letter}.root-servers.net. AAAA ${v6}`,
]);
export const ROOT_ZONE = zone('', 'good', [...rootServers, 'com. NS ns1.com.', `ns1.com. A ${DNS.tld.v4}`, `ns1.com. AAAA ${DNS.tld.v6}`], {
  v4: ROOT_SERVERS[0]![1],
});

/** The zone as RFC 1035 §5 text. The root's name servers are in its records; every other zone gets its own here. */
export function zoneText({ name, server, records }: Zone, serial: number): string {
  const ns = name === '' ? 'a.root-servers.net.' : `ns1.${name}.`;
  return `${[
    `$ORIGIN ${name}.`,
    `$TTL ${CHANGING_TTL_S}`,
    `@ SOA ${ns} hostmaster.${name === '' ? 'lab.' : `${name}.`} ${serial} 7200 3600 1209600 1`,
    ...(name === '' ? [] : delegation({ name, server, records, signing: 'none' })),
    ...records,
  ].join('\n')}\n`;
}
