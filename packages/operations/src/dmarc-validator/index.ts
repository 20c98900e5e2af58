import { central, Host } from '@vedette/contract';
import { inspectDmarc, judgeDmarc, type ReportDestination } from '@vedette/intel/dmarc';
import { domainName, QUERIES_MAX, withQueryBudget } from '@vedette/intel/dns';
import { listing } from '@vedette/intel/findings';
import { tagValue } from '@vedette/intel/tag-list';
import { Type } from 'typebox';
import { DmarcReportSchema } from './schema.ts';

const DEADLINE_MS = 10_000;
const DNS_MS = 8_000; // what is left is for the report

/** Validates the DMARC record that applies to a host, wherever it is published. Sends DNS queries only. */
export const dmarcValidator = central({
  name: 'dmarc-validator',
  summary: 'Validate the DMARC record of a domain',
  cost: 5,
  deadline_ms: DEADLINE_MS,
  references: ['RFC 9989', 'RFC 9990', 'RFC 9991', 'RFC 7489'],
  request: Type.Object({ host: Host({ description: 'Domain name' }) }, { additionalProperties: false }),
  response: DmarcReportSchema,
  targets: [{ field: 'host', form: 'host' }],
  protectedTargets: false,
  examples: [{ host: 'example.org' }],
  check({ host }) {
    domainName(host);
  },
  async run({ host }, { resolver, clock, signal }) {
    const domain = domainName(host);
    using budgeted = withQueryBudget(resolver, QUERIES_MAX, { clock, ms: DNS_MS });
    const { publication, record, policy, appliedPolicy, orgDomain, destinations, errors } = await inspectDmarc(domain, {
      resolver: budgeted,
      signal,
    });
    const { dmarcHost, cname, records, lookalikes, strays } = publication;
    const issues_found = judgeDmarc(publication, destinations);
    return {
      host: domain,
      dmarc_host: dmarcHost,
      cname_target: cname,
      has_dmarc_record: record !== undefined,
      dmarc_record: record?.text ?? strays[0] ?? '',
      dmarc_records_count: records.length + lookalikes.length,
      domain_policy: policy?.p ?? ('' as const),
      subdomain_policy: policy?.sp ?? ('' as const),
      nonexistent_subdomain_policy: policy?.np ?? ('' as const),
      applied_policy: appliedPolicy,
      dmarc_enforced: appliedPolicy === 'quarantine' || appliedPolicy === 'reject',
      test_mode: record !== undefined && tagValue(record.list, 't')?.toLowerCase() === 'y',
      organizational_domain: orgDomain,
      rua_emails: destinations.list.filter(({ tag }) => tag === 'rua').map(describe),
      ruf_emails: destinations.list.filter(({ tag }) => tag === 'ruf').map(describe),
      version: record ? (tagValue(record.list, 'v') ?? 'DMARC1') : '',
      issues_found,
      valid: record !== undefined && issues_found.every(({ type }) => type !== 'error'),
      dns_error: listing(errors),
    };
  },
});

const describe = ({ email, domain, mx, agreed }: ReportDestination) => ({
  email,
  domain,
  has_mx_records: mx === 'found',
  accepts_reports: agreed,
});
