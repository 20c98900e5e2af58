import { Enum, Issues } from '@vedette/contract';
import { SPF_ISSUES, SPF_RESULTS } from '@vedette/mail/spf';
import { Type } from 'typebox';

const Networks = Type.Object(
  {
    ipv4: Type.Array(Type.String(), { description: 'Addresses and CIDR ranges' }),
    ipv6: Type.Array(Type.String(), { description: 'Addresses and CIDR ranges' }),
  },
  { title: 'SpfNetworks', description: 'Who may send, as far as no message needs to be known' },
);

const SpfRecordEntry = Type.Object({
  record: Type.String({ description: 'As published' }),
  origin: Type.String({ description: 'The domain that publishes the record' }),
  chars_num: Type.Integer({ description: 'Its length in characters' }),
  use_macro: Type.Boolean({ description: 'The record has macros (RFC 7208 §7). Those of the domain alone are expanded in this report' }),
  domains: Type.Optional(Type.Array(Type.String(), { description: 'Domains it includes or redirects to; the first 100 and the redirect' })),
  authorized_ips: Type.Optional(Networks),
});

const SyntaxError = Type.Object({
  origin: Type.String({ description: 'The domain that publishes the record' }),
  term: Type.String({ description: 'As published' }),
  problem: Type.String({ description: 'What is wrong with it' }),
});

export const SpfReport = Type.Object({
  host: Type.String({ description: 'The host that was asked about, in lower case and A-labels' }),
  has_spf_record: Type.Boolean({ description: 'A TXT record begins with v=spf1. With RECORD_NOT_ANSWERED, false means that nobody knows' }),
  dns_lookups_num: Type.Integer({
    description: 'Terms that ask the DNS when nothing matches early (RFC 7208 §4.6.4); more than 10 is an error. 10000 at most',
  }),
  spf_record: Type.String({ description: 'The record as published; empty when there is none' }),
  spf_records_list: Type.Array(SpfRecordEntry, { description: 'The record and all those it includes or redirects to, nearest first' }),
  domains_extracted: Type.Array(Type.String(), {
    description: 'Domains that the terms name, without those that depend on the message; the first 500',
  }),
  authorized_ips: Networks,
  issues_found: Issues('SpfIssue', SPF_ISSUES),
  syntax_errors: Type.Array(SyntaxError, { description: 'Terms that make the record a permerror (RFC 7208 §4.6); the first 100' }),
  spf_valid: Type.Boolean({
    description:
      'There is one record, without syntax errors and without issues of type error, and the DNS answered for all that it leads to. With RECORD_NOT_ANSWERED, INCLUDE_NOT_ANSWERED, TERM_NOT_ANSWERED or IPTEST_TEMPERROR, false means that nobody knows. With iptest it is about that address too: false where its check ends in permerror or temperror, though checks of others may not',
  }),
  has_issues: Type.Boolean({ description: 'There are issues or syntax errors' }),
  macros_found: Type.Boolean({ description: 'One of the records has macros' }),
  ip_pass: Type.Boolean({ description: 'Whether iptest may send for the domain; meaningful only when iptest was sent' }),
  ip_result: Enum(['', ...SPF_RESULTS], { description: 'Result of check_host() (RFC 7208 §2.6) for iptest; empty without iptest' }),
  ip_reason: Type.String({ description: 'The term that decided ip_result, or what went wrong' }),
  dns_error: Type.String({
    description: 'Questions that the DNS did not answer, so the report may lack something; empty when all was answered',
  }),
});
