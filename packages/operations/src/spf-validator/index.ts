import { ApiError, central, Host, parseIp } from '@vedette/contract';
import { domainName, QUERIES_MAX, withQueryBudget } from '@vedette/intel/dns';
import { listing } from '@vedette/intel/findings';
import {
  authorizedNetworks,
  checkHost,
  countLookups,
  describeNode,
  judgeSpf,
  namedDomains,
  spfSource,
  type SpfResult,
  syntaxProblems,
  walkSpf,
} from '@vedette/intel/spf';
import { Type } from 'typebox';
import { SpfReport } from './schema.ts';

const DEADLINE_MS = 10_000;
const DNS_MS = 8_000; // what is left is for the report

/** Validates a domain's SPF record, expands what it authorises, and says whether an address passes. Sends DNS queries only. */
export const spfValidator = central({
  name: 'spf-validator',
  summary: 'Validate the SPF record of a domain',
  cost: 5,
  deadline_ms: DEADLINE_MS,
  references: ['RFC 7208'],
  request: Type.Object(
    {
      host: Host({ description: 'Domain name' }),
      iptest: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'IPv4 or IPv6 address to test for authorisation',
          examples: ['192.0.2.1'],
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: SpfReport,
  targets: [{ field: 'host', form: 'host' }],
  protectedTargets: false,
  examples: [{ host: 'example.org' }, { host: 'example.org', iptest: '192.0.2.1' }],
  check({ host, iptest }) {
    domainName(host);
    if (iptest !== undefined && !parseIp(iptest)) throw new ApiError('invalid_parameter', 'iptest must be an IPv4 or IPv6 address');
  },
  async run({ host, iptest }, { resolver, clock, signal }) {
    const domain = domainName(host);
    using budgeted = withQueryBudget(resolver, QUERIES_MAX, { clock, ms: DNS_MS });
    const ports = { resolver: budgeted, signal };
    const source = spfSource(ports);
    const [verdict, tree] = await Promise.all([
      iptest === undefined ? undefined : checkHost({ ip: iptest, domain }, ports, source),
      walkSpf(domain, ports, source),
    ]);
    const ip_result: SpfResult | '' = verdict?.result ?? '';
    const own = tree.nodes.filter(({ origin }) => origin === domain);
    const records = tree.nodes.map(describeNode);
    const issues_found = judgeSpf(tree);
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
      spf_valid: own.length > 0 && syntax_errors.length === 0 && issues_found.every(({ type }) => type !== 'error'),
      has_issues: issues_found.length + syntax_errors.length > 0,
      macros_found: records.some(({ use_macro }) => use_macro),
      ip_pass: verdict?.result === 'pass',
      ip_result,
      ip_reason: verdict?.reason ?? '',
      dns_error: listing(tree.errors),
    };
  },
});
