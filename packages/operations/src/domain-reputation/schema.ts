import { count, Enum, schemasOf, text, texts } from '@vedette/contract';
import { HOST_CATEGORIES, HOST_FIELDS } from '@vedette/intel/names';
import { Type } from 'typebox';
import { HostBlacklists } from '../shared/names/blacklist-block.ts';
import { RiskScore, VerdictWord } from '../shared/names/risk-score.ts';
import { ServerDetails } from '../shared/names/server-details.ts';
import { DomainParts } from '../shared/pages/url-parts.ts';

const Category = Type.Object(schemasOf(HOST_CATEGORIES), {
  title: 'HostCategory',
  description: 'Kind of place that the host is, or is in (docs/domain-reputation.md)',
});

const Recent = (description: string) => Type.Optional(Enum(['yes', 'no', 'unknown'], { description }));
const WITH_AGE = 'only with include_domain_age';

const SecurityChecks = Type.Object(
  {
    ...schemasOf(HOST_FIELDS),
    detections_count: count('Number of checks above that are true, without `is_domain_ipv4_assigned` and `is_domain_ipv4_valid`'),
    website_popularity: Enum(['low', 'medium', 'high'], {
      title: 'WebsitePopularity',
      description:
        'Popularity of the domain: high (among the first 50,000), medium (the first million), or low, also if the ranking is not known',
    }),
    is_domain_recent: Recent(`The domain was registered less than six months ago; ${WITH_AGE}`),
    is_domain_very_recent: Recent(`The domain was registered less than 30 days ago; ${WITH_AGE}`),
    domain_creation_date: Type.Optional(text(`Day on which the domain was registered, YYYY-MM-DD; empty if it is not known; ${WITH_AGE}`)),
    domain_age_in_days: Type.Optional(count(`Days since the domain was registered; 0 if that is not known; ${WITH_AGE}`)),
    domain_age_in_months: Type.Optional(count(`Whole months since the domain was registered; ${WITH_AGE}`)),
    domain_age_in_years: Type.Optional(count(`Whole years since the domain was registered; ${WITH_AGE}`)),
    domain_age_problem: Type.Optional(text(`Reason why the age of the domain is unknown; empty if known; ${WITH_AGE}`)),
  },
  { title: 'DomainSecurityChecks', description: 'Checks of the host; docs/domain-reputation.md has the rules' },
);

export const DomainReport = Type.Object({
  host: text('The requested host, in lower case and A-labels'),
  blacklists: HostBlacklists,
  server_details: ServerDetails,
  category: Category,
  security_checks: SecurityChecks,
  domain_parts: DomainParts,
  verdict: VerdictWord,
  risk_score: RiskScore,
  dns_errors: texts(
    'DNS questions about the addresses of the host without an answer; the fields that depend on them are false, and add no risk',
  ),
});
