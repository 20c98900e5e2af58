import type { EngineResult } from '../ports/index.ts';
import {
  ADDRESS_RISK,
  ADDRESS_RULES,
  assessRisk,
  type Evidence,
  freshness,
  LOW_CONFIDENCE,
  type Override,
  type Risk,
  SEVERE,
  unheardRule,
  WEAK,
} from '../risk/index.ts';
import type { AddressTraits } from './traits.ts';

type Piece = Evidence<keyof typeof ADDRESS_RISK.factors>;

/** The inputs of a risk, besides the traits of the address. */
export interface RiskInputs {
  traits: AddressTraits;
  detections: readonly EngineResult[];
  /** Days since the delegation of its autonomous system; undefined if unknown. */
  asAgeDays: number | undefined;
  /** Whether the DNS said that it has no name. */
  nameless: boolean;
  /** The share of the engines that were not heard. */
  unheard: number;
}

/** Younger systems have no past to judge by. */
const YOUNG_DAYS = 90;
/** Meanings that name a kind of anonymity, and are counted as such. */
const HIDING: ReadonlySet<string> = new Set(['tor', 'vpn', 'open-proxy', 'web-proxy']);

/** How dangerous an address is (docs/scores.md). */
export function addressRisk({ traits, detections, asAgeDays, nameless, unheard }: RiskInputs): Risk {
  const engines = detections.filter((result) => weighs(result, traits));
  const overrides = [...overridesOf(traits, engines), ...unheardRule(unheard)];
  return assessRisk(ADDRESS_RISK, [...engines.map(listing), ...signsOf(traits, asAgeDays, nameless)], overrides);
}

const left = (sightings: EngineResult['sightings']): number => freshness(sightings?.age_days ?? 0, ADDRESS_RISK.lifetime_days);

/** Listings that only name a kind of anonymity do not count, nor does DROP, which counts whether or not its engine was asked. */
const weighs = ({ id, weight, meanings }: EngineResult, traits: AddressTraits): boolean =>
  weight > 0 &&
  !(meanings.length > 0 && meanings.every((meaning) => HIDING.has(meaning))) &&
  !(traits.uses.is_blocklist_drop && id === 'spamhaus-drop');

const listing = ({ id, name, weight, group, confidence, meanings, sightings }: EngineResult): Piece => ({
  factor: 'blacklist',
  detail: meanings.length > 0 ? `${name}: ${meanings.join(', ')}` : name,
  weight,
  confidence: confidence === 'low' ? LOW_CONFIDENCE : 1,
  age_days: sightings?.age_days ?? 0,
  source: group === '' ? id : group,
});

function signsOf(traits: AddressTraits, asAgeDays: number | undefined, nameless: boolean): Piece[] {
  const young = asAgeDays !== undefined && asAgeDays < YOUNG_DAYS;
  const present: [Piece['factor'], boolean, string][] = [
    ['blocklist_drop', traits.uses.is_blocklist_drop, 'Spamhaus DROP has its network'],
    ['tor', traits.anonymity.is_tor, 'A Tor exit'],
    // An open proxy on a subscriber line does not also count as a proxy.
    ['residential_proxy', traits.anonymity.is_residential_proxy, 'An open proxy on a subscriber line'],
    ['proxy', traits.anonymity.is_proxy && !traits.anonymity.is_residential_proxy, 'An open proxy'],
    ['webproxy', traits.anonymity.is_webproxy, 'A proxy inside a web page'],
    ['vpn', traits.anonymity.is_vpn, traits.vpn_provider === '' ? 'An exit of a VPN' : `An exit of a VPN: ${traits.vpn_provider}`],
    ['hosting', traits.anonymity.is_hosting, traits.cloud.name === '' ? 'A data centre' : traits.cloud.name],
    ['relay', traits.anonymity.is_relay, 'An exit of iCloud Private Relay'],
    ['bogon', traits.uses.is_bogon, 'Nobody was given it'],
    ['fake_bot', traits.uses.is_fake_bot, `Its name claims to be ${traits.fake_of}, whose it is not`],
    ['criminal_as', traits.is_criminal_as, 'Spamhaus ASN-DROP has its autonomous system'],
    ['young_as', young, `Its autonomous system is ${asAgeDays} days old`],
    ['hosting_without_reverse_dns', nameless && traits.anonymity.is_hosting, 'A server without a name'],
  ];
  return present.flatMap(([factor, holds, detail]) => (holds ? [{ factor, detail, ...(factor === 'blocklist_drop' && DROP) }] : []));
}

/** Spamhaus' other zones know what DROP knows. */
const DROP = { source: 'spamhaus' };

function overridesOf(traits: AddressTraits, engines: readonly EngineResult[]): Override[] {
  const known = knownService(traits);
  const isQuiet = engines.length === 0 || (engines.length === 1 && engines[0]!.weight < WEAK);
  const severe = engines.find(({ weight, confidence, sightings }) => weight * left(sightings) >= SEVERE && confidence === 'high');
  const [sender] = traits.senders;
  return [
    ...(known !== '' && isQuiet ? [{ factor: 'known_service', detail: known, ...ADDRESS_RULES.known_service }] : []),
    ...(traits.scanner === '' ? [] : [{ factor: 'research_scanner', detail: traits.scanner, ...ADDRESS_RULES.research_scanner }]),
    ...(sender ? [{ factor: 'major_mail_sender', detail: sender.name, ...ADDRESS_RULES.major_mail_sender }] : []),
    ...(traits.uses.is_blocklist_drop || severe
      ? [{ factor: 'severe_listing', detail: severe?.name ?? 'Spamhaus DROP', ...ADDRESS_RULES.severe_listing }]
      : []),
    ...(traits.uses.is_bogon ? [{ factor: 'bogon', detail: 'Nobody was given it', ...ADDRESS_RULES.bogon }] : []),
  ];
}

/** Returns the essential service at an address; empty for none. */
function knownService({ public_resolver: resolver, root_server: root, uses, service }: AddressTraits): string {
  if (root !== '') return root;
  if (resolver !== '') return `Public resolver: ${resolver}`;
  return uses.is_search_engine_bot || service.type === 'Monitoring' ? service.name : '';
}
