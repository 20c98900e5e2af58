import { ApiError, type ParsedHost, type ParsedUrl, schemasOf } from '@vedette/contract';
import { isOnionService } from '@vedette/probes/http';
import { Type } from 'typebox';
import { central, HttpUrl, parseTarget } from '../kit/index.ts';
import { asWritten } from '../shared/pages/url-parts.ts';
import { TOR_FIELDS } from './schema.ts';
import { isOnionUrl, testSite } from './site.ts';

const EXITS = 'tor-exits';
const RELAYS = 'tor-relays';
/** A feed that has just failed is fetched again within this. */
const AGAIN_S = 600;
const URL_CREDITS = 10;
const DEADLINE_MS = 60_000;

/** An address, or a URL. */
type TorQuery = { address: ParsedHost; site?: never } | { site: ParsedUrl; address?: never };

/** Tells whether an address belongs to the Tor network, by lists in memory, or whether a URL can be reached from there. */
export const torTest = central({
  name: 'tor-test',
  subject: 'networks',
  summary: 'Whether an IP address belongs to Tor, or a URL can be reached through Tor',
  description:
    'Looks an address up in the lists of Tor exits and of running relays, in memory. While one of the lists is not loaded the request is a free 502. A URL is visited through the Tor client of the operator, and then without it, and the answers are compared. URLs of onion services are allowed. Without a working Tor client the request is a free 503. docs/tor-test.md explains the fields.',
  cost: {
    base: 1,
    of: ({ site }: TorQuery) => (site ? URL_CREDITS : 1),
    note: `${URL_CREDITS - 1} more with \`url\``,
  },
  deadline_ms: DEADLINE_MS,
  dns: { questions: 80, ms: DEADLINE_MS, optional: ({ site }: TorQuery) => site?.kind !== 'name' || isOnionUrl(site) },
  references: ['RFC 1928', 'RFC 1929', 'RFC 7686', 'Tor Specifications: rend-spec-v3, socks-extensions'],
  contactsTarget: false,
  reachesOnions: true,
  request: Type.Object(
    {
      ip: Type.Optional(
        Type.String({
          minLength: 2,
          maxLength: 45,
          description: 'A public IPv4 or IPv6 address, written whole: no octal or short forms, no zone. Either `ip` or `url` is required',
          examples: ['8.8.8.8'],
        }),
      ),
      url: Type.Optional({ ...HttpUrl(), description: 'URL of a site or of an onion service. Not beside `ip`, and not in bulk requests' }),
    },
    { additionalProperties: false },
  ),
  // Each form has its own fields.
  response: Type.Partial(Type.Object(schemasOf(TOR_FIELDS))),
  bulk: 'ip',
  examples: [{ ip: '8.8.8.8' }],
  read({ ip, url }): TorQuery {
    if ((ip === undefined) === (url === undefined)) throw new ApiError('parameter_conflict', 'exactly one of ip and url', { param: 'url' });
    if (ip !== undefined) return { address: parseTarget('address', ip, 'ip') };
    const site = parseTarget('url', url!, 'url');
    asWritten(site);
    if (isOnionUrl(site) && !isOnionService(site.host))
      throw new ApiError('invalid_parameter', 'url is not that of an onion service (version 3)', { param: 'url' });
    return { site };
  },
  about: ({ address }) => (address ? { ip: address } : {}),
  further: ({ site }) => (site ? { url: site } : {}),
  async run({ address, site }, context) {
    if (site) return await testSite(site, context);
    const { host: ip } = address;
    const { networks, torRelays } = context;
    const missing = [EXITS, RELAYS].filter((list) => !networks.hasList(list));
    if (missing.length > 0)
      throw new ApiError('upstream_failed', `lists that are not loaded: ${missing.join(', ')}`, { retryAfterS: AGAIN_S });
    const marked = networks.marks(ip).map(({ list }) => list);
    const lists = [EXITS, RELAYS].filter((list) => marked.includes(list));
    return {
      ip,
      is_tor_exit: lists.includes(EXITS),
      is_tor_relay: lists.length > 0,
      lists,
      relays: torRelays.of(ip).map((relay) => ({ ...relay, flags: [...relay.flags] })),
    };
  },
});
