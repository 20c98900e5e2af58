import { Enum } from '@vedette/contract';
import { Issues } from '../kit/index.ts';
import { SPF_ISSUES, SPF_RESULTS } from '@vedette/mail/spf';
import { Type } from 'typebox';

const Networks = Type.Object(
  {
    ipv4: Type.Array(Type.String(), { description: 'Authorized IPv4 addresses and CIDR ranges' }),
    ipv6: Type.Array(Type.String(), { description: 'Authorized IPv6 addresses and CIDR ranges' }),
  },
  { title: 'SpfNetworks', description: 'Networks that may send mail, as far as they do not depend on the message' },
);

const SpfRecordEntry = Type.Object({
  record: Type.String({ description: 'SPF record as published' }),
  origin: Type.String({ description: 'Domain that publishes the record' }),
  chars_num: Type.Integer({ description: 'Length of the record in characters' }),
  use_macro: Type.Boolean({
    description: 'The record has macros (RFC 7208 §7). The report expands only macros that depend on the domain alone',
  }),
  domains: Type.Optional(
    Type.Array(Type.String(), { description: 'Domains that the record includes or redirects to: the first 100 and the redirect' }),
  ),
  authorized_ips: Type.Optional(Networks),
});

const SyntaxError = Type.Object({
  origin: Type.String({ description: 'Domain that publishes the record' }),
  term: Type.String({ description: 'Invalid term as published' }),
  problem: Type.String({ description: 'Error in the term' }),
});

export const SpfReport = Type.Object({
  host: Type.String({ description: 'Host from the request, in lower case and A-labels' }),
  has_spf_record: Type.Boolean({ description: 'A TXT record begins with v=spf1. With RECORD_NOT_ANSWERED, false means unknown' }),
  dns_lookups_num: Type.Integer({
    description: 'Terms that query the DNS if no earlier term matches (RFC 7208 §4.6.4); more than 10 are an error. Counted up to 10000',
  }),
  spf_record: Type.String({ description: 'SPF record as published; empty if absent' }),
  spf_records_list: Type.Array(SpfRecordEntry, {
    description: 'SPF record of the domain and all included or redirected records, nearest first',
  }),
  domains_extracted: Type.Array(Type.String(), {
    description: 'Domains that the terms name, except those that depend on the message; the first 500',
  }),
  authorized_ips: Networks,
  issues_found: Issues('SpfIssue', SPF_ISSUES),
  syntax_errors: Type.Array(SyntaxError, { description: 'Terms that make the record a permerror (RFC 7208 §4.6); the first 100' }),
  spf_valid: Type.Boolean({
    description:
      'Exactly one record exists, without syntax errors or issues of type error, also for `iptest` if sent. With `*_NOT_ANSWERED` or IPTEST_TEMPERROR, false means unknown',
  }),
  has_issues: Type.Boolean({ description: 'The report contains issues or syntax errors' }),
  macros_found: Type.Boolean({ description: 'At least one record has macros' }),
  ip_pass: Type.Boolean({ description: 'The address `iptest` may send mail for the domain; meaningful only if `iptest` was sent' }),
  ip_result: Enum(['', ...SPF_RESULTS], { description: 'Result of check_host() (RFC 7208 §2.6) for `iptest`; empty without `iptest`' }),
  ip_reason: Type.String({ description: 'Term that decided `ip_result`, or the error that prevented a decision' }),
  dns_error: Type.String({
    description: 'DNS queries that got no answer, so the report may be incomplete; empty if all were answered',
  }),
});
