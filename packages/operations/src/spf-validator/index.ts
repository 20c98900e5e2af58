import { ApiError, parseIp } from '@vedette/contract';
import { central, Host } from '../kit/index.ts';
import { listing } from '@vedette/mail/findings';
import {
  authorizedNetworks,
  checkHost,
  countLookups,
  describeNode,
  isValidSpf,
  judgeSpf,
  namedDomains,
  spfSource,
  type SpfResult,
  syntaxProblems,
  walkSpf,
} from '@vedette/mail/spf';
import { Type } from 'typebox';
import { SpfReport } from './schema.ts';

/** Validates a domain's SPF record, expands what it authorises, and says whether an address passes. Sends DNS queries only. */
export const spfValidator = central({
  name: 'spf-validator',
  subject: 'mail',
  summary: 'Validate the SPF record of a domain',
  cost: 5,
  deadline_ms: 10_000,
  dns: { questions: 60, ms: 8_000 }, // what is left of the deadline is for the report
  references: ['RFC 7208'],
  request: Type.Object(
    {
      host: Host({ description: 'Domain name' }),
      iptest: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'IPv4 or IPv6 address to test for authorization',
          examples: ['192.0.2.1'],
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: SpfReport,
  targets: { host: 'name' },
  contactsTarget: false,
  examples: [{ host: 'example.org' }, { host: 'example.org', iptest: '192.0.2.1' }],
  read({ iptest }, { host }) {
    const ip = iptest === undefined ? undefined : parseIp(iptest);
    if (iptest !== undefined && !ip) throw new ApiError('invalid_parameter', 'iptest must be an IPv4 or IPv6 address', { param: 'iptest' });
    return { domain: host.host, ip };
  },
  async run({ domain, ip }, ports) {
    const source = spfSource(ports);
    const [verdict, tree] = await Promise.all([ip && checkHost({ ip, domain }, ports, source), walkSpf(domain, ports, source)]);
    const ip_result: SpfResult | '' = verdict?.result ?? '';
    const own = tree.nodes.filter(({ origin }) => origin === domain);
    const records = tree.nodes.map(describeNode);
    const issues_found = judgeSpf(tree, verdict);
    const syntax_errors = syntaxProblems(tree);
    return {
      host: domain,
      has_spf_record: own.length > 0,
      dns_lookups_num: countLookups(tree),
      spf_record: own[0]?.record.text ?? '',
      spf_records_list: records,
      domains_extracted: namedDomains(tree),
      authorized_ips: authorizedNetworks(tree),
      issues_found,
      syntax_errors,
      spf_valid: isValidSpf(tree, issues_found),
      has_issues: issues_found.length + syntax_errors.length > 0,
      macros_found: records.some(({ use_macro }) => use_macro),
      ip_pass: verdict?.result === 'pass',
      ip_result,
      ip_reason: verdict?.reason ?? '',
      dns_error: listing(tree.errors),
    };
  },
});
