import type { AutonomousSystem, Delegation } from '../ports/index.ts';
import { type Field, field, flag } from '@vedette/contract';
import type { Provider } from './clouds.ts';
import type { Crawler } from './crawlers.ts';
import { LISTS_OF } from './data.ts';
import { isSatelliteAs } from './satellite.ts';

/** The facts by which the fields of an address are judged. */
export interface AddressFacts {
  /** Whether the address is on one of these lists. */
  on(...lists: readonly string[]): boolean;
  /** Whether a blacklist engine lists the address with this meaning. */
  said(meaning: string): boolean;
  hasList(list: string): boolean;
  /** Number of the autonomous system; 0 for an unannounced address. */
  asn: number;
  system: AutonomousSystem | undefined;
  delegation: Delegation | undefined;
  cloud: Provider | undefined;
  /** The network in front of sites of others. */
  edge: Provider | undefined;
  /** The robot that the address is proven to be, and the one that its name wrongly claims to be. */
  robot: Crawler | undefined;
  fake: Crawler | undefined;
  /** The well-known resolver at the address; empty for none. */
  resolver: string;
}

interface AddressField extends Field {
  judge(facts: AddressFacts): boolean;
}
const trait = (description: string, note: string, judge: AddressField['judge']): AddressField => ({
  ...field(flag(description), note),
  judge,
});

const GOOGLE_AS = 15_169;
const isRelay = ({ on }: AddressFacts): boolean => on(...LISTS_OF.is_relay);
const isProxy = ({ on, said }: AddressFacts): boolean => on(...LISTS_OF.is_proxy) || said('open-proxy');

/** The uses of an address. */
export const ADDRESS_USES = {
  is_bogon: trait(
    'The address was never given out: the registry still has it or keeps it, or it is on a list of such networks',
    'Special-purpose addresses are refused before (`private_address`)',
    ({ on, delegation }) => on(...LISTS_OF.is_bogon) || delegation?.status === 'available' || delegation?.status === 'reserved',
  ),
  is_blocklist_drop: trait("The network of the address is on Spamhaus' list DROP", '', ({ on }) => on(...LISTS_OF.is_blocklist_drop)),
  is_fake_bot: trait(
    "The name of the address claims to be a known robot's, but the address is not that robot's",
    "The name's own addresses do not lead back; or they were not told, the owner publishes all of its ranges, and the address is in none. Not a name of Baidu's or Sogou's without an address: theirs often have none",
    ({ fake }) => fake !== undefined,
  ),
  is_vendorx_bot: trait(
    'The address belongs to a robot of Google',
    'Common, special, or triggered by users: by published ranges, or by a name that leads back',
    ({ on, robot }) => robot?.domain === 'google.com' || on(...LISTS_OF.is_vendorx_bot),
  ),
  is_search_engine_bot: trait(
    'The address belongs to a robot of a search engine',
    "By published ranges, or by a name that leads back. Where `crawlers` has an owner's whole autonomous system (Yandex, Meta), only the name counts",
    ({ robot }) => robot?.search === true,
  ),
  is_vendorx_service: trait(
    "The address belongs to Google's own services, not to customers of its cloud",
    'Without `google-services` those in AS15169',
    ({ on, asn, hasList }) => (on('google-services') || (asn === GOOGLE_AS && !hasList('google-services'))) && !on('gcp'),
  ),
  is_major_provider_spf_ip: trait(
    'The SPF record of a major mail provider allows the address to send',
    'One of twenty-two that send mail for others',
    ({ on }) => on(...LISTS_OF.is_major_provider_spf_ip),
  ),
  is_public_dns: trait(
    'A public DNS resolver runs at the address',
    'One of the well-known ones (shipped), or on the list, which also has resolvers that are open by mistake',
    ({ on, resolver }) => resolver !== '' || on(...LISTS_OF.is_public_dns),
  ),
  is_satellite: trait(
    'The address belongs to subscribers of a satellite network',
    "An autonomous system that has nothing else (shipped), or Starlink's geofeed",
    ({ on, asn }) => on(...LISTS_OF.is_satellite) || isSatelliteAs(asn),
  ),
};

/** Whether the address hides who is behind it. */
export const ANONYMITY = {
  is_proxy: trait('An open proxy runs at the address', 'A list has it, or an engine found one', isProxy),
  is_webproxy: trait('A blacklist engine found a proxy inside a web page at the address', '', ({ said }) => said('web-proxy')),
  is_residential_proxy: trait(
    'An open proxy runs at the address, in the network of an internet provider',
    'As much as can be known from outside',
    (facts) => isProxy(facts) && facts.system?.type === 'isp',
  ),
  is_vpn: trait(
    'The address is an exit of a VPN',
    "A provider's own list, the ranges of VPNs, or an engine says so; never for an exit of Private Relay, whose users are where it says. Ranges do not count for fronts such as bunny.net's, which rent in the same ones",
    (facts) => (facts.on('vpn-providers') || (facts.on('x4b-vpn') && facts.edge === undefined) || facts.said('vpn')) && !isRelay(facts),
  ),
  is_hosting: trait(
    'The address belongs to a data centre',
    "A cloud's own list, the ranges of data centres, or an autonomous system that rents servers. It says nothing of VPNs",
    ({ on, cloud, system }) => on(...LISTS_OF.is_hosting) || cloud !== undefined || system?.type === 'hosting',
  ),
  is_relay: trait('The address is an exit of iCloud Private Relay', 'Its users are in the country of the exit', isRelay),
  is_tor: trait(
    'The address is an exit of Tor',
    'By the list, or an engine that knows exits. Relays that are not exits do not count',
    ({ on, said }) => on(...LISTS_OF.is_tor) || said('tor'),
  ),
};
