import { ApiError, isDnsName } from '@vedette/contract';
import { central, Host } from '../kit/index.ts';
import { DKIM_SELECTORS, fetchKeys, findSelector, judgeDkim } from '@vedette/mail/dkim';
import { tagValue } from '@vedette/mail/tag-list';
import { Type } from 'typebox';
import { DkimReport } from './schema.ts';

/** Validates the DKIM key of a selector; without a selector the known ones are tried. Sends DNS queries only. */
export const dkimValidator = central({
  name: 'dkim-validator',
  subject: 'mail',
  summary: 'Validate or find a DKIM key of a domain',
  cost: 5,
  deadline_ms: 15_000,
  // All known selectors, and the three questions that say whether searching makes sense; what is left of the deadline is for the report.
  dns: { questions: DKIM_SELECTORS.length + 3, ms: 12_000 },
  references: ['RFC 6376', 'RFC 8301', 'RFC 8463', 'RFC 8020'],
  request: Type.Object(
    {
      host: Host({ description: 'Domain name' }),
      selector: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 253,
          description: `DKIM selector. If absent, ${DKIM_SELECTORS.length} known selectors are tried`,
          examples: ['google'],
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: DkimReport,
  targets: { host: 'name' },
  contactsTarget: false,
  examples: [{ host: 'example.org' }, { host: 'example.org', selector: 'google' }],
  read({ selector: requested }, { host }) {
    const selector = requested?.toLowerCase();
    if (selector !== undefined && !isDnsName(selector))
      throw new ApiError('invalid_parameter', 'selector must be one or more DNS labels', { param: 'selector' });
    return { domain: host.host, selector };
  },
  async run({ domain, selector }, ports) {
    const found =
      selector === undefined
        ? await findSelector(domain, ports)
        : { selector, keys: await fetchKeys(selector, domain, ports), tried: 0, pruned: false };
    const { dkimHost, cname, records, strays, error } = found.keys;
    const { keyType, key, issues } = judgeDkim(found.keys, found);
    const [record] = records;
    return {
      selector: found.selector,
      host: domain,
      dkim_host: dkimHost,
      cname_target: cname,
      has_dkim_record: record !== undefined,
      dkim_record: record?.text ?? strays[0] ?? '',
      dkim_records_count: records.length,
      version: record ? (tagValue(record.list, 'v') ?? 'DKIM1') : '',
      key_type: keyType,
      key_bits: key?.bits ?? 0,
      issues_found: issues,
      valid: key !== undefined && issues.every(({ type }) => type !== 'error'),
      selectors_tried: found.tried,
      search_pruned: found.pruned,
      dns_error: error,
    };
  },
});
