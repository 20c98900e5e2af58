import { Enum } from '@vedette/contract';
import { Issues } from '../kit/index.ts';
import { DISPOSITIONS, DMARC_ISSUES } from '@vedette/mail/dmarc';
import { Type } from 'typebox';

const Policy = (description: string) => Enum(['', ...DISPOSITIONS], { description });

const Destination = Type.Object(
  {
    email: Type.String({ description: 'E-mail address that receives reports' }),
    domain: Type.String({ description: 'Domain of the e-mail address' }),
    has_mx_records: Type.Boolean({ description: 'The domain has mail exchangers' }),
    accepts_reports: Type.Boolean({
      description: 'The domain accepts the reports; false if another organization owns it and has not agreed (RFC 9990 §4)',
    }),
  },
  { title: 'DmarcDestination' },
);

export const DmarcReportSchema = Type.Object({
  host: Type.String({ description: 'Host from the request, in lower case and A-labels' }),
  dmarc_host: Type.String({
    description: 'Name of the DMARC record: _dmarc.domain, where domain is the host or the parent domain whose record applies',
  }),
  cname_target: Type.String({ description: 'Alias target (CNAME) of `dmarc_host`; empty if `dmarc_host` is not an alias' }),
  has_dmarc_record: Type.Boolean({ description: 'One DMARC record applies to the host' }),
  dmarc_record: Type.String({ description: 'DMARC record as published; empty if absent' }),
  dmarc_records_count: Type.Integer({ description: 'Number of DMARC records; one is expected' }),
  domain_policy: Policy(
    "Policy for mail from the record's own domain (`p=`); none if only `rua=` is present; empty without a usable record",
  ),
  subdomain_policy: Policy('Policy for mail from subdomains: `sp=`, otherwise `p=`'),
  nonexistent_subdomain_policy: Policy('Policy for mail from nonexistent subdomains: `np=`, otherwise `sp=`, otherwise `p=`'),
  applied_policy: Policy("Policy for mail from the host: `p=` of its own record, otherwise `sp=` or `np=` of the parent's record"),
  dmarc_enforced: Type.Boolean({
    description:
      '`applied_policy` is quarantine or reject, without t=y; pct= is ignored (RFC 9989 §9.3, PCT_TAG_IS_HISTORIC). Receivers that show logos require more: see bimi-validator',
  }),
  test_mode: Type.Boolean({ description: 'The record has t=y: receivers apply a policy one level lower' }),
  organizational_domain: Type.String({ description: 'Organizational domain found by the tree walk of RFC 9989 §4.10' }),
  rua_emails: Type.Array(Destination, { description: 'Recipients of aggregate reports (`rua=`)' }),
  ruf_emails: Type.Array(Destination, { description: 'Recipients of failure reports (`ruf=`)' }),
  version: Type.String({ description: 'Version of the record (`v=`), DMARC1 by default; empty without a record' }),
  issues_found: Issues('DmarcIssue', DMARC_ISSUES),
  valid: Type.Boolean({ description: 'Exactly one record exists and receivers can use it: there is no issue of type error' }),
  dns_error: Type.String({
    description: 'DNS queries that got no answer, so the report may be incomplete; empty if all were answered',
  }),
});
