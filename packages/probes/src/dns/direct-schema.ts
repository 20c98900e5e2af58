import { Enum, flag } from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { Ipv6First } from '../host/judge-host.ts';

const RECORDS_MAX = 500;

/** The choices that the job for a server and the options of clients have in common. */
export const SERVER_ASKED = {
  transport: Enum(['udp', 'tcp', 'tls', 'https'], {
    description:
      'Transport of the questions; default udp, with tcp for what does not fit. tls (RFC 7858) and https (RFC 8484) require a valid certificate',
  }),
  path: Type.String({ pattern: '^/[\\x21-\\x7e]{0,255}$', description: 'Path for the transport https; default /dns-query' }),
  checking_disabled: flag('The resolver is not to validate (CD)'),
  dnssec: flag('DNSSEC records are wanted (DO)'),
  authentic_data: flag('The AD flag is set in the question'),
  nsid: flag('The server is asked for its identifier (RFC 5001)'),
  client_subnet: Type.String({
    maxLength: 43,
    description: 'Network for which the answer is wanted (EDNS Client Subnet, RFC 7871)',
    examples: ['192.0.2.0/24'],
  }),
};

/** One server to be asked in place of this vantage point's resolvers, since 1.2: for the first of the job's types, once; tls and https since 1.3. */
export const DirectServer = Type.Object({
  host: Type.String({ minLength: 1, maxLength: 1024, description: 'Name or address; judged as every target is' }),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  transport: SERVER_ASKED.transport,
  recursion: Type.Boolean({ description: 'Recursion is desired (RD)' }),
  class: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description: 'IN (1) where nothing is said' })),
  type: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 65_535, description: 'In place of the type of `types`, for those that it lacks' }),
  ),
  family: Type.Optional(Type.Unsafe<0 | 4 | 6>({ type: 'integer', enum: [0, 4, 6], description: 'Of the server: 0 as everywhere' })),
  ipv6_first: Ipv6First,
  // Since 1.3.
  answers: Type.Optional(Type.Boolean({ description: 'Each of the types is asked for, and the result has `answers`' })),
  path: Type.Optional(SERVER_ASKED.path),
  checking_disabled: Type.Optional(SERVER_ASKED.checking_disabled),
  dnssec: Type.Optional(SERVER_ASKED.dnssec),
  authentic_data: Type.Optional(SERVER_ASKED.authentic_data),
  nsid: Type.Optional(SERVER_ASKED.nsid),
  client_subnet: Type.Optional(SERVER_ASKED.client_subnet),
});
export type DirectServer = Static<typeof DirectServer>;

const Ms = (description: string) => Type.Number({ minimum: 0, description });
const Count = (description: string) => Type.Integer({ minimum: 0, maximum: 65_535, description });
const Section = (description: string) => Type.Array(Type.String(), { maxItems: RECORDS_MAX, description });

/** The server's answer. The texts of a section are lines of a zone file, fields parted by tabs, as far as a frame has room; counts are of all. */
export const DirectAnswer = Type.Object({
  server: Type.String({ description: 'The address asked, with its port' }),
  transport: SERVER_ASKED.transport,
  resolve_ms: Ms("Looking up the server's name; fractional, as the others"),
  connect_ms: Ms('Opening the connection, or the socket'),
  request_ms: Ms('From the question to its answer'),
  rcode: Type.String({ maxLength: 32 }),
  answer_rrs: Count('Records in the answer section'),
  authority_rrs: Count('Records in the authority section'),
  additional_rrs: Count('Records in the additional section'),
  serial: Type.Optional(Type.Integer({ minimum: 0, maximum: 0xffffffff, description: 'Of the first SOA record in the answer' })),
  answer: Section('Records'),
  authority: Section('Records'),
  additional: Section('Records'),
});
export type DirectAnswer = Static<typeof DirectAnswer>;
