import { AS_TYPES, Enum, RIRS } from '@vedette/contract';
import { SERVICE_TYPES } from '@vedette/intel/addresses';
import { Type } from 'typebox';
import { AddressBlacklists } from '../shared/names/blacklist-block.ts';
import { RiskScore } from '../shared/names/risk-score.ts';

const text = (description: string) => Type.String({ description });
const flag = (description: string) => Type.Boolean({ description });
const count = (description: string) => Type.Integer({ description });

const Information = Type.Object(
  {
    reverse_dns: text('Its name in the reverse DNS, one that leads back before others; empty where there is none or it was not asked'),
    reverse_dns_confirmed: flag('Whether the addresses of that name have this one among them'),
    reverse_dns_error: text('Why its name is not known, though it was asked for; empty otherwise'),
    continent_code: text('Two letters: AF, AN, AS, EU, NA, OC or SA'),
    continent_name: text('In English'),
    country_code: text('ISO 3166-1 alpha-2'),
    country_name: text('In English'),
    is_eu: flag('Whether the country or territory is part of the European Union'),
    currency: text('ISO 4217'),
    currency_name: text('In English: US Dollar'),
    currency_name_plural: text('In English: US dollars'),
    currency_symbol: text('As it is told apart in English: CA$'),
    currency_symbol_native: text('As it is written there: $'),
    calling_code: text('Digits behind the plus'),
    emoji_flag: text('Flag of the country'),
    emoji_flag_unicode: text('Its code points: U+1F1FA U+1F1F8'),
    region_name: text('In English'),
    city_name: text('In English'),
    latitude: Type.Number({ description: 'Degrees north; 0 where it is not known' }),
    longitude: Type.Number({ description: 'Degrees east; 0 where it is not known' }),
    isp: text('Who announces the address'),
    asn: text('Its autonomous system, as AS64496'),
    related_service_name: text('The service that is known to use the address'),
    related_service_domain: text('Domain of that service'),
    related_service_type: Enum(['', ...SERVICE_TYPES], { description: 'Kind of that service; empty for none' }),
    cloud_provider: text('Who rents machines there'),
    cloud_provider_domain: text('Domain of that provider'),
    cloudvendor_service: text('The most specific service of Amazon Web Services that has the address, such as EC2; AMAZON where none has'),
    edge_service: text("The network that stands in front of others' servers there"),
    edge_service_domain: text('Domain of that network'),
    is_bogon: flag('Nobody was given the address'),
    is_blocklist_drop: flag('Spamhaus DROP has its network'),
    is_fake_bot: flag("Its name claims to be a known robot's, and is not"),
    is_vendorx_bot: flag("A robot of Google's: published ranges, or a name that leads back"),
    is_search_engine_bot: flag('A robot of a search engine: published ranges, or a name that leads back'),
    is_vendorx_service: flag("Google's own services, not what its customers rent"),
    is_major_provider_spf_ip: flag("A major mail provider's SPF record lets it send"),
    is_public_dns: flag('A resolver for everybody'),
    is_satellite: flag('Subscribers behind a satellite'),
  },
  { title: 'AddressInformation', description: 'Where it is, and what it is used for' },
);

const SystemOfAddress = Type.Object(
  {
    asn: text('As AS64496; empty where nobody announces the address'),
    asname: text('Its handle'),
    route: text('The announced network with the address in it, as a CIDR, or else what its registry gave out'),
    status: text('What its registry says of the number: allocated or assigned'),
    org: text('Its holder'),
    country_code: text('ISO 3166-1 alpha-2, as registered'),
    created: text('Day on which the number was given out, YYYY-MM-DD'),
    updated: text('Day of its last change in the registry, YYYY-MM-DD; empty where the registry was not heard'),
    days_since_created: count('0 where it is not known'),
    days_since_updated: count('0 where it is not known'),
    address: text('Postal, of the holder; empty where the registry was not heard, or does not say'),
    abuse_email: text('Where abuse is reported; empty where the registry was not heard, or does not say'),
    domain: text('Domain of the holder'),
    total_ipv4_prefixes: count('Networks that it announces; 0 where it is not known'),
    total_ipv4_ips: count('Addresses in these, each counted once; 0 where it is not known'),
    total_ipv6_prefixes: count('Networks that it announces; 0 where it is not known'),
    type: Enum(AS_TYPES, { description: 'What its holder does; business where nobody says' }),
    rir: Enum(['', ...RIRS], { description: 'The registry that gave it out; empty where it is not known' }),
  },
  { title: 'SystemOfAddress', description: 'The autonomous system that announces it' },
);

const Anonymity = Type.Object(
  {
    is_proxy: flag('An open proxy'),
    is_webproxy: flag('A proxy inside a web page'),
    is_residential_proxy: flag('An open proxy on a line of an internet provider; as far as anybody can know from outside'),
    is_vpn: flag('An exit of a VPN'),
    is_hosting: flag("A data centre's; says nothing of whether a VPN is there"),
    is_relay: flag('An exit of iCloud Private Relay'),
    is_tor: flag('A Tor exit; relays that are none do not count'),
  },
  { title: 'Anonymity', description: 'Whether somebody else may be behind it' },
);

export const IpReport = Type.Object({
  ip: text('Canonical text; an IPv4-mapped IPv6 address is the IPv4 address that it stands for'),
  version: Enum(['IPv4', 'IPv6'], { description: 'Address family' }),
  blacklists: AddressBlacklists,
  information: Information,
  asn: SystemOfAddress,
  anonymity: Anonymity,
  risk_score: RiskScore,
  data_missing: Type.Array(Type.String(), {
    description: 'Lists that are not loaded here (docs/ip-reputation.md): nothing counts as bad that only they would know',
  }),
  unknown: Type.Array(Type.String(), {
    description:
      'Fields of which no list is loaded, and reverse_dns where the DNS was asked and did not say: false or empty there says nothing',
  }),
});
