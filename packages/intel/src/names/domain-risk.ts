import type { EngineResult } from '../ports/index.ts';
import {
  assessRisk,
  DOMAIN_RISK,
  type Evidence,
  HARMFUL_MEANINGS,
  LOW_CONFIDENCE,
  POPULARITY_SCALE,
  type Risk,
  SPAM_MEANINGS,
  SPAM_SHARE,
  unheardRule,
} from '../risk/index.ts';
import type { IdentityRule } from '../identity/index.ts';
import { type HostCategories, riskyCategory } from './categories.ts';
import type { HostTraits } from './host-traits.ts';
import type { Ipv4Traits } from './ipv4-traits.ts';

type DomainFactor = keyof typeof DOMAIN_RISK.factors;

/** The evidence against a host name. */
export interface DomainEvidence {
  traits: HostTraits;
  categories: HostCategories;
  /** Undefined where the DNS did not answer: nothing is held against the name for that. */
  ipv4: Ipv4Traits | undefined;
  hasIpv6: boolean;
  /** Engines that list it. */
  detections: readonly EngineResult[];
  /** Undefined if the age was not asked for, or is unknown. */
  age: { recent: boolean; veryRecent: boolean; created: string } | undefined;
  /** Signs of the networks of its addresses; unset where the addresses are not known. */
  networks?: readonly { factor: 'drop_network' | 'criminal_system' | 'tor_exit'; detail: string }[];
  /** The share of the engines that were not heard. */
  unheard: number;
}

/** The risk of a host name (docs/scores.md). */
export function domainRisk({ traits, categories, ipv4, hasIpv6, detections, age, networks = [], unheard }: DomainEvidence): Risk {
  const confidence = POPULARITY_SCALE[traits.popularity];
  const heuristics = [...ofName(traits, categories), ...ofAddresses(ipv4, hasIpv6)].map((piece) => ({ ...piece, confidence }));
  // A well-known name on a single aggregated list is a mistake of that list, or the list means a name below it.
  const isStray = traits.popularity === 'high' && detections.length === 1 && detections[0]!.confidence === 'low';
  const listings = isStray ? [] : detections.map((detection) => ofEngine(detection, traits.popularity));
  // A tenant has no choice of networks.
  const hosted = traits.isTenant ? [] : networks.map((sign) => ({ ...sign, confidence, source: 'networks' }));
  return assessRisk(DOMAIN_RISK, [...listings, ...hosted, ...heuristics, ...ofAge(age)], unheardRule(unheard));
}

/** A listing weighs what its engine weighs (docs/engines.md), less where it is in doubt, and less where it says no worse than spam. */
function ofEngine(
  { name, confidence, doubtful, weight, meanings, group, sightings }: EngineResult,
  popularity: HostTraits['popularity'],
): Evidence<DomainFactor> {
  const isHarmful = meanings.some((meaning) => HARMFUL_MEANINGS.has(meaning));
  const isSpam = meanings.length > 0 && meanings.every((meaning) => SPAM_MEANINGS.has(meaning));
  // An unconfirmed listing is more often wrong about popular sites.
  const inDoubt = doubtful || (confidence === 'low' && popularity !== 'low');
  return {
    factor: inDoubt ? 'detection_low' : isHarmful ? 'detection_malicious' : confidence === 'low' ? 'detection_low' : 'detection_high',
    detail: meanings.length === 0 ? name : `${name}: ${meanings.join(', ')}`,
    weight,
    confidence: (inDoubt ? LOW_CONFIDENCE : 1) * (isSpam ? SPAM_SHARE : 1),
    age_days: sightings?.age_days ?? 0,
    ...(group !== '' && { source: group }),
  };
}

function ofName(traits: HostTraits, categories: HostCategories): Evidence<DomainFactor>[] {
  const { parts, identity, making } = traits;
  const found: [DomainFactor, boolean, string][] = [
    ['suspicious_homoglyph', traits.homoglyph !== '', traits.homoglyph],
    ...(identity ? [[FACTOR_OF[identity.rule], true, identity.detail] as [DomainFactor, boolean, string]] : []),
    ['machine_made', making.machine === 'campaign', `${parts.subdomain}.${parts.root_domain}`],
    ['name_of_a_series', making.machine === 'series', parts.root_domain],
    ['generated_name', making.machine === 'random', parts.root_domain],
    ['words_of_offices_that_ask', making.offices === 'ask', parts.root_domain],
    ['words_of_offices', making.offices === 'bare', parts.root_domain],
    ['words_of_a_campaign', making.campaign !== '', making.campaign.replaceAll('_', ' ')],
    ['words_of_forgers_alone', making.bare, parts.root_domain],
    ['words_of_forgers', making.lures === 'sure', `${parts.subdomain}.${parts.root_domain}`],
    ['word_of_forgers', making.lures === 'word', `${parts.subdomain}.${parts.root_domain}`],
    ['uncommon_clickable_domain', traits.clickable, 'the name of a file'],
    // A host without a tenant, such as `github.io`, is risky by the hosts below it; its own name proves nothing.
    ['risky_category', riskyCategory(categories) !== '' && traits.tenant !== '', riskyCategory(categories)],
    ['most_abused_tld', traits.abusedTld, parts.tld],
    ['uncommon_dash_count', traits.uncommonDashes, parts.root_domain],
    ['uncommon_dot_count', traits.uncommonDots, parts.subdomain],
    ['uncommon_host_length', traits.uncommonLength, parts.root_domain],
  ];
  // A look-alike that is also one letter away from the brand counts once.
  return found.flatMap(([factor, isSo, detail]) =>
    isSo ? [{ factor, detail, ...(LOOKS.has(factor) && { source: 'looks like a brand' }) }] : [],
  );
}
const FACTOR_OF = {
  own_domain_in_front: 'own_domain_in_front',
  brand_and_lure: 'brand_and_lure',
  slip_and_lure: 'slip_and_lure',
  brand_of_tenant: 'brand_of_tenant',
  slip: 'possible_typosquatting',
  brand_in_front: 'brand_in_front',
  brand_and_word: 'brand_and_word',
  near_brand: 'near_brand',
  other_tld: 'near_brand',
} as const satisfies Record<IdentityRule, DomainFactor>;
const LOOKS: ReadonlySet<DomainFactor> = new Set<DomainFactor>([
  'suspicious_homoglyph',
  'words_of_forgers',
  'word_of_forgers',
  'words_of_forgers_alone',
  'words_of_a_campaign',
  'words_of_offices',
  'words_of_offices_that_ask',
  ...Object.values(FACTOR_OF),
]);

function ofAddresses(ipv4: Ipv4Traits | undefined, hasIpv6: boolean): Evidence<DomainFactor>[] {
  if (!ipv4) return [];
  const kinds = (['private', 'loopback', 'reserved'] as const).filter((kind) => ipv4[kind]);
  if (kinds.length > 0) return [{ factor: 'inner_address', detail: kinds.join(', ') }];
  return ipv4.valid || hasIpv6 ? [] : [{ factor: 'no_valid_address', detail: 'no address' }];
}

function ofAge(age: DomainEvidence['age']): Evidence<DomainFactor>[] {
  if (!age || !age.recent) return [];
  return [{ factor: age.veryRecent ? 'very_recent' : 'recent', detail: age.created }];
}
