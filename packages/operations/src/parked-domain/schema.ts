import { Enum, field } from '@vedette/contract';
import { Type } from 'typebox';
import { PAGE_SIGNS, type PageSign } from '@vedette/web/site';

/** Every sign of a parked name, with what it says of it. */
export const PARKING_SIGNS: Readonly<Record<PageSign | 'parked_name_server' | 'parked_address', string>> = {
  ...PAGE_SIGNS,
  parked_name_server: 'a name server of the zone is one that a parking service gives to parked names',
  parked_address: 'an address of the name is one where names are parked',
};
export type ParkingSign = keyof typeof PARKING_SIGNS;

export const PARKED_FIELDS = {
  host: field(Type.String({ description: 'Host from the request, in lower-case A-labels, without www.' })),
  parked_domain: field(
    Type.Boolean({
      description: "The domain is parked: it waits for a buyer, or shows nothing but advertisements or a registrar's notice",
    }),
    'Any sign of the page, or of the DNS unless the site itself answers 2xx with more than 2,500 characters of text. Not parked: "under construction", the default page of nginx, an article about a domain for sale',
  ),
  confidence: field(
    Enum(['high', 'medium', 'low'], { description: 'Reliability of `parked_domain`' }),
    'Parked: high by a redirect, key, code or script of a parking service, or by words and the DNS together; medium by words or name servers alone; low by addresses alone, or by name servers alone although the page has text without a sign. Not parked: high if page and name servers were seen, medium if only the page was, else low. At most medium while a list is not loaded, unless the site answers 2xx with more than 2,500 characters',
  ),
  parking_provider: field(
    Type.String({ description: 'Parking service or market, such as Sedo; empty if unknown' }),
    'By the market, then the code of the page, then its links, then the name servers',
  ),
  for_sale: field(
    Type.Boolean({ description: 'The name is offered for sale' }),
    'The page says so in a title, heading or short text, or the name leads to a market. "example.com is for sale" counts for example.com only',
  ),
  content_parked: field(Type.Boolean({ description: 'The page, or the redirect to a market, shows that the name is parked' })),
  ns_parked: field(
    Type.Boolean({ description: 'A name server of the zone belongs to a parking service' }),
    'List `parking-ns`. Ordinary name servers of registrars are not on it: `ns01.domaincontrol.com` says nothing',
  ),
  a_records_parked: field(
    Type.Boolean({ description: 'An address of the name is one where names are parked' }),
    'List `parking`, which is off by default. False says nothing then, and `debug_message` names the list. An address of a content delivery network does not count',
  ),
  a_records_found: field(Type.Boolean({ description: 'Whether the name has IPv4 addresses' })),
  a_records: field(
    Type.Array(Type.String(), { description: 'IPv4 addresses of the name, or of www. before it where that alone has addresses' }),
  ),
  ns_records: field(Type.Array(Type.String(), { description: 'Name servers of the zone that holds the name' })),
  url_final: field(Type.String({ description: 'URL of the last page that answered; empty without an answer' })),
  detections_count: field(Type.Integer({ minimum: 0, description: 'Number of signs found, the length of `reasons`' })),
  reasons: field(
    Type.Array(
      Type.Object({
        code: Enum(Object.keys(PARKING_SIGNS) as ParkingSign[], { description: 'Sign of a parked name' }),
        detail: Type.String({ description: 'Sentence that explains the sign' }),
      }),
      { description: 'Signs of a parked name, those that were not believed included' },
    ),
  ),
  debug_message: field(
    Type.String({
      description:
        'Parts of the page and the DNS that did not answer, with the reason, and lists that are not loaded; empty if there are none',
    }),
    'The page was not seen: ask again, or read `confidence`. The list `parking` is off by default, and named here then',
  ),
};
