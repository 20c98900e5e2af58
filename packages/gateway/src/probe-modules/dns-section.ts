import { fromRe2 } from '@vedette/probes/patterns';
import { parseOwner } from '@vedette/operations/kit';
import { DNS_DEFAULTS, type DnsModule, type RecordRules } from './modules.ts';
import { CLASSES, isQueryType } from './dns-words.ts';
import { patternsOf } from './patterns.ts';
import { familyOf, type Shared, UnsupportedKey, unsupportedKeys } from './section-parts.ts';
import { FileProblem, quoted, type Section } from './yaml-section.ts';

const DIRECT_ONLY = [
  'query_class',
  'transport_protocol',
  'recursion_desired',
  'preferred_ip_protocol',
  'ip_protocol_fallback',
  'validate_answer_rrs',
  'validate_authority_rrs',
  'validate_additional_rrs',
];

/** Reads `dns:` of a module. Throws `FileProblem`, and `UnsupportedKey` for what only blackbox_exporter does. */
export function readDns(section: Section, { name, timeoutMs }: Shared): DnsModule {
  unsupportedKeys(section, ['source_ip_address', 'dns_over_tls', 'tls_config']);
  const queryName = queryNameOf(section);
  // As blackbox_exporter has it, where a server is asked; RFC 8482 leaves no sense to ANY where a resolver is.
  const queryType = (section.text('query_type') ?? (queryName === undefined ? DNS_DEFAULTS.queryType : 'ANY')).toUpperCase();
  if (!isQueryType(queryType, queryName === undefined)) throw new UnsupportedKey(section.lineOf('query_type'), `query_type: ${queryType}`);
  if (queryName === undefined) {
    const key = DIRECT_ONLY.find((each) => section.has(each));
    if (key !== undefined)
      throw new FileProblem(section.lineOf(key), `${key} wants a query_name: without one the resolvers of each location are asked`);
  }
  const queryClass = (section.text('query_class') ?? 'IN').toUpperCase();
  if (!CLASSES.has(queryClass))
    throw new FileProblem(section.lineOf('query_class'), `query_class must be one of ${[...CLASSES.keys()].join(', ')}`);
  const rcodes = section.texts('valid_rcodes');
  return {
    ...DNS_DEFAULTS,
    name,
    timeoutMs,
    family: familyOf(section),
    queryName,
    queryType,
    queryClass,
    transport: section.oneOf('transport_protocol', ['udp', 'tcp']) ?? 'udp',
    recursion: section.flag('recursion_desired') ?? true,
    validRcodes: rcodes.length > 0 ? rcodes.map((rcode) => rcode.toUpperCase()) : DNS_DEFAULTS.validRcodes,
    answer: rulesOf(section, 'validate_answer_rrs'),
    authority: rulesOf(section, 'validate_authority_rrs'),
    additional: rulesOf(section, 'validate_additional_rrs'),
  };
}

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
