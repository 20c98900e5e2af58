import { Enum, Issues } from '@vedette/contract';
import { DISPOSITIONS, DMARC_ISSUES } from '@vedette/mail/dmarc';
import { Type } from 'typebox';

const Policy = (description: string) => Enum(['', ...DISPOSITIONS], { description });

const Destination = Type.Object(
  {
    email: Type.String({ description: 'Where reports go' }),
    domain: Type.String({ description: 'Of the address' }),
    has_mx_records: Type.Boolean({ description: 'The domain has mail exchangers' }),
    accepts_reports: Type.Boolean({ description: 'false: the domain belongs to another organisation that has not agreed (RFC 9990 §4)' }),
  },
  { title: 'DmarcDestination' },
);

export const DmarcReportSchema = Type.Object({
  host: Type.String({ description: 'The host that was asked about, in lower case and A-labels' }),
  dmarc_host: Type.String({ description: '_dmarc.domain, where domain is the host, or the domain above it whose record applies' }),
  cname_target: Type.String({ description: 'Where dmarc_host points to; empty when it is no alias' }),
  has_dmarc_record: Type.Boolean({ description: 'One record applies to the host' }),
  dmarc_record: Type.String({ description: 'The record as published; empty when there is none' }),
  dmarc_records_count: Type.Integer({ description: 'One is expected' }),
  domain_policy: Policy(
    'What the record asks for mail of its own domain; none where p= is missing and rua= is not; empty without a usable record',
  ),
  subdomain_policy: Policy('The same for subdomains: sp=, else p='),
  nonexistent_subdomain_policy: Policy('The same for subdomains that do not exist: np=, else sp=, else p='),
  applied_policy: Policy('What applies to mail of the host: p= of its own record, else sp= or np= of the one above'),
  dmarc_enforced: Type.Boolean({
    description:
      'applied_policy is quarantine or reject, and the record does not say t=y; pct= does not count (RFC 9989 §9.3), see PCT_TAG_IS_HISTORIC. Receivers that show logos ask for more; see bimi-validator',
  }),
  test_mode: Type.Boolean({ description: 't=y: receivers test only, and apply one level less' }),
  organizational_domain: Type.String({ description: 'By the tree walk of RFC 9989 §4.10' }),
  rua_emails: Type.Array(Destination, { description: 'Who gets aggregate reports (rua=)' }),
  ruf_emails: Type.Array(Destination, { description: 'Who gets failure reports (ruf=)' }),
  version: Type.String({ description: 'DMARC1 unless the record says otherwise; empty when there is none' }),
  issues_found: Issues('DmarcIssue', DMARC_ISSUES),
  valid: Type.Boolean({ description: 'There is one record that receivers can use: no issue of type error' }),
  dns_error: Type.String({
    description: 'Questions that the DNS did not answer, so the report may lack something; empty when all was answered',
  }),
});
