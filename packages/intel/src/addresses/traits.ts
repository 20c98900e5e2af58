import type { AutonomousSystem, BlacklistCheck, Delegation, Mark, Networks, Origin } from '@vedette/contract';
import { amazonService, cloudOf, edgeOf, type Provider } from './clouds.ts';
import { type Crawler, crawlerByName, crawlerByRange } from './crawlers.ts';
import { LISTS_OF, unknownTraits, type Unknown } from './data.ts';
import { MAIL_SENDERS_LIST } from './mail-senders.ts';
import type { ReverseDns } from './reverse-dns.ts';
import { isSatelliteAs } from './satellite.ts';
import { sendersOf, serviceOf } from './services.ts';
import { PUBLIC_RESOLVERS, ROOT_NAME_SERVERS } from './well-known.ts';

/** All that was found out about one address. */
export interface AddressEvidence {
  /** Canonical text. */
  address: string;
  networks: Pick<Networks, 'hasList'>;
  marks: readonly Mark[];
  origin: Origin | undefined;
  system: AutonomousSystem | undefined;
  delegation: Delegation | undefined;
  /** Undefined where it was not asked for. */
  reverse: ReverseDns | undefined;
  check: BlacklistCheck;
}

/** What an address is, as far as anybody can say. False is also what nobody knows; `unknown` tells these apart. */
export type AddressTraits = ReturnType<typeof judgeAddress>;

const NO_PROVIDER: Provider = { name: '', domain: '' };
const GOOGLE_AS = 15_169;
const GOOGLE_ROBOTS = ['google-common-crawlers', 'google-special-crawlers', 'google-user-triggered'];

/** Judges an address by the lists that it is on, its holder, its names and what engines said of it. */
export function judgeAddress(evidence: AddressEvidence) {
  const { address, networks, marks, origin, system, delegation, reverse, check } = evidence;
  const hasList = (list: string): boolean => networks.hasList(list);
  const on = (...lists: readonly string[]): boolean => marks.some(({ list }) => lists.includes(list));
  const said = (meaning: string): boolean => check.results.some(({ detected, meanings }) => detected && meanings.includes(meaning));
  const asn = origin?.asn ?? 0;
  const robots = judgeRobots(marks, reverse, hasList);
  const resolver = PUBLIC_RESOLVERS.get(address) ?? '';
  const cloud = cloudOf(marks, asn, hasList);
  const relay = on(...LISTS_OF.is_relay);
  const proxy = on(...LISTS_OF.is_proxy) || said('open-proxy');
  return {
    // Those of a public resolver's own machines are in nobody's cloud and in front of nobody.
    cloud: cloud ?? NO_PROVIDER,
    cloudvendor_service: amazonService(marks),
    edge: (resolver === '' ? edgeOf(marks, asn, hasList) : undefined) ?? NO_PROVIDER,
    service: serviceOf(marks, robots.crawler),
    public_resolver: resolver,
    root_server: ROOT_NAME_SERVERS.get(address) ?? '',
    senders: sendersOf(marks),
    is_bogon: on(...LISTS_OF.is_bogon) || delegation?.status === 'available' || delegation?.status === 'reserved',
    is_blocklist_drop: on(...LISTS_OF.is_blocklist_drop),
    is_criminal_as: on('spamhaus-asndrop'),
    is_fake_bot: robots.fake !== undefined,
    fake_of: robots.fake?.name ?? '',
    is_vendorx_bot: robots.crawler?.domain === 'google.com' || on(...GOOGLE_ROBOTS),
    is_search_engine_bot: robots.crawler?.search === true,
    is_major_provider_spf_ip: on(MAIL_SENDERS_LIST),
    is_public_dns: resolver !== '' || on('public-dns'),
    // What Google publishes of its own, but for what its customers rent.
    is_vendorx_service: (on('google-services') || (asn === GOOGLE_AS && !hasList('google-services'))) && !on('gcp'),
    is_satellite: on(...LISTS_OF.is_satellite) || isSatelliteAs(asn),
    is_proxy: proxy,
    is_webproxy: said('web-proxy'),
    is_residential_proxy: proxy && system?.type === 'isp',
    // A relay's ranges get into lists of VPNs, though whoever is behind it is where they say.
    is_vpn: (on(...LISTS_OF.is_vpn) || said('vpn')) && !relay,
    is_hosting: on(...LISTS_OF.is_hosting) || cloud !== undefined || system?.type === 'hosting',
    is_relay: relay,
    is_tor: on(...LISTS_OF.is_tor) || said('tor'),
    missing: unknownTraits(hasList),
  } satisfies Record<string, unknown> & { missing: Unknown };
}

/**
 * Whose robot it is: by the ranges that owners publish, else by a name that leads back. One is false whose name says it is a robot's while the
 * name's own addresses do not lead back, or, where the DNS did not say, while the owner publishes all of its ranges and this is in none. Some
 * owners give their robots' names no addresses at all: such a name proves nothing either way.
 */
function judgeRobots(
  marks: readonly Mark[],
  reverse: ReverseDns | undefined,
  hasList: (list: string) => boolean,
): { crawler: Crawler | undefined; fake: Crawler | undefined } {
  const ranged = crawlerByRange(marks);
  if (ranged) return { crawler: ranged, fake: undefined };
  const names = reverse?.names ?? [];
  const proven = names.filter(({ leadsBack }) => leadsBack === 'yes').flatMap(({ name }) => crawlerByName(name) ?? [])[0];
  if (proven) return { crawler: proven, fake: undefined };
  for (const { name, leadsBack } of names) {
    const claimed = crawlerByName(name);
    const outside = claimed?.complete === true && claimed.lists.every(hasList);
    const leadsAway = leadsBack === 'no' || (leadsBack === 'nowhere' && claimed?.oneWay !== true);
    if (claimed && (leadsAway || outside)) return { crawler: undefined, fake: claimed };
  }
  return { crawler: undefined, fake: undefined };
}
