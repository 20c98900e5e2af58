/** Changes whenever a weight, a cap or an override below does: docs/scores.md tells it, so that an old report can be read with its own table. */
export const SCORES_VERSION = 9;

/** How evidence of one kind of subject makes a risk. Weights and caps are shares of 1. */
export interface RiskTable<G extends string = string, F extends string = string> {
  /** The most that all evidence of a group can say together. */
  readonly caps: Readonly<Record<G, number>>;
  /** How much each factor says alone, and which group it is of. */
  readonly factors: Readonly<Record<F, { readonly group: G; readonly weight: number }>>;
  /** Days after which a sighting that has an age says nothing any more. */
  readonly lifetime_days: number;
}

const tableOf = <G extends string, F extends string>(table: RiskTable<G, F>): RiskTable<G, F> => table;

/** Risk of an address. Engines weigh as their catalogue says (docs/engines.md); `blacklist` is the weight of one that says nothing. */
export const ADDRESS_RISK = tableOf({
  caps: { abuse: 0.97, anonymity: 0.8, identity: 0.9 },
  factors: {
    blacklist: { group: 'abuse', weight: 0.2 },
    blocklist_drop: { group: 'abuse', weight: 0.95 },
    tor: { group: 'anonymity', weight: 0.65 },
    proxy: { group: 'anonymity', weight: 0.6 },
    residential_proxy: { group: 'anonymity', weight: 0.6 },
    webproxy: { group: 'anonymity', weight: 0.45 },
    vpn: { group: 'anonymity', weight: 0.35 },
    hosting: { group: 'anonymity', weight: 0.1 },
    relay: { group: 'anonymity', weight: 0.05 },
    bogon: { group: 'identity', weight: 0.9 },
    fake_bot: { group: 'identity', weight: 0.8 },
    criminal_as: { group: 'identity', weight: 0.4 },
    young_as: { group: 'identity', weight: 0.15 },
    hosting_without_reverse_dns: { group: 'identity', weight: 0.03 },
  },
  lifetime_days: 30,
});

/** Risk of a host name. Engines weigh as their catalogue says; the weight of a `detection_…` is that of one that says nothing. */
export const DOMAIN_RISK = tableOf({
  caps: { detections: 0.97, networks: 0.6, heuristics: 0.55, age: 0.35 },
  factors: {
    detection_malicious: { group: 'detections', weight: 0.2 },
    detection_high: { group: 'detections', weight: 0.2 },
    detection_low: { group: 'detections', weight: 0.2 },
    drop_network: { group: 'networks', weight: 0.6 },
    criminal_system: { group: 'networks', weight: 0.4 },
    tor_exit: { group: 'networks', weight: 0.15 },
    suspicious_homoglyph: { group: 'heuristics', weight: 0.5 },
    own_domain_in_front: { group: 'heuristics', weight: 0.5 },
    brand_and_lure: { group: 'heuristics', weight: 0.5 },
    brand_in_front: { group: 'heuristics', weight: 0.5 },
    slip_and_lure: { group: 'heuristics', weight: 0.4 },
    brand_of_tenant: { group: 'heuristics', weight: 0.4 },
    possible_typosquatting: { group: 'heuristics', weight: 0.35 },
    brand_and_word: { group: 'heuristics', weight: 0.15 },
    near_brand: { group: 'heuristics', weight: 0.1 },
    machine_made: { group: 'heuristics', weight: 0.5 },
    name_of_a_series: { group: 'heuristics', weight: 0.3 },
    generated_name: { group: 'heuristics', weight: 0.15 },
    words_of_forgers: { group: 'heuristics', weight: 0.4 },
    word_of_forgers: { group: 'heuristics', weight: 0.05 },
    words_of_a_campaign: { group: 'heuristics', weight: 0.5 },
    words_of_forgers_alone: { group: 'heuristics', weight: 0.5 },
    words_of_offices_that_ask: { group: 'heuristics', weight: 0.5 },
    words_of_offices: { group: 'heuristics', weight: 0.3 },
    inner_address: { group: 'heuristics', weight: 0.3 },
    uncommon_clickable_domain: { group: 'heuristics', weight: 0.2 },
    risky_category: { group: 'heuristics', weight: 0.2 },
    most_abused_tld: { group: 'heuristics', weight: 0.15 },
    uncommon_dash_count: { group: 'heuristics', weight: 0.08 },
    uncommon_dot_count: { group: 'heuristics', weight: 0.08 },
    uncommon_host_length: { group: 'heuristics', weight: 0.08 },
    no_valid_address: { group: 'heuristics', weight: 0.05 },
    very_recent: { group: 'age', weight: 0.35 },
    recent: { group: 'age', weight: 0.15 },
  },
  lifetime_days: 14,
});

/** Risk of a URL. Engines weigh as their catalogue says, a host as its own risk, the page as its trust is capped. */
export const URL_RISK = tableOf({
  caps: { listings: 0.97, hosts: 0.97, page: 0.9, shape: 0.6 },
  factors: {
    url_detection: { group: 'listings', weight: 0.7 },
    host: { group: 'hosts', weight: 0.2 },
    page: { group: 'page', weight: 0.6 },
    masked_file: { group: 'page', weight: 0.8 },
    secrets_of_a_named_mailbox: { group: 'page', weight: 0.4 },
    secrets_at_an_address: { group: 'page', weight: 0.1 },
    program: { group: 'page', weight: 0.1 },
    user_name_poses_as_host: { group: 'shape', weight: 0.5 },
    obscured_host: { group: 'shape', weight: 0.4 },
    path_names_a_brand: { group: 'shape', weight: 0.2 },
    ip_host: { group: 'shape', weight: 0.1 },
    mailbox_in_url: { group: 'shape', weight: 0.05 },
    user_name: { group: 'shape', weight: 0.05 },
    non_standard_port: { group: 'shape', weight: 0.03 },
  },
  lifetime_days: 7,
});

/** The least risk of a URL whose page was not seen, or whose age is not known. */
export const URL_FLOORS = { page_not_seen: 15, age_not_known: 10 } as const;

/** The least risk that is called dangerous, and suspicious; and the least share of the sources that must have answered before a lower one is called clean. */
export const VERDICT_BOUNDS = { dangerous: 50, suspicious: 25, coverage: 0.75 } as const;

/** The factor of heuristics for a well-known name: google.com is not squatting. */
export const POPULARITY_SCALE = { high: 0.1, medium: 0.5, low: 1 } as const;

/** The factor of a doubtful listing and, for an address, of a listing by an engine that combines others. */
export const LOW_CONFIDENCE = 0.5;

/** Meanings of names that harm their visitors. */
export const HARMFUL_MEANINGS: ReadonlySet<string> = new Set(['phishing', 'malware', 'botnet', 'fraud']);
/** Meanings of names that spam advertises: bad, but harmless by themselves. */
export const SPAM_MEANINGS: ReadonlySet<string> = new Set(['spam', 'redirector']);
/** The factor of a listing that has only spam meanings. */
export const SPAM_SHARE = 0.75;

/** Rules that have the last word on an address. */
export const ADDRESS_RULES = {
  /** Search engines' robots, monitors, public resolvers and root servers with no more than one weak detection. */
  known_service: { cap: 10 },
  /** It scans the whole internet for research, and says so by a name that leads back. */
  research_scanner: { cap: 30 },
  /** Senders of mail for many clients receive many complaints. */
  major_mail_sender: { cap: 35 },
  /** Criminals' networks, and what an engine of `SEVERE` weight lists. */
  severe_listing: { floor: 90 },
  bogon: { floor: 80 },
} as const;
/** Weight from which on one listing is enough. */
export const SEVERE = 0.9;
/** Weight below which a detection is weak. */
export const WEAK = 0.5;

/** The least risk where no engine was heard; where a part was not heard, as large a part of it. No subject is safer than what was seen of it. */
export const UNHEARD = 20;
