import { Enum } from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { Ipv6First, WantedFamily } from '../host/judge-host.ts';
import { STARTTLS } from './starttls.ts';

export const ATTEMPTS_MAX = 4;
export const SEND_MAX_OCTETS = 512;
const PEM_MAX_CHARS = 64 * 1024;
const STEPS_MAX = 32;
const LABELS_MAX = 16;
const VERSIONS = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const;

const Pattern = Type.String({ minLength: 1, maxLength: 1024, description: 'In the syntax of RE2' });
const Pem = (description: string) => Type.String({ maxLength: PEM_MAX_CHARS, description });
/** Octets in base64. */
const Octets = (maxOctets: number) => Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$', maxLength: Math.ceil(maxOctets / 3) * 4 });

const TlsAsked = Type.Object({
  server_name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 253, description: "Whose certificate it must be, in place of the host's; also sent as SNI" }),
  ),
  alpn: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 32 }), { maxItems: 8 })),
  show: Type.Optional(
    Type.Boolean({ description: 'The result has the certificates themselves, and the connection ends with the handshake (since 1.5)' }),
  ),
  verify: Type.Optional(Type.Boolean({ description: 'A certificate that is not valid is tls_cert_invalid; otherwise it is data' })),
  terms: Type.Optional(
    Type.Object({
      roots: Type.Optional(Pem('Trusted in place of all others')),
      min_version: Type.Optional(Enum(VERSIONS)),
      max_version: Type.Optional(Enum(VERSIONS)),
      certificate: Type.Optional(Pem("The client's")),
      key: Type.Optional(Pem('Of that certificate')),
    }),
  ),
});
export type TlsAsked = Static<typeof TlsAsked>;

/** An entry of blackbox_exporter's `query_response`. */
const Step = Type.Object({
  expect: Type.Optional(Pattern),
  labels: Type.Optional(
    Type.Array(Type.Object({ name: Type.String({ maxLength: 64 }), value: Type.String({ maxLength: 1024 }) }), { maxItems: LABELS_MAX }),
  ),
  expect_bytes: Type.Optional(Octets(4096)),
  send: Type.Optional(Octets(4096)),
  starttls: Type.Optional(Type.Boolean()),
});
export type Step = Static<typeof Step>;

export const TcpJob = Type.Object({
  host: Type.String({ minLength: 1, maxLength: 1024 }),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  family: WantedFamily,
  ipv6_first: Ipv6First,
  attempts: Type.Integer({
    minimum: 1,
    maximum: ATTEMPTS_MAX,
    description: 'Connections; the first to be accepted is the one that is talked over',
  }),
  starttls: Type.Optional(Enum(STARTTLS, { description: 'The server is asked for TLS in this protocol' })),
  tls: Type.Optional(TlsAsked),
  send: Type.Optional(Octets(SEND_MAX_OCTETS)),
  expect: Type.Optional(Pattern),
  script: Type.Optional(
    Type.Array(Step, {
      maxItems: STEPS_MAX,
      description: 'In place of banner, starttls, send and expect; `tls` is then about where it begins, or a starttls in it',
    }),
  ),
  script_in_tls: Type.Optional(Type.Boolean({ description: 'The script begins within TLS' })),
});
export type TcpJob = Static<typeof TcpJob>;
