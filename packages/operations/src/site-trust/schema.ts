import { field, flag, schemasOf, text, texts } from '@vedette/contract';
import { integer } from '../kit/index.ts';
import { PLATFORMS, SITE_CHECKS } from '@vedette/web/site';
import { type TProperties, Type } from 'typebox';
import { HostBlacklists } from '../shared/names/blacklist-block.ts';
import { Coverage } from '../shared/names/coverage.ts';
import { Factors, VerdictWord } from '../shared/names/risk-score.ts';
import { ServerDetailsByHostname } from '../shared/names/server-details.ts';
import { UrlParts } from '../shared/pages/url-parts.ts';

const DnsHost = Type.Object(
  {
    target: text('Host name of the server'),
    ip: text('The first IPv4 address of the server; empty if it has none or the DNS did not answer'),
    country_code: text('Country of that address, ISO 3166-1 alpha-2'),
    country_name: text('English name of the country'),
    isp: text('Organization that announces the address'),
  },
  { title: 'SiteDnsHost' },
);

const platformFlags: TProperties = Object.fromEntries(
  PLATFORMS.map((platform) => [`is_${platform}`, flag(`The site runs on ${platform}`)]),
);

const HtmlInfo = Type.Object(
  {
    title: text('Content of the `title` element'),
    description: text('Content of the `description` meta tag'),
    keywords: text('Content of the `keywords` meta tag'),
    robots: text('Content of the `robots` meta tag'),
    canonical: text('URL of `link rel=canonical`, as written'),
    og_image: text('URL of the Open Graph image, as written'),
    article_publisher: text('Content of the Open Graph tag `article:publisher`'),
    og_site_name: text('Open Graph site name'),
    socialnet_site: text("The site's account at a social network (`twitter:site`)"),
    generator: text('Content of the `generator` meta tag'),
    ld_organization: text('Name of the first organization in JSON-LD'),
    lang: text('Language attribute of the `html` element'),
  },
  { title: 'SiteHtmlInfo', description: 'Metadata of the page; empty strings for missing values' },
);

/** The fields of `security_checks` that no judge decides. */
export const SITE_FACTS = {
  http_status_code: field(integer('HTTP status of the last answer; 0 if none arrived'), '`200`'),
  ssl_type: field(
    text('Validation type of the certificate by its policies: EV, OV, IV or DV; empty if it names none of them'),
    'EV 2.23.140.1.1, OV 2.23.140.1.2.2, IV 2.23.140.1.2.3, DV 2.23.140.1.2.1',
  ),
  ssl_issuer_organization: field(text("Organization (O) of the certificate's issuer"), "`Let's Encrypt`"),
  ssl_issuer_country: field(text("Country (C) of the certificate's issuer"), '`US`'),
  ssl_subject_organization: field(text("Organization (O) of the certificate's subject")),
  ssl_subject_common_name: field(
    text("Common name (CN) of the certificate's subject, or the first name of the certificate"),
    '`example.org`',
  ),
  ssl_subject_country: field(text("Country (C) of the certificate's subject")),
  ssl_subject_hosts: field(
    texts('Hosts that the certificate is for, each once, without `*.` and `www.` in front; at most 100'),
    '`example.org`, `shop.example.org`',
  ),
  is_domain_recent: field(
    text('`yes` if the domain was registered less than six months ago, else `no`; empty if its age is not known'),
    'By the calendar: five months ago; not seven. Without an age it is in `not_checked`, and `problems` says why',
  ),
  is_domain_very_recent: field(
    text('`yes` if the domain was registered less than 30 days ago, else `no`; empty if its age is not known'),
    '29 days ago; not 30. Without an age it is in `not_checked`, and `problems` says why',
  ),
  domain_creation_date: field(
    text('Day on which the domain was registered, YYYY-MM-DD; empty if it is not known'),
    '`2010-05-01`. Empty for tenants of shared hosts: the registry knows only the landlord',
  ),
  domain_age_in_days: field(integer('Days since the domain was registered; 0 if that is not known')),
  domain_age_in_months: field(integer('Whole months since the domain was registered, by the calendar')),
  domain_age_in_years: field(integer('Whole years since the domain was registered, by the calendar')),
};

const checkFlags: TProperties = schemasOf(SITE_CHECKS);

export const SITE_FIELDS = {
  host: field(text('The requested host, without `www.`')),
  dns_records: field(
    Type.Object(
      {
        ns: Type.Array(DnsHost, { description: "Name servers of the host's zone" }),
        mx: Type.Array(DnsHost, { description: 'Mail servers of the domain, by preference' }),
        cname: text('Name that the host is an alias of; empty if it is not an alias'),
      },
      { description: 'DNS records of the site, with the places of its servers' },
    ),
    'Up to twelve name servers and mail servers each',
  ),
  domain_blacklist: field(HostBlacklists, '[engines.md](engines.md) lists the engines'),
  ecommerce_platform: field(
    Type.Object(
      { ...platformFlags, is_other: flag('The site is a shop on none of these systems') },
      { description: 'Shop system of the site; all false if the site is not a shop' },
    ),
    'Told by headers, cookies, generator, scripts and style sheets',
  ),
  geo_location: field(
    Type.Object(
      {
        countries: texts('Countries of the host, its mail servers and its name servers, each once, ISO 3166-1 alpha-2'),
      },
      { description: 'Locations of the servers' },
    ),
  ),
  html_info: field(HtmlInfo),
  redirection: field(
    Type.Object(
      {
        found: flag('The site redirects'),
        external: flag('The redirect leads to another registrable domain'),
        url: text('Last URL that the site redirects to; empty if it does not redirect'),
      },
      { description: 'Redirects of the site, by header and by the page' },
    ),
    'Whether or not the URL was contacted',
  ),
  response_headers: field(
    Type.Object(
      {
        code: integer('HTTP status of the last answer; 0 if none arrived'),
        status: text('Status line of the last answer, such as `HTTP/1.1 200 OK`; empty if none arrived'),
      },
      {
        title: 'SiteResponseHeaders',
        // The status is among them: what generators make of this must hold for each.
        additionalProperties: Type.Union([Type.String(), Type.Integer()]),
        description: 'Status and headers of the last answer: lower-case names, the values of one name joined by commas',
      },
    ),
  ),
  security_checks: field(
    Type.Object({ ...checkFlags, ...schemasOf(SITE_FACTS) }, { description: 'Checks of the site; docs/site-trust.md has the rules' }),
    'The tables above',
  ),
  server_details: field(ServerDetailsByHostname, "Of the host's first address"),
  verdict: field(
    VerdictWord,
    'By what speaks against the site, 100 less its trust without caps for what was not seen: [scores.md](scores.md#verdicts)',
  ),
  trust_score: field(
    Type.Object(
      {
        result: Type.Integer({ minimum: 0, maximum: 100, description: 'Trust in the site, from 0 (none) to 100; see docs/scores.md' }),
        factors: Factors,
        coverage: Coverage,
      },
      { description: 'Trust score of the site: 100 plus the effects of all factors' },
    ),
  ),
  url_parts: field(UrlParts, 'Of the URL that the page was first requested at'),
  not_checked: field(
    texts('Fields of `security_checks` that could not be judged this time; their values say nothing'),
    'Such a field is false, or empty',
  ),
  problems: field(texts('Gaps in the report and their causes, as sentences for people')),
};

export const SiteTrustReport = Type.Object(schemasOf(SITE_FIELDS));
