import { AS_TYPES, RIRS } from '@vedette/intel/ports';
import { Enum, field, flag, schemasOf, text, texts } from '@vedette/contract';
import { integer } from '../kit/index.ts';
import { ADDRESS_USES, ANONYMITY, SERVICE_TYPES } from '@vedette/intel/addresses';
import { Type } from 'typebox';
import { AddressBlacklists } from '../shared/names/blacklist-block.ts';
import { RiskScore, VerdictWord } from '../shared/names/risk-score.ts';

/** The operator of the service at the address. */
export const ADDRESS_SERVICES = {
  related_service_name: field(
    text('Name of the service that is known to use the address; empty if there is none'),
    'The first that fits of: robots (published ranges, then confirmed names), monitoring, payments, identity, marketing, other software',
  ),
  related_service_domain: field(text('Domain of the service that uses the address')),
  related_service_type: field(
    Enum(['', ...SERVICE_TYPES], { description: 'Kind of the service that uses the address; empty if there is none' }),
  ),
  cloud_provider: field(
    text('Cloud provider whose machines have the address; empty if there is none'),
    "By the provider's own list; without it, by an autonomous system that has nothing else",
  ),
  cloud_provider_domain: field(text('Domain of the cloud provider')),
  cloudvendor_service: field(
    text("The most specific service of Amazon Web Services at the address, such as EC2; empty if the address is not Amazon's"),
    "By Amazon's list. `AMAZON` has all of Amazon's addresses, and counts where nothing else does",
  ),
  edge_service: field(
    text("Network at the address that stands in front of others' servers; empty if there is none"),
    'By its own list, CloudFront, Global Accelerator or Azure Front Door; without a list, by its autonomous system. Not at a public resolver',
  ),
  edge_service_domain: field(text('Domain of that edge network')),
};

const Information = Type.Object(
  {
    reverse_dns: text('Name of the address in the reverse DNS; empty if it has none or was not looked up'),
    reverse_dns_confirmed: flag('The name in the reverse DNS leads back to the address'),
    reverse_dns_error: text('Reason why the lookup of the name failed; empty if it succeeded'),
    continent_code: text('Continent of the address: AF, AN, AS, EU, NA, OC or SA'),
    continent_name: text('English name of the continent'),
    country_code: text('Country of the address, ISO 3166-1 alpha-2'),
    country_name: text('English name of the country'),
    is_eu: flag('The country or territory is part of the European Union'),
    currency: text('Currency of the country, ISO 4217'),
    currency_name: text('English name of the currency, such as US Dollar'),
    currency_name_plural: text('English plural of the currency, such as US dollars'),
    currency_symbol: text('Symbol of the currency in English texts, such as CA$'),
    currency_symbol_native: text('Symbol of the currency in the country, such as $'),
    calling_code: text('Telephone code of the country, without the plus'),
    emoji_flag: text('Flag of the country as an emoji'),
    emoji_flag_unicode: text('Code points of the flag, such as U+1F1FA U+1F1F8'),
    region_name: text('English name of the region'),
    city_name: text('English name of the city'),
    latitude: Type.Number({ description: 'Latitude in degrees north; 0 if it is not known' }),
    longitude: Type.Number({ description: 'Longitude in degrees east; 0 if it is not known' }),
    isp: text('Organization that announces the address'),
    asn: text('Autonomous system of the address, such as AS64496'),
    ...schemasOf(ADDRESS_SERVICES),
    ...schemasOf(ADDRESS_USES),
  },
  { title: 'AddressInformation', description: 'Place and use of the address' },
);

const SystemOfAddress = Type.Object(
  {
    asn: text('Number of the autonomous system, such as AS64496; empty if the address is not announced'),
    asname: text('Handle of the autonomous system'),
    route: text('Announced network that contains the address, as a CIDR; else the network that the registry gave out'),
    status: text('Status of the number at its registry: allocated or assigned'),
    org: text('Holder of the autonomous system'),
    country_code: text('Country of registration, ISO 3166-1 alpha-2'),
    created: text('Day on which the registry gave the number out, YYYY-MM-DD'),
    updated: text('Day of the last change at the registry, YYYY-MM-DD; empty if the registry did not answer'),
    days_since_created: integer('Days since `created`; 0 if it is not known'),
    days_since_updated: integer('Days since `updated`; 0 if it is not known'),
    address: text('Postal address of the holder; empty if the registry did not answer, or has none'),
    abuse_email: text('Address for reports of abuse; empty if the registry did not answer, or has none'),
    domain: text('Domain of the holder'),
    total_ipv4_prefixes: integer('IPv4 networks that the system announces; 0 if that is not known'),
    total_ipv4_ips: integer('Addresses in these IPv4 networks, each counted once; 0 if that is not known'),
    total_ipv6_prefixes: integer('IPv6 networks that the system announces; 0 if that is not known'),
    type: Enum(AS_TYPES, { description: 'Business of the holder; business if it is not known' }),
    rir: Enum(['', ...RIRS], { description: 'Registry that gave the number out; empty if it is not known' }),
  },
  { title: 'SystemOfAddress', description: 'Autonomous system that announces the address' },
);

const Anonymity = Type.Object(schemasOf(ANONYMITY), {
  title: 'Anonymity',
  description: 'Services that hide who is behind the address',
});

export const IpReport = Type.Object({
  ip: text('The address in canonical form; an IPv4-mapped IPv6 address is shown as IPv4'),
  version: Enum(['IPv4', 'IPv6'], { description: 'Address family' }),
  blacklists: AddressBlacklists,
  information: Information,
  asn: SystemOfAddress,
  anonymity: Anonymity,
  verdict: VerdictWord,
  risk_score: RiskScore,
  data_missing: texts('Lists that are not loaded here; nothing counts as bad that only they would know'),
  data_stale: Type.Array(
    Type.Object(
      { list: text('Name of the list'), as_of: text('Day on which its source last confirmed it, YYYY-MM-DD') },
      { title: 'StaleList' },
    ),
    {
      description:
        'Lists that are used here, and that their sources should have confirmed over a week ago: what changed since is not known',
    },
  ),
  unknown: texts('Fields that could not be determined, because no list is loaded or the DNS or a registry did not answer'),
});
