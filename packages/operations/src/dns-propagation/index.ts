import { ApiError, distributed, entryHead, Host, LocationExtras, LocationFields, parseHost } from '@vedette/contract';
import { dns, DNS_TYPE_NAMES } from '@vedette/probes/dns';
import { Type } from 'typebox';
import { DnsTypes, parseDnsTypes } from '../dns-types.ts';
import { askAuthoritative } from './authoritative.ts';
import { summarise } from './summary.ts';

const Records = dns.result.properties.answers.items.properties.records;
const Answer = Type.Object({
  dns_type: Type.String(),
  records: Records,
  truncated: Type.Optional(Type.Boolean({ description: 'There are more records than fit in an answer' })),
  status: Type.String({ description: 'NOERROR (no records: the name has none of this type), NXDOMAIN, SERVFAIL, REFUSED … or TIMEOUT' }),
  error: Type.String({ description: 'Empty when the resolver answered' }),
  ttl: Type.Integer({ description: 'Of the record that expires first, seconds' }),
  server: Type.String({ description: 'The resolver that answered' }),
});

/** What the resolvers of every location answer now, and whether they agree with each other and with the zone's own servers. */
export const dnsPropagation = distributed({
  name: 'dns-propagation',
  summary: 'Compare a name in the DNS from many places',
  cost: 5,
  deadline_ms: 15_000,
  references: ['RFC 1035', 'RFC 2308'],
  request: Type.Object(
    { host: Host({ description: 'Host name' }), dns_types: DnsTypes(DNS_TYPE_NAMES, { example: 'A,AAAA,MX' }) },
    { additionalProperties: false },
  ),
  response: Type.Object({
    host: Type.String(),
    propagation: Type.Array(
      Type.Object({
        ...LocationFields,
        ...LocationExtras,
        response: Type.Array(Answer),
        error: Type.String({ description: 'Empty when at least one type could be looked up' }),
      }),
    ),
    summary: Type.Array(
      Type.Object({
        dns_type: Type.String(),
        locations_answered: Type.Integer(),
        agreeing_locations: Type.Integer({ description: 'In the largest group with one answer' }),
        distinct_answers: Type.Integer(),
        answers: Type.Array(
          Type.Object({
            records: Records,
            locations: Type.Array(Type.String()),
            authoritative: Type.Boolean({ description: "One of the zone's own servers says the same" }),
          }),
        ),
        soa_serial_spread: Type.Optional(Type.Integer({ description: 'Newest serial minus oldest, RFC 1982; for SOA' })),
        authoritative: Type.Array(Type.Object({ server: Type.String(), address: Type.String(), status: Type.String(), records: Records })),
      }),
    ),
  }),
  targets: [{ field: 'host', form: 'host' }],
  protectedTargets: false,
  examples: [{ host: 'example.org', dns_types: 'A,AAAA,MX,NS,TXT,SOA' }],
  check({ host, dns_types }) {
    parseDnsTypes(dns_types, DNS_TYPE_NAMES);
    if (parseHost(host)?.kind !== 'name') throw new ApiError('invalid_parameter', 'host must be a name');
  },
  vantage: 'all',
  entries: 'propagation',
  probe: dns,
  job: ({ host, dns_types }) => ({ host: parseHost(host)!.host, types: parseDnsTypes(dns_types, DNS_TYPE_NAMES) }),
  beside: ({ host, dns_types }, context) => askAuthoritative(parseHost(host)!.host, parseDnsTypes(dns_types, DNS_TYPE_NAMES), context),
  entry: ({ dns_types }, reply) => ({
    ...entryHead(reply),
    response: parseDnsTypes(dns_types, DNS_TYPE_NAMES).map((dns_type) => {
      const answer = reply.result?.answers.find((each) => each.dns_type === dns_type);
      return {
        dns_type,
        records: answer?.records ?? [],
        ...(answer?.truncated && { truncated: true }),
        status: answer ? answer.rcode || 'TIMEOUT' : '',
        error: answer?.failure?.error ?? reply.failure?.error ?? '',
        ttl: answer?.ttl ?? 0,
        server: answer?.server ?? '',
      };
    }),
    error: reply.failure?.error ?? '',
  }),
  report: ({ host, dns_types }, propagation, replies, authoritative) => ({
    host,
    propagation: propagation as never,
    summary: summarise(parseDnsTypes(dns_types, DNS_TYPE_NAMES), replies, authoritative ?? []) as never,
  }),
});
