import type { BudgetedResolver, Dialler, PassiveDns } from '@vedette/contract';
import type { Brands } from '../identity/index.ts';
import type { Transparency } from '../transparency/index.ts';

/** The gateway's data about the world besides the DNS, opened once for all central work. */
export interface DataPorts {
  networks: Networks;
  names: Names;
  urls: Urls;
  mailboxes: Mailboxes;
  phones: Phones;
  transparency: Transparency;
  blacklists: Blacklists;
  registries: Registries;
  passiveDns: PassiveDns;
  torRelays: TorRelays;
  lists: ListDays;
}

/** How old lists are. */
export interface ListDays {
  /** The day on which the source of a list last confirmed it, YYYY-MM-DD, where that is over a week later than it should be; empty otherwise. */
  staleSince(list: string): string;
  /** Whether a part of a list has not come yet since the start: its sources were not tried so far. */
  isAwaited(list: string): boolean;
}

/** Where an address is. Empty strings and zeros where the table does not say. */
export interface Place {
  continent_code: string;
  continent_name: string;
  country_code: string;
  country_name: string;
  region_name: string;
  city_name: string;
  latitude: number;
  longitude: number;
}

/** The place of what no table has. */
export const NOWHERE: Place = Object.freeze({
  continent_code: '',
  continent_name: '',
  country_code: '',
  country_name: '',
  region_name: '',
  city_name: '',
  latitude: 0,
  longitude: 0,
});

/** The origin AS of an address. */
export interface Origin {
  asn: number;
  /** The holder's name. */
  org: string;
  /** The announced network, as a CIDR; empty where only the holder is known. */
  route: string;
}

export const AS_TYPES = ['hosting', 'isp', 'business', 'education', 'government', 'banking'] as const;
export type AsType = (typeof AS_TYPES)[number];

/** The datasets' entry for an autonomous system. Empty where they do not. */
export interface AutonomousSystem {
  asn: number;
  /** Its handle, such as GOOGLE. */
  asname: string;
  org: string;
  country_code: string;
  type: AsType;
  domain: string;
}

export const RIRS = ['RIPE', 'APNIC', 'ARIN', 'JPNIC', 'LACNIC', 'AFRINIC'] as const;
export type Rir = (typeof RIRS)[number];

/** The entry of a regional registry's statistics for a number resource. */
export interface Delegation {
  rir: Rir;
  status: 'allocated' | 'assigned' | 'available' | 'reserved';
  country_code: string;
  /** YYYY-MM-DD; empty where it is not told. */
  date: string;
  /** The delegated block, as a CIDR that has the address in it; empty for AS numbers. */
  block: string;
}

/** One list that an address is on. */
export interface Mark {
  /** The list's name, such as `tor-exits`. */
  list: string;
  /** The list's label for it, such as a service or a region; empty without one. */
  label: string;
}

/** A running relay of Tor, by its own word and that of the directory authorities. Empty strings and 0 where they do not say. */
export interface TorRelay {
  nickname: string;
  fingerprint: string;
  flags: readonly string[];
  exit_policy: string;
  first_seen: string;
  last_seen: string;
  asn: number;
  as_name: string;
  country_code: string;
  contact: string;
}

/** The relays at an address in its canonical form. */
export interface TorRelays {
  of(address: string): readonly TorRelay[];
}

/** The size of what an autonomous system announces; zeros where that is not known. */
export interface NetworkTotals {
  total_ipv4_prefixes: number;
  total_ipv4_ips: number;
  total_ipv6_prefixes: number;
}

/** The datasets' present knowledge of addresses and autonomous systems. Nothing waits: all of it is in memory. */
export interface Networks {
  place(address: string): Place;
  origin(address: string): Origin | undefined;
  autonomousSystem(asn: number): AutonomousSystem | undefined;
  /**
   * Returns the announced networks, as CIDRs; undefined if they are unknown. They are `exact` where the announcements themselves are known;
   * otherwise neighbours may stand as one, and the addresses are the same.
   */
  prefixes(asn: number): { ipv4: readonly string[]; ipv6: readonly string[]; exact: boolean } | undefined;
  totals(asn: number): NetworkTotals;
  delegation(subject: { address: string } | { asn: number }): Delegation | undefined;
  /** Every list that has the address on it. */
  marks(address: string): readonly Mark[];
  /** Returns whether the list is loaded: without it, no answer about its entries is possible. */
  hasList(list: string): boolean;
}

/** One list that a name is on. */
export interface Listing {
  list: string;
  /** The listed name: the name itself, or one above it. */
  entry: string;
}

/** The datasets' present knowledge of names. Names are in lower-case A-labels. */
export interface Names {
  /** Every list that the name, or one above it up to the registrable one, is on. */
  listings(name: string): readonly Listing[];
  hasList(list: string): boolean;
  /** Place among the best known registrable domains, from 1; undefined for one that is not among them. */
  rank(domain: string): number | undefined;
  /** Brands that others imitate. */
  brands(): Brands;
}

/** The datasets' present knowledge of single URLs. */
export interface Urls {
  /** Every list that has one of these expressions of a URL (`@vedette/intel/urls`), with the first that it has. */
  listings(expressions: readonly string[]): readonly Listing[];
  hasList(list: string): boolean;
}

/** The verdict of the lists of disposable mailboxes on a domain. `unconfirmed`: one alone has it, and that one is not curated. */
export type Disposability = 'none' | 'unconfirmed' | 'known';

/** The datasets' present knowledge of mailboxes. */
export interface Mailboxes {
  /** Judges a domain in lower-case A-labels, or the one above it that is listed. */
  disposability(domain: string): Disposability;
}

/** The datasets' present knowledge of telephone numbers. */
export interface Phones {
  /** Whether a number in E.164 has a public inbox. */
  isDisposable(e164: string): boolean;
}

/** The result of one engine. */
export interface EngineResult {
  /** Its id in the catalogue of engines, such as `spamcop`. */
  id: string;
  name: string;
  detected: boolean;
  /** Where a person can look it up. */
  reference: string;
  elapsed_ms: number;
  confidence: 'high' | 'low';
  /** Whether this particular listing is in doubt, independent of its engine: its confidence is low then. */
  doubtful: boolean;
  /** How much a listing weighs in a risk score, 0 to 1 (docs/scores.md). */
  weight: number;
  /** Engines that know from one another what they know are one group; empty for one alone. */
  group: string;
  /** The meanings of the listing, such as `open-proxy`, `vpn`, `tor`, `phishing`, `malware`. */
  meanings: readonly string[];
  /** Unset for what is not listed, and for zones: they were asked now. */
  sightings?: Sightings;
}

/** When a list's source saw an entry, YYYY-MM-DD. */
export interface Sightings {
  first_seen: string | null;
  last_seen: string | null;
  /** Days since that was known to be so. */
  age_days: number;
}

/** An engine that did not answer. */
export interface UnansweredEngine {
  name: string;
  why: string;
  /** Where the fault is ours: the cause, and seconds until it may be asked again. Unset where the engine is silent. */
  ours?: OwnFault;
}

/** Why an engine was not heard through our own fault: our rate limit kept the question back, or our own line or resolver failed. */
export interface OwnFault {
  cause: 'paced' | 'network';
  retry_after_s: number;
}

/** The results of all engines for one subject. */
export interface BlacklistCheck {
  /** The engines that answered: detections first, then by name. */
  results: readonly EngineResult[];
  /** Engines that were to be asked and did not answer, and why. */
  unanswered: readonly UnansweredEngine[];
  scan_time_ms: number;
}

/** How one request asks engines. */
export interface BlacklistOptions {
  resolver: BudgetedResolver;
  signal: AbortSignal;
  /** Names of engines that are not asked, as the client wrote them. */
  exclude: readonly string[];
  /** The client's own key at the provider that wants one. */
  key: string | undefined;
}

/** The blacklists: DNSBLs and lists in memory, under one deadline. Their failures are data. */
export interface Blacklists {
  address(address: string, options: BlacklistOptions): Promise<BlacklistCheck>;
  /** A host name in lower-case A-labels. */
  host(host: string, options: BlacklistOptions): Promise<BlacklistCheck>;
  /** A host name in lower-case A-labels, by the lists of names in memory. */
  hostInMemory(host: string): BlacklistCheck;
  /** An http or https URL, by the lists of URLs in memory. */
  url(url: string, options: Pick<BlacklistOptions, 'exclude'>): BlacklistCheck;
}

/** The means of one request to look a registration up. */
export interface RegistryWays {
  resolver: BudgetedResolver;
  dialler: Dialler;
  signal: AbortSignal;
  /** The operator's deny-list. */
  isDenied(host: string): boolean;
  /** The account that asks: it has its share of a registry's allowance. */
  account: { id: string };
  /** How long the request waits; what was heard by then is what it gets. */
  timeout_ms: number;
  /** Reads only the cache, and asks no server. */
  cachedOnly: boolean;
}

/** The common part of all registrations. */
interface Registration {
  /** `unknown`: no competent server has answered. */
  state: 'registered' | 'unregistered' | 'unknown';
  /** Whether a server answered, now or when the cache was filled. */
  answered: boolean;
  /** Day of its creation, YYYY-MM-DD. */
  created: string;
  /** Day of its last change, YYYY-MM-DD. */
  updated: string;
  /** The servers that did not answer, or other remarks for the reader, as text; empty if all went well. */
  problem: string;
  /** When asking again may do better, where it is our own pacing of the server that refused; 0 where it is not. */
  retry_after_s: number;
}

/** The known facts about a domain's registration. Empty strings where nothing is. */
export interface DomainRegistration extends Registration {
  /** Day on which it ends, YYYY-MM-DD. */
  expires: string;
  registrar: string;
  registrar_url: string;
  registrar_abuse_email: string;
  registrar_iana_id: string;
  owner_organization: string;
  /** ISO 3166-1 alpha-2 where the registry tells that. */
  owner_country: string;
  owner_state_province: string;
  /** SHA-256 of the owner's address, trimmed and in lower case, as lower-case hex. The address itself is kept nowhere. */
  owner_email_hash: string;
  owner_email_domain: string;
  owner_private_person: boolean;
  hidden: boolean;
  /** Whether the delegation is signed. */
  dnssec: 'signed' | 'unsigned' | 'unknown';
  nameservers: readonly string[];
}

/** The known facts about an autonomous system's registration. Empty strings where nothing is. */
export interface AsRegistration extends Registration {
  asname: string;
  org: string;
  country_code: string;
  status: string;
  address: string;
  abuse_email: string;
  rir: Rir | '';
}

/**
 * The registries of domains and numbers: RDAP first, WHOIS as a substitute. Cached, coalesced, paced. Servers that fail, or that were asked
 * too much, are data (`state: 'unknown'`); rejects only when the request itself has ended.
 */
export interface Registries {
  /** A registrable domain, in lower-case A-labels. */
  domain(name: string, ways: RegistryWays): Promise<DomainRegistration>;
  autonomousSystem(asn: number, ways: RegistryWays): Promise<AsRegistration>;
}
