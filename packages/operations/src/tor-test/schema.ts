import { Enum, field, text } from '@vedette/contract';
import { Type } from 'typebox';

const Visit = Type.Object(
  {
    status_code: Type.Integer({ description: 'HTTP status of the last answer; 0 without an answer' }),
    url_final: text('URL of the last answer, with any password masked; empty without an answer'),
    title: text('Title of the page; empty without a page'),
    bytes: Type.Integer({ description: 'Size of the page after decoding, in bytes' }),
    guard: text(
      "Protection service that answered in the site's place with a challenge or block page, such as Cloudflare; empty without one",
    ),
    error: text('Reason why no page arrived; empty if one did'),
    elapsed_ms: Type.Integer({ description: 'Time for all requests of the visit, in ms' }),
  },
  { title: 'TorVisit', description: 'Visit of the URL, through Tor or without it' },
);

const Relay = Type.Object(
  {
    nickname: text('Nickname that the relay gives itself'),
    fingerprint: text('Fingerprint of the identity key, 40 hexadecimal digits'),
    flags: Type.Array(Type.String(), { description: 'Flags that the directory authorities gave it, such as Exit, Guard and Fast' }),
    exit_policy: text('Ports of the exit policy for IPv4, such as `accept 80,443`; `reject 1-65535` for other relays than exits'),
    first_seen: text('Time in UTC at which the relay was first seen'),
    last_seen: text('Time in UTC at which the relay was last seen in a consensus'),
    asn: Type.Integer({ description: 'Number of the autonomous system; 0 if it is not known' }),
    as_name: text('Name of the autonomous system'),
    country_code: text('Country by the Tor Project, as two letters'),
    contact: text('Contact of the operator, as the relay tells it'),
  },
  { title: 'TorRelay', description: 'Running relay of the Tor network' },
);

/** Fields about an address. */
const ADDRESS_FIELDS = {
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
  relays: field(
    Type.Array(Relay, { description: 'Running relays at the address; empty without any' }),
    'At most eight. An exit that connects from another address than it listens at is found by both. Nicknames, contacts and countries are claims',
  ),
};

/** Fields about a URL. */
const URL_FIELDS = {
  url: field(Type.String({ description: 'URL from the request, with any password masked' }), 'A user name in the URL is sent to no server'),
  is_onion: field(Type.Boolean({ description: 'The URL is that of an onion service, which only Tor reaches' })),
  accessible: field(
    Type.Boolean({ description: "The site's own page arrived through Tor" }),
    'An answer below 400 at the end of the redirects, and no page of a protection service',
  ),
  blocks_tor: field(
    Enum(['yes', 'partly', 'no', 'unknown'], {
      description: 'The site refuses visitors from Tor, and admits the same request from this service',
    }),
    '`yes`: two circuits were refused. `partly`: one was refused, and the next one brought the page. `unknown`: nothing can be concluded, for example because the direct request fails, too, or only one circuit was refused. A page with other content and status 200 is not noticed: compare `title` and `bytes`',
  ),
  circuits: field(
    Type.Integer({ minimum: 1, maximum: 2, description: 'Circuits on which the site was visited' }),
    'If the first one brings no page, the site is visited once more on another circuit, mostly with another exit. `through_tor` is the last visit',
  ),
  onion_location: field(
    Type.String({ description: 'Onion service that the site names for itself, by its `Onion-Location` header; empty without one' }),
  ),
  through_tor: field(Visit, 'The visit through Tor'),
  direct: field(Type.Optional(Visit), 'The same request without Tor; absent for an onion service'),
  debug_message: field(Type.String({ description: 'Reason why `blocks_tor` is unknown; empty otherwise' })),
};

/** Each row of docs/tor-test.md. */
export const TOR_FIELDS = { ...ADDRESS_FIELDS, ...URL_FIELDS };
