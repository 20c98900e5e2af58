import { ApiError } from '@vedette/contract';
import { central, Host } from '../kit/index.ts';
import { inspectDmarc, isTesting, judgeDmarc, type ReportDestination } from '@vedette/mail/dmarc';
import { listing } from '@vedette/mail/findings';
import { tagValue } from '@vedette/mail/tag-list';
import { Type } from 'typebox';
import { DmarcReportSchema } from './schema.ts';

/** Validates the DMARC record that applies to a host, wherever it is published. Sends DNS queries only. */
export const dmarcValidator = central({
  name: 'dmarc-validator',
  subject: 'mail',
  summary: 'Validate the DMARC record of a domain',
  cost: 5,
  deadline_ms: 10_000,
  dns: { questions: 60, ms: 8_000 }, // what is left of the deadline is for the report
  references: ['RFC 9989', 'RFC 9990', 'RFC 9991', 'RFC 7489'],
  request: Type.Object({ host: Host({ description: 'Domain name' }) }, { additionalProperties: false }),
  response: DmarcReportSchema,
  targets: { host: 'name' },
  contactsTarget: false,
  examples: [{ host: 'example.org' }],
  read: (_request, { host }) => ({ domain: host.host }),
  async run({ domain }, ports) {
    const found = await inspectDmarc(domain, ports);
    // The report would be about names above that were not requested, or would call records missing that were never looked up.
    if (found.unanswered !== '') throw new ApiError('upstream_failed', found.unanswered);
    const { publication, record, policy, appliedPolicy, enforced, orgDomain, destinations, errors } = found;
    const { dmarcHost, cname, records, lookalikes, strays } = publication;
    const issues_found = judgeDmarc(found);
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
      dmarc_enforced: enforced,
      test_mode: record !== undefined && isTesting(record.list),
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
