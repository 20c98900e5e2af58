import { distributed, Host } from '@vedette/contract';
import { dns, DNS_TYPE_NAMES } from '@vedette/probes/dns';
import { Type } from 'typebox';
import { ownerName } from '../shared/names/dns-owner.ts';
import { DnsTypes, parseDnsTypes } from '../shared/names/dns-types.ts';
import { askAuthoritative, AUTHORITATIVE_BUDGET } from './authoritative.ts';
import { Records, summarise, TypeSummary } from './summary.ts';

const Answer = Type.Object({
  dns_type: Type.String({ description: 'The type asked for' }),
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
    { host: Host({ description: 'Name; an address for PTR alone' }), dns_types: DnsTypes(DNS_TYPE_NAMES, { example: 'A,AAAA,MX' }) },
    { additionalProperties: false },
  ),
  response: Type.Object({
    host: Type.String({ description: 'As asked for' }),
    summary: Type.Array(TypeSummary, { description: 'One for each type: who agrees with whom' }),
  }),
  targets: { host: 'owner' },
  contactsTarget: false,
  dns: AUTHORITATIVE_BUDGET,
  examples: [{ host: 'example.org', dns_types: 'A,AAAA,MX,NS,TXT,SOA' }],
  read({ host, dns_types }, targets) {
    const types = parseDnsTypes(dns_types, DNS_TYPE_NAMES);
    return { asked: host, host: ownerName(targets.host, types), types };
  },
  entries: 'propagation',
  probe: dns,
  job: ({ host, types }) => ({ host, types }),
  asks: ({ types }) => types.length,
  beside: ({ host, types }, context) => askAuthoritative(host, types, context),
  entry: {
    schema: Type.Object({ response: Type.Array(Answer, { description: 'One answer for each type' }) }),
    of: ({ types }, { result, failure }) => ({
      response: types.map((dns_type) => {
        const answer = result.answers.find((each) => each.dns_type === dns_type);
        return {
          dns_type,
          records: answer?.records ?? [],
          ...(answer?.truncated && { truncated: true }),
          status: answer ? answer.rcode || 'TIMEOUT' : '',
          error: answer?.failure?.error ?? failure?.error ?? '',
          ttl: answer?.ttl ?? 0,
          server: answer?.server ?? '',
        };
      }),
    }),
  },
  report: ({ asked, types }, replies, authoritative) => ({ host: asked, summary: summarise(types, replies, authoritative) }),
});
