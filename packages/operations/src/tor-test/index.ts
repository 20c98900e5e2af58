import { ApiError, field, schemasOf } from '@vedette/contract';
import { Type } from 'typebox';
import { central } from '../kit/index.ts';

const EXITS = 'tor-exits';
const RELAYS = 'tor-relays';
/** A feed that has just failed is fetched again within this. */
const AGAIN_S = 600;

export const TOR_FIELDS = {
  ip: field(Type.String({ description: 'Address from the request, in its canonical form' })),
  is_tor_exit: field(
    Type.Boolean({ description: 'Connections leave the Tor network from this address' }),
    'List `tor-exits`. Strangers who use Tor come from here. Exits of IPv6 change often: no says little of an IPv6 address',
  ),
  is_tor_relay: field(
    Type.Boolean({ description: 'The address belongs to a running relay of the Tor network, an exit included' }),
    'Lists `tor-relays` and `tor-exits`. A relay that is not an exit passes encrypted traffic on and contacts no strangers: do not block it. A bridge is in no list',
  ),
  lists: field(
    Type.Array(Type.String(), { description: 'Names of the lists that contain the address' }),
    'The lists are fetched every hour; `vedette feeds` shows their age',
  ),
};

/** Tells whether an address belongs to the Tor network, by lists in memory. Nothing is asked. */
export const torTest = central({
  name: 'tor-test',
  subject: 'networks',
  summary: 'Whether an IP address is an exit or a relay of Tor',
  description:
    'Looks the address up in the lists of Tor exits and of running relays, in memory. While one of the lists is not loaded the request is a free 502. docs/tor-test.md explains the fields.',
  cost: 1,
  deadline_ms: 5_000,
  contactsTarget: false,
  request: Type.Object(
    {
      ip: Type.String({
        minLength: 2,
        maxLength: 45,
        description: 'A public IPv4 or IPv6 address, written whole: no octal or short forms, no zone',
        examples: ['8.8.8.8'],
      }),
    },
    { additionalProperties: false },
  ),
  response: Type.Object(schemasOf(TOR_FIELDS)),
  bulk: 'ip',
  targets: { ip: 'address' },
  examples: [{ ip: '8.8.8.8' }],
  read: (_request, { ip }) => ({ ip: ip.host }),
  run({ ip }, { networks }) {
    const missing = [EXITS, RELAYS].filter((list) => !networks.hasList(list));
    if (missing.length > 0)
      throw new ApiError('upstream_failed', `lists that are not loaded: ${missing.join(', ')}`, { retryAfterS: AGAIN_S });
    const marked = networks.marks(ip).map(({ list }) => list);
    const lists = [EXITS, RELAYS].filter((list) => marked.includes(list));
    return Promise.resolve({ ip, is_tor_exit: lists.includes(EXITS), is_tor_relay: lists.length > 0, lists });
  },
});
