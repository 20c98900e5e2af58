import { DNS_CLASSES, dnsConflict, DnsModuleOptions } from '@vedette/probes/dns';
import { fromRe2 } from '@vedette/probes/patterns';
import { parseOwner } from '@vedette/operations/kit';
import { DNS_DEFAULTS, type DnsModule, type Family, type RecordRules } from './modules.ts';
import { isQueryType } from './dns-words.ts';
import { patternsOf } from './patterns.ts';
import { familiesOf, optionsOf, type Shared, UnsupportedKey, unsupportedKeys } from './section-parts.ts';
import { FileProblem, quoted, type Section } from './yaml-section.ts';

const DIRECT_ONLY = [
  'query_class',
  'transport_protocol',
  'dns_over_tls',
  'recursion_desired',
  'preferred_ip_protocol',
  'ip_protocol_fallback',
  'validate_answer_rrs',
  'validate_authority_rrs',
  'validate_additional_rrs',
];

/** Reads `dns:` of a module. Throws `FileProblem`, and `UnsupportedKey` for what only blackbox_exporter does. */
export function readDns(module: Section, section: Section, { name, timeoutMs }: Shared): DnsModule {
  unsupportedKeys(section, ['source_ip_address', 'tls_config']);
  const queryName = queryNameOf(section);
  // As blackbox_exporter has it, where a server is asked; RFC 8482 leaves no sense to ANY where a resolver is.
  const queryType = (section.text('query_type') ?? (queryName === undefined ? DNS_DEFAULTS.queryType : 'ANY')).toUpperCase();
  if (!isQueryType(queryType, queryName === undefined)) throw new UnsupportedKey(section.lineOf('query_type'), `query_type: ${queryType}`);
  if (queryName === undefined) {
    const key = DIRECT_ONLY.find((each) => section.has(each));
    if (module.has('options')) throw new FileProblem(module.lineOf('options'), 'options want a query_name, and a server as target');
    if (key !== undefined)
      throw new FileProblem(section.lineOf(key), `${key} wants a query_name: without one the resolvers of each location are asked`);
  }
  const rcodes = section.texts('valid_rcodes');
  const { family, ipv6First } = familiesOf(section);
  const options = dnsOptionsOf(module, section, family);
  return {
    ...DNS_DEFAULTS,
    name,
    ipv6First: ipv6First && !options.family,
    timeoutMs,
    options,
    queryName,
    queryType,
    validRcodes: rcodes.length > 0 ? rcodes.map((rcode) => rcode.toUpperCase()) : DNS_DEFAULTS.validRcodes,
    answer: rulesOf(section, 'validate_answer_rrs'),
    authority: rulesOf(section, 'validate_authority_rrs'),
    additional: rulesOf(section, 'validate_additional_rrs'),
  };
}

function dnsOptionsOf(module: Section, section: Section, family: Family): DnsModuleOptions {
  const ofClass = section.text('query_class')?.toUpperCase();
  if (ofClass !== undefined && !isClass(ofClass))
    throw new FileProblem(section.lineOf('query_class'), `query_class must be one of ${Object.keys(DNS_CLASSES).join(', ')}`);
  const plain = section.oneOf('transport_protocol', ['udp', 'tcp']);
  const tls = section.flag('dns_over_tls') === true;
  if (tls && plain !== 'tcp') throw new FileProblem(section.lineOf('dns_over_tls'), 'dns_over_tls wants transport_protocol: tcp');
  const recursion = section.flag('recursion_desired');
  const options = optionsOf(module, DnsModuleOptions, {
    ...(plain !== undefined && { transport: tls ? 'tls' : plain }),
    ...(recursion !== undefined && { recursion }),
    ...(family !== 0 && { family }),
    ...(isClass(ofClass) && { class: ofClass }),
  });
  const conflict = dnsConflict(options);
  if (conflict !== undefined) throw new FileProblem(module.lineOf('options'), `options: ${conflict}`);
  return options;
}

const isClass = (name: string | undefined): name is keyof typeof DNS_CLASSES => name !== undefined && Object.hasOwn(DNS_CLASSES, name);

function queryNameOf(section: Section): string | undefined {
  const text = section.text('query_name');
  if (text === undefined || text === '') return undefined;
  const owner = parseOwner(text);
  if (owner?.kind !== 'name') throw new FileProblem(section.lineOf('query_name'), `query_name: ${quoted(text)} is not a name of the DNS`);
  return owner.host;
}

function rulesOf(section: Section, key: string): RecordRules {
  const rules = section.section(key);
  const read = {
    failIfMatches: patternsOf(rules, 'fail_if_matches_regexp').map(fromRe2),
    failIfAllMatch: patternsOf(rules, 'fail_if_all_match_regexp').map(fromRe2),
    failIfNotMatches: patternsOf(rules, 'fail_if_not_matches_regexp').map(fromRe2),
    failIfNoneMatches: patternsOf(rules, 'fail_if_none_matches_regexp').map(fromRe2),
  };
  rules.end();
  return read;
}
