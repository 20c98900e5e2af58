import { CLOUD_LISTS, EDGE_LISTS } from './clouds.ts';
import { CRAWLERS } from './crawlers.ts';

const SEARCH_LISTS = CRAWLERS.filter(({ search }) => search).flatMap(({ lists }) => lists);

/** The lists behind a field of the report. */
export const LISTS_OF = {
  cloud_provider: CLOUD_LISTS,
  cloudvendor_service: ['aws'],
  edge_service: EDGE_LISTS,
  related_service: ['crawlers', 'monitoring', 'datadog', 'stripe', 'okta', 'github', 'atlassian'],
  is_blocklist_drop: ['spamhaus-drop'],
  is_bogon: ['fullbogons'],
  is_search_engine_bot: ['crawlers', ...SEARCH_LISTS],
  is_satellite: ['starlink'],
  is_vendorx_bot: ['google-common-crawlers', 'google-special-crawlers', 'google-user-triggered'],
  is_vendorx_service: ['google-services', 'gcp'],
  is_public_dns: ['public-dns'],
  is_major_provider_spf_ip: ['spf-majors'],
  is_proxy: ['open-proxies'],
  is_residential_proxy: ['open-proxies'],
  is_vpn: ['vpn-providers', 'x4b-vpn'],
  is_hosting: ['x4b-datacenter', ...CLOUD_LISTS],
  is_relay: ['icloud-relay'],
  is_tor: ['tor-exits'],
} as const satisfies Record<string, readonly string[]>;

/** The gaps in the report. */
export interface Unknown {
  /** Lists that are not loaded. */
  lists: readonly string[];
  /** Fields of which no list is loaded: empty or false there says nothing. */
  fields: readonly string[];
}

const FIELDS = Object.entries(LISTS_OF);
const LISTS = [...new Set(FIELDS.flatMap(([, lists]) => lists))].sort();

export function unknownTraits(hasList: (list: string) => boolean): Unknown {
  const lists = LISTS.filter((list) => !hasList(list));
  if (lists.length === 0) return { lists, fields: [] };
  const absent = new Set(lists);
  return { lists, fields: FIELDS.flatMap(([field, needed]) => (needed.every((list) => absent.has(list)) ? [field] : [])) };
}
