import { ApiError, lookUp, schemasOf } from '@vedette/contract';
import { judgeHostName } from '@vedette/intel/names';
import { lastAnswer, type ParkedVisit, parkingProviderOf, readParkedVisit } from '@vedette/web/site';
import { Type } from 'typebox';
import { central, type CentralContext, Host } from '../kit/index.ts';
import { withoutWww } from '../shared/pages/url-parts.ts';
import { listedOf, nameServers, openedName, problemsOf, visitSite } from '../site-trust/index.ts';
import { PARKED_FIELDS, PARKING_SIGNS, type ParkingSign } from './schema.ts';

/** Signs that only a parking service leaves. Words and lists are weaker. */
const STRONG: ReadonlySet<ParkingSign> = new Set(['market_redirect', 'adblock_key', 'parking_code', 'parking_script']);
/** A page of a parking service whose code we do not know is nearly empty until its scripts run. */
const EMPTY_MAX_CHARS = 300;

/** Tells whether a domain is parked, by its DNS and by the page that it shows. */
export const parkedDomain = central({
  name: 'parked-domain',
  subject: 'domains',
  summary: 'Whether a domain is parked or for sale',
  description:
    'Looks for name servers, addresses, redirects, code and words of parking services, markets and registrars. The page is visited over http, or over https if that does not answer. docs/parked-domain.md explains the signs. A report on a name with an inner address is free.',
  cost: 2,
  deadline_ms: 25_000,
  dns: { questions: 80, ms: 18_000 },
  request: Type.Object({ host: Host({ description: 'Domain name; www. in front is left out' }) }, { additionalProperties: false }),
  response: Type.Object(schemasOf(PARKED_FIELDS)),
  bulk: 'host',
  targets: { host: 'name' },
  examples: [{ host: 'example.org' }],
  read: (_request, { host }) => ({ host: withoutWww(host.host) }),
  async run({ host }, context) {
    const { tenant } = judgeHostName(host, context.names);
    const { opened } = await openedName(host, context);
    const [v4, v6, servers, visited] = await Promise.all([
      lookUp(context, opened, 'A'),
      lookUp(context, opened, 'AAAA'),
      nameServers(host, context),
      visit(opened, context),
    ]);
    if (servers === undefined && [v4, v6].every(({ state }) => state === 'failed'))
      throw new ApiError('upstream_failed', 'the DNS answered none of the queries', { retryAfterS: 5 });
    if (visited.site.hops[0]?.refusal === 'blocked_private_address') context.waivePrice();
    const addresses = [...v4.records, ...v6.records].map(({ data }) => data);
    const listed = listedOf({ addresses, nameServers: servers }, context, 'parking', 'parking-ns');
    const page = readParkedVisit(visited.site, tenant === '' ? host : tenant);
    const ns_parked = listed.servers.length > 0;
    const a_records_parked = listed.addresses.length > 0;
    const missing = [
      ...(context.networks.hasList('parking') ? [] : ['parking']),
      ...(context.names.hasList('parking-ns') ? [] : ['parking-ns']),
    ];
    const signs: ParkingSign[] = [
      ...page.signs,
      ...(ns_parked ? (['parked_name_server'] as const) : []),
      ...(a_records_parked ? (['parked_address'] as const) : []),
    ];
    const parked_domain = page.signs.length > 0 || (signs.length > 0 && !page.speaksForItself);
    const hasText = page.seen && page.textChars > EMPTY_MAX_CHARS;
    return {
      host,
      parked_domain,
      confidence: parked_domain
        ? confidenceOf(signs, page.signs.length > 0, hasText)
        : certaintyOf(page, servers !== undefined, missing.length === 0),
      parking_provider: parked_domain ? page.provider || (listed.servers.map(parkingProviderOf).find((name) => name !== '') ?? '') : '',
      for_sale: page.forSale,
      content_parked: page.signs.length > 0,
      ns_parked,
      a_records_parked,
      a_records_found: v4.records.length > 0,
      a_records: v4.records.map(({ data }) => data),
      ns_records: servers ?? [],
      url_final: lastAnswer(visited.site)?.url ?? '',
      detections_count: signs.length,
      reasons: signs.map((code) => ({ code, detail: PARKING_SIGNS[code] })),
      debug_message: [
        v4.error,
        v6.error,
        servers ? '' : `the name servers of ${host} are not known`,
        ...problemsOf(visited.raw),
        ...missing.map((list) => `the list ${list} is not loaded`),
      ]
        .filter((problem) => problem !== '')
        .join('; '),
    };
  },
});

/** Over http, since many parking services have no certificate for the name; over https if that does not answer. */
async function visit(opened: string, context: CentralContext): ReturnType<typeof visitSite> {
  const plain = await visitSite(`http://${opened}/`, {}, context);
  return lastAnswer(plain.site) || plain.site.hops[0]?.refusal === 'blocked_private_address'
    ? plain
    : await visitSite(`https://${opened}/`, {}, context);
}

function confidenceOf(signs: readonly ParkingSign[], isContent: boolean, hasText: boolean): 'high' | 'medium' | 'low' {
  const isListed = signs.some((sign) => sign === 'parked_name_server' || sign === 'parked_address');
  if (signs.some((sign) => STRONG.has(sign)) || (isContent && isListed)) return 'high';
  if (isContent) return 'medium';
  return signs.includes('parked_name_server') && !hasText ? 'medium' : 'low';
}

/** No list is believed against a site that speaks for itself: it is as sure without them. */
const certaintyOf = (
  page: Pick<ParkedVisit, 'seen' | 'speaksForItself'>,
  isDelegationKnown: boolean,
  hasLists: boolean,
): 'high' | 'medium' | 'low' => (!page.seen ? 'low' : isDelegationKnown && (hasLists || page.speaksForItself) ? 'high' : 'medium');
