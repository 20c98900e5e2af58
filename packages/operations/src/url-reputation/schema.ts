import { count, Enum, flag, schemasOf, text, texts } from '@vedette/contract';
import { Type } from 'typebox';
import { integer } from '../kit/index.ts';
import { HostBlacklists } from '../shared/names/blacklist-block.ts';
import { RiskScore, VerdictWord } from '../shared/names/risk-score.ts';
import { ServerDetails } from '../shared/names/server-details.ts';
import { DomainParts, UrlParts } from '../shared/pages/url-parts.ts';
import { SITE_FIELDS } from '../site-trust/index.ts';
import { URL_CHECKS } from './checks.ts';

const WITH_AGE = 'only with include_domain_age';
const Recent = (description: string) => Type.Optional(Enum(['yes', 'no', 'unknown'], { description }));

const SecurityChecks = Type.Object(
  {
    ...schemasOf(URL_CHECKS),
    http_status_code: integer('HTTP status of the last answer; 0 if none arrived'),
    is_domain_recent: Recent(`The domain of the first host was registered less than six months ago; ${WITH_AGE}`),
    is_domain_very_recent: Recent(`The domain of the first host was registered less than 30 days ago; ${WITH_AGE}`),
    domain_creation_date: Type.Optional(
      text(`Day on which the domain of the first host was registered, YYYY-MM-DD; empty if it is not known; ${WITH_AGE}`),
    ),
    domain_age_in_days: Type.Optional(count(`Days since the domain was registered; 0 if that is not known; ${WITH_AGE}`)),
    domain_age_in_months: Type.Optional(count(`Whole months since the domain was registered; ${WITH_AGE}`)),
    domain_age_in_years: Type.Optional(count(`Whole years since the domain was registered; ${WITH_AGE}`)),
  },
  { title: 'UrlSecurityChecks', description: 'Checks of the URL and of the page; docs/url-reputation.md has the rules' },
);

const Hop = Type.Object(
  {
    url: text('URL of the hop, its password masked'),
    host: text('Host of the hop'),
    status_code: integer('HTTP status; 0 if no response arrived'),
    listed_by: texts('Engines that list the URL of the hop'),
    host_risk: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Risk of the host alone, as domain-reputation or ip-reputation has it',
    }),
    error: text('Reason why no response arrived; empty otherwise'),
  },
  { title: 'ReputationHop' },
);

export const UrlReputationReport = Type.Object({
  url: text('URL from the request, its password masked'),
  unwrapped_url: text(
    'Original URL behind a link rewritten by a mail gateway or similar service; the way starts there. Empty for other URLs',
  ),
  canonical_url: text('Canonical form of the first URL, as lists of URLs are searched by'),
  final_url: text('Last URL of the way, its password masked'),
  url_parts: UrlParts,
  domain_parts: DomainParts,
  url_blacklist: HostBlacklists,
  domain_blacklist: HostBlacklists,
  server_details: ServerDetails,
  redirection: Type.Object(
    {
      found: flag('The URL redirects'),
      external: flag('The redirect leads to another registrable domain'),
      url: text('Last URL that it redirects to; empty if it does not redirect'),
    },
    { description: 'Redirects, by header and by the page' },
  ),
  hops: Type.Array(Hop, { description: 'Requested URLs in order, each judged' }),
  html_info: SITE_FIELDS.html_info.schema,
  response_headers: SITE_FIELDS.response_headers.schema,
  file_type: Type.Object(
    {
      extension: text("Extension of the last URL's path, in lower case; empty without one"),
      headers: text('Media type of the answer, without parameters'),
      signature: text('Kind of the file by its first bytes, such as html, pdf, exe or elf; empty without an answer'),
    },
    { description: 'Type of the file, by name, by header and by content' },
  ),
  security_checks: SecurityChecks,
  verdict: VerdictWord,
  risk_score: RiskScore,
  not_checked: texts('Fields of `security_checks` that could not be judged this time; their values say nothing'),
  problems: texts('Gaps in the report and their causes, as sentences for people'),
});
