import { type TProperties, Type } from 'typebox';
import { PLATFORMS } from '@vedette/web/site';
import { HostBlacklists } from '../shared/names/blacklist-block.ts';
import { Factors } from '../shared/names/risk-score.ts';
import { ServerDetailsByHostname } from '../shared/names/server-details.ts';
import { UrlParts } from '../shared/pages/url-parts.ts';
import { CHECK_DESCRIPTIONS } from './check-descriptions.ts';

const text = (description: string) => Type.String({ description });
const flag = (description: string) => Type.Boolean({ description });

const DnsHost = Type.Object(
  {
    target: text('Host name'),
    ip: text('Its first IPv4 address; empty where it has none, or it was not answered'),
    country_code: text('Of that address, ISO 3166-1 alpha-2'),
    country_name: text('In English'),
    isp: text('Who announces that address'),
  },
  { title: 'SiteDnsHost' },
);

const platformFlags: TProperties = Object.fromEntries(
  PLATFORMS.map((platform) => [`is_${platform}`, flag(`The site runs on ${platform}`)]),
);
const checkFlags: TProperties = Object.fromEntries(
  Object.entries(CHECK_DESCRIPTIONS).map(([name, description]) => [name, flag(description)]),
);

const HtmlInfo = Type.Object(
  {
    title: text('Content of `title`'),
    description: text('`meta` description'),
    keywords: text('`meta` keywords'),
    robots: text('`meta` robots'),
    canonical: text('URL of `link rel=canonical`, as written'),
    og_image: text('Open Graph image, as written'),
    article_publisher: text('Open Graph article:publisher'),
    og_site_name: text('Open Graph site name'),
    socialnet_site: text("The site's account at a social network (`twitter:site`)"),
    generator: text('`meta` generator'),
    ld_organization: text('Name of the first organisation in JSON-LD'),
    lang: text('Language of `html`'),
  },
  { description: 'What the page says of itself; empty where it does not' },
);

const SecurityChecks = Type.Object(
  {
    ...checkFlags,
    http_status_code: Type.Integer({ description: 'Of the last answer; 0 when none came' }),
    ssl_type: text('EV, OV, IV or DV by the policies in the certificate; empty where it names none of them'),
    ssl_issuer_organization: text("O of the certificate's issuer"),
    ssl_issuer_country: text("C of the certificate's issuer"),
    ssl_subject_organization: text('O of its subject'),
    ssl_subject_common_name: text('CN of its subject, or the first name that it is for'),
    ssl_subject_country: text('C of its subject'),
    is_domain_recent: text(
      'yes: the domain was registered less than six months ago; no: earlier; empty, and in not_checked, where its age is not known',
    ),
    is_domain_very_recent: text(
      'yes: the domain was registered less than 30 days ago; no: earlier; empty, and in not_checked, where its age is not known',
    ),
    domain_creation_date: text('YYYY-MM-DD; empty where it is not known'),
    domain_age_in_days: Type.Integer({ description: '0 where it is not known' }),
    domain_age_in_months: Type.Integer({ description: 'Whole months by the calendar' }),
    domain_age_in_years: Type.Integer({ description: 'Whole years by the calendar' }),
  },
  { description: 'docs/site-trust.md defines each' },
);

export const SiteTrustReport = Type.Object({
  host: text('The host that was asked about, without www.'),
  dns_records: Type.Object(
    {
      ns: Type.Array(DnsHost, { description: 'Name servers of the zone' }),
      mx: Type.Array(DnsHost, { description: 'Mail servers of the domain, the preferred ones first' }),
      cname: text('What the host is an alias of; empty where it is none'),
    },
    { description: 'What the DNS says' },
  ),
  domain_blacklist: HostBlacklists,
  ecommerce_platform: Type.Object(
    { ...platformFlags, is_other: flag('It is a shop that runs on something else') },
    { description: 'What the shop runs on; all false where the site is none' },
  ),
  geo_location: Type.Object(
    {
      countries: Type.Array(Type.String(), {
        description: 'ISO 3166-1 alpha-2, each once: of the host, its name servers and mail servers',
      }),
    },
    { description: 'Where its servers are' },
  ),
  html_info: HtmlInfo,
  redirection: Type.Object(
    {
      found: flag('The site leads elsewhere than it was asked at'),
      external: flag('To another registrable domain'),
      url: text('Where it leads in the end; empty where it does not'),
    },
    { description: 'Redirects, with those that the page makes by itself' },
  ),
  response_headers: Type.Object(
    {
      code: Type.Integer({ description: 'Status of the last answer; 0 when none came' }),
      status: text('Such as HTTP/1.1 200 OK; empty when no answer came'),
    },
    {
      // The status is among them: what generators make of this must hold for each.
      additionalProperties: Type.Union([Type.String(), Type.Integer()]),
      description: 'Of the last answer: its status, and its headers by lower-case name, joined by commas',
    },
  ),
  security_checks: SecurityChecks,
  server_details: ServerDetailsByHostname,
  trust_score: Type.Object(
    {
      result: Type.Integer({ minimum: 0, maximum: 100, description: '100 trusted to 0 not at all; docs/scores.md says how it is made' }),
      factors: Factors,
      coverage: Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'Percent of the checks that could be made; `not_checked` names the others, and `problems` says why',
      }),
    },
    { description: 'How far the site can be trusted: 100, and the effects of all factors' },
  ),
  url_parts: UrlParts,
  not_checked: Type.Array(Type.String(), {
    description: 'Fields of security_checks that could not be judged this time: false or empty there says nothing',
  }),
  problems: Type.Array(Type.String(), { description: 'What was not answered, for people' }),
});
