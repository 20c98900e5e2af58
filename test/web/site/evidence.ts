import { NO_PAGE, readPage, type SiteEvidence, type SiteHop, type SiteVisit } from '@vedette/web/site';
import { FREE_PROVIDERS } from '@vedette/intel/mailboxes';
import { shippedBrands } from '@vedette/intel/identity';

export type Headers = readonly (readonly [name: string, value: string])[];

export const hop = (url: string, more: Partial<SiteHop> = {}): SiteHop => ({
  url,
  status: 200,
  fields: [['content-type', 'text/html; charset=utf-8']],
  refusal: '',
  secure: url.startsWith('https:') ? true : undefined,
  next: '',
  ...more,
});

/** A visit that led along these hops to a page. */
export async function visitOf(hops: readonly SiteHop[], html = '', more: Partial<SiteVisit> = {}): Promise<SiteVisit> {
  const led = hops.map((each, i) => (i + 1 < hops.length && each.next === '' ? { ...each, status: 301, next: hops[i + 1]!.url } : each));
  return { hops: led, end: 'page', page: html === '' ? NO_PAGE : await readPage(html), isHtml: html !== '', bytes: html.length, ...more };
}

const nobody = (url: string): SiteVisit => ({
  hops: [hop(url, { status: 0, fields: [], secure: undefined, refusal: 'connect_refused' })],
  end: 'failed',
  page: NO_PAGE,
  isHtml: false,
  bytes: 0,
});

export interface Shape {
  host?: string;
  html?: string;
  status?: number;
  headers?: Headers;
  /** Where the page is, where that is not the host itself. */
  url?: string;
  /** Further parts, in place of those of an ordinary site. */
  more?: Partial<SiteEvidence>;
}

/** A plain page of two paragraphs. */
export const PLAIN_HTML = `<!doctype html><html lang="en"><head><title>The village choir</title></head>
<body><h1>The village choir</h1><p>We sing on Thursdays in the old school, and everybody may come.</p>
<p>Write to <a href="mailto:choir@choir.example">choir@choir.example</a>.</p></body></html>`;

/** The evidence of an ordinary, well-kept site, but for what the shape says. */
export async function evidenceOf({
  host = 'choir.example',
  html = PLAIN_HTML,
  status = 200,
  headers = [],
  url,
  more = {},
}: Shape = {}): Promise<SiteEvidence> {
  const own = `https://${host}/`;
  const fields: Headers = headers.some(([name]) => name === 'content-type') ? headers : [['content-type', 'text/html'], ...headers];
  const landing = hop(url ?? own, { status, fields });
  return {
    host,
    domain: host,
    https: await visitOf(url === undefined || url === own ? [landing] : [hop(own), landing], html),
    http: await visitOf([hop(`http://${host}/`, { status: 301, next: own })], '', { end: 'not_followed' }),
    absent: await visitOf(
      [hop(`${own}nothing`, { status: 404 })],
      '<title>Not here</title><h1>There is no such page</h1><p>Go back to the <a href="/">beginning</a>.</p>',
    ),
    certificate: {
      valid: true,
      expired: false,
      sha1: '00'.repeat(20),
      type: 'DV',
      issuerOrganization: "Let's Encrypt",
      issuerCountry: 'US',
      subjectOrganization: '',
      subjectCommonName: host,
      subjectCountry: '',
      hosts: [host],
      isFresh: false,
      signs: { forgeries: '', oddNames: '', listed: { names: '', share: 0 }, claim: '', owner: undefined },
      revoked: false,
      blacklisted: false,
    },
    dns: {
      ipv4: ['9.9.9.9'],
      ipv6: ['2600::1'],
      nameServers: ['ns1.example.net', 'ns2.example.net'],
      mail: { exchangers: ['mx.example.net'], dmarc: 'reject', dmarcEnforced: true, unknown: new Set() },
      spoofable: false,
      caa: true,
      dnssecEnabled: true,
      dnssecSigned: true,
    },
    name: {
      abusedTld: false,
      uncommonLength: false,
      uncommonDashes: false,
      uncommonDots: false,
      clickable: false,
      homoglyph: '',
      typosquat: '',
      popularity: 'low',
    },
    has: { abusedTlds: true, ranks: true },
    detections: { high: 0, all: 0 },
    networks: [],
    unheard: 0,
    age: { days: 4_000, recent: false, veryRecent: false },
    countries: ['DE'],
    lists: { sinkhole: false, parked: false },
    isShortener: (asked) => asked === 'short.example' || asked === 'youtu.be',
    isParkedName: (asked) => asked === 'parked.example',
    isWellKnown: (asked) => asked === 'live.com',
    isFreeMail: (asked) => FREE_PROVIDERS.has(asked),
    isFreeHost: false,
    isRented: (asked) => asked.endsWith('.rented.example'),
    brands: shippedBrands(),
    icon: undefined,
    ...more,
  };
}

/** A site that does not answer. */
export const silent = (host = 'choir.example'): Pick<SiteEvidence, 'https' | 'http' | 'absent' | 'certificate'> => ({
  https: nobody(`https://${host}/`),
  http: nobody(`http://${host}/`),
  absent: undefined,
  certificate: undefined,
});
