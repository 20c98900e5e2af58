import { distributed, Host, parseTarget } from '../kit/index.ts';
import { ApiError, type ParsedHost } from '@vedette/contract';
import { dns, DNS_TYPE_NAMES, dnsConflict, DnsOptions, dnsServer, type DnsTypeName, SaidBeside, TraceSteps } from '@vedette/probes/dns';
import { type Static, Type } from 'typebox';
import { ownerName } from '../shared/names/dns-owner.ts';
import { DnsTypes, parseDnsTypes } from '../shared/names/dns-types.ts';
import { askAuthoritative, AUTHORITATIVE_BUDGET } from './authoritative.ts';
import { Records, summarise, TypeSummary } from './summary.ts';

const Answer = Type.Object({
  dns_type: Type.String({ description: 'Queried record type' }),
  records: Records,
  truncated: Type.Optional(Type.Boolean({ description: 'The answer has more records than the report can list' })),
  status: Type.String({
    description: 'Outcome: NOERROR (without records: the name has none of this type), NXDOMAIN, SERVFAIL, REFUSED … or TIMEOUT',
  }),
  error: Type.String({ description: 'Reason why the resolver gave no answer; empty if it answered' }),
  ttl: Type.Integer({ description: 'Time to live in seconds of the record that expires first' }),
  server: Type.String({ description: 'Resolver that answered' }),
  ...SaidBeside,
});

interface Query {
  requestedHost: string;
  host: string;
  types: DnsTypeName[];
  options: DnsOptions;
  /** The server that is asked; undefined: each location's own resolvers. */
  server: ParsedHost | undefined;
}

/** Questions of a trace that the zone itself, or the one above, may see. */
const TRACE_QUESTIONS = 4;

/** Reports the current answers of every location's resolver, and whether they agree with each other and with the zone's own servers. */
export const dnsPropagation = distributed({
  name: 'dns-propagation',
  subject: 'locations',
  summary: 'Compare the DNS answers for a name from many places',
  cost: {
    base: 5,
    of: ({ options: { transport, trace } }: Query) => (trace ? 10 : transport === 'tls' || transport === 'https' ? 6 : 5),
    note: '1 more with the transports tls and https, 5 more with trace',
  },
  deadline_ms: 15_000,
  references: ['RFC 1035', 'RFC 2308'],
  request: Type.Object(
    {
      host: Host({ description: 'Host name, or an address for PTR' }),
      dns_types: DnsTypes(DNS_TYPE_NAMES, { example: 'A,AAAA,MX' }),
      options: Type.Optional(DnsOptions),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    host: Type.String({ description: 'Host as sent in the request' }),
    summary: Type.Array(TypeSummary, { description: 'Agreement of the locations for each type' }),
  }),
  targets: { host: 'owner' },
  contactsTarget: false,
  dns: AUTHORITATIVE_BUDGET,
  examples: [{ host: 'example.org', dns_types: 'A,AAAA,MX,NS,TXT,SOA' }],
  read({ host, dns_types, options = {} }, targets): Query {
    const types = parseDnsTypes(dns_types, DNS_TYPE_NAMES);
    return { requestedHost: host, host: ownerName(targets.host, types), types, options, server: serverOf(options, types) };
  },
  further: ({ server }) => (server ? { 'options.server': server } : {}),
  entries: 'propagation',
  probe: dns,
  job: ({ host, types, options, server }) => ({
    host,
    types,
    ...(server && { server: { ...dnsServer(options, server), answers: true } }),
    ...(options.trace && { trace: true }),
  }),
  asks: ({ types, options }) => (options.trace ? TRACE_QUESTIONS : types.length),
  // The zone's servers are of the class IN.
  beside: async ({ host, types, options }, context) =>
    (options.class ?? 'IN') === 'IN' ? await askAuthoritative(host, types, context) : [],
  entry: {
    schema: Type.Object({ response: Type.Array(Answer, { description: 'One answer for each type' }), trace: Type.Optional(TraceSteps) }),
    of: ({ types }, { result, failure }) => ({
      ...(result.trace && { trace: result.trace }),
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
          ...(answer && saidOf(answer)),
        };
      }),
    }),
  },
  report: ({ requestedHost, types }, replies, authoritative) => ({
    host: requestedHost,
    summary: summarise(types, replies, authoritative),
  }),
});

/** Throws `ApiError` for options without a server, and for an invalid server. */
function serverOf({ trace, ...options }: DnsOptions, types: readonly string[]): ParsedHost | undefined {
  const { server, ...others } = options;
  if (trace && (types.length > 1 || Object.keys(options).length > 0))
    throw new ApiError('parameter_conflict', 'options.trace requires one type in dns_types, and no other option', {
      param: 'options.trace',
    });
  const [first] = Object.keys(others);
  if (server === undefined) {
    if (first === undefined) return undefined;
    throw new ApiError('parameter_conflict', `options.${first} requires options.server`, { param: `options.${first}` });
  }
  const conflict = dnsConflict(options);
  if (conflict !== undefined) throw new ApiError('parameter_conflict', `options: ${conflict}`, { param: 'options' });
  return parseTarget('host', server, 'options.server');
}

/** The parts of an answer beside its records. */
const saidOf = ({ flags, nsid, client_subnet }: Static<(typeof dns)['result']>['answers'][number]) => ({
  ...(flags && { flags }),
  ...(nsid !== undefined && { nsid }),
  ...(client_subnet !== undefined && { client_subnet }),
});
