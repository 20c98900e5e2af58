import { Enum } from '@vedette/contract';
import { Type } from 'typebox';
import { HostBlacklists } from '../shared/names/blacklist-block.ts';
import { RiskScore } from '../shared/names/risk-score.ts';
import { ServerDetails } from '../shared/names/server-details.ts';
import { DomainParts } from '../shared/pages/url-parts.ts';

const flag = (description: string) => Type.Boolean({ description });
const text = (description: string) => Type.String({ description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

const Category = Type.Object(
  {
    is_free_hosting: flag('Gives away websites, or is one of those'),
    is_anonymizer: flag('Hides who asks: a web proxy, a gateway to hidden services'),
    is_url_shortener: flag('Leads on to other sites by short addresses'),
    is_free_dynamic_dns: flag('Below a domain whose owner gives names to everybody, for addresses that change'),
    is_code_sandbox: flag('Runs the code that visitors write'),
    is_form_builder: flag('Has the forms that visitors make'),
    is_free_file_sharing: flag('Has the files that visitors leave'),
    is_pastebin: flag('Has the text that visitors leave'),
    is_qrcode_service: flag('Makes QR codes, or is where they lead to first'),
  },
  { title: 'HostCategory', description: 'What kind of place the host is, or is in (docs/domain-reputation.md)' },
);

const Recent = (description: string) => Type.Optional(Enum(['yes', 'no', 'unknown'], { description }));
const WITH_AGE = 'only with include_domain_age';

const SecurityChecks = Type.Object(
  {
    is_most_abused_tld: flag('Of all top-level domains, one of those that abuse reports name far more often than their size explains'),
    is_domain_ipv4_assigned: flag('The host has an IPv4 address'),
    is_domain_ipv4_private: flag('One of them is of a private network (RFC 1918, RFC 6598)'),
    is_domain_ipv4_loopback: flag('One of them is of the machine itself (127.0.0.0/8)'),
    is_domain_ipv4_reserved: flag('One of them is nobody’s: link-local, documentation, multicast and the like'),
    is_domain_ipv4_valid: flag('One of them at least is public'),
    is_domain_blacklisted: flag('One engine at least lists it'),
    is_uncommon_host_length: flag('More than 45 characters in the registered label, 30 without a hyphen, or 60 in all'),
    is_uncommon_dash_char_count: flag('Five hyphens or more in the registered label, as people read it'),
    is_uncommon_dot_char_count: flag('Four dots or more before the public suffix'),
    is_suspicious_homoglyph: flag('Written in letters that look like those of a brand (UTS 39), or in scripts that nobody mixes'),
    is_possible_typosquatting: flag(
      'A slip of a brand’s name, or the name beside words that forgers use; never a brand’s own domain or a well-known one',
    ),
    is_uncommon_clickable_domain: flag('Reads like the name of a file, so that people open it and programs make a link of it'),
    is_risky_category: flag('Free dynamic DNS, free hosting or a URL shortener'),
    detections_count: count(
      'Checks above that are true, without the two that say that all is well: is_domain_ipv4_assigned and is_domain_ipv4_valid',
    ),
    website_popularity: Enum(['low', 'medium', 'high'], {
      title: 'WebsitePopularity',
      description: 'high: one of the 50,000 best known domains. medium: of the first million. low: neither, or the ranking does not tell',
    }),
    is_domain_recent: Recent(`Registered less than six months ago; ${WITH_AGE}`),
    is_domain_very_recent: Recent(`Registered less than 30 days ago; ${WITH_AGE}`),
    domain_creation_date: Type.Optional(text(`Day of its registration, YYYY-MM-DD; empty where nobody says; ${WITH_AGE}`)),
    domain_age_in_days: Type.Optional(count(`Whole days since then; 0 where nobody says; ${WITH_AGE}`)),
    domain_age_in_months: Type.Optional(count(`Whole months since then; ${WITH_AGE}`)),
    domain_age_in_years: Type.Optional(count(`Whole years since then; ${WITH_AGE}`)),
    domain_age_problem: Type.Optional(text(`Why nobody says how old it is; empty where somebody does; ${WITH_AGE}`)),
  },
  { title: 'DomainSecurityChecks', description: 'docs/domain-reputation.md explains each' },
);

export const DomainReport = Type.Object({
  host: text('As asked for, in lower case and A-labels'),
  blacklists: HostBlacklists,
  server_details: ServerDetails,
  category: Category,
  security_checks: SecurityChecks,
  domain_parts: DomainParts,
  risk_score: RiskScore,
  dns_errors: Type.Array(Type.String(), {
    description: 'Questions about its addresses that nobody answered: what they were about is false here, and nothing is held against it',
  }),
});
