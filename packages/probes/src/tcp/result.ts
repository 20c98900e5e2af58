import { Enum } from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { CERTIFICATE_VERDICT, ChainDetail } from '../net/handshake/chain-detail.ts';
import { Rtt } from '../ping/rtt.ts';
import { ATTEMPTS_MAX } from './job.ts';
import { FIRST_OCTETS } from './talk.ts';

export const PORT_STATES = ['open', 'reset', 'refused', 'rejected', 'filtered'] as const;
export type PortState = (typeof PORT_STATES)[number];

/** Certificates and OCSP responses of one handshake: OpenSSL takes no more, and a frame of the bus holds it. */
export const SHOWN_MAX_OCTETS = 100 * 1024;
export const CERTIFICATES_MAX = 16;
const Octets = Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$', maxLength: Math.ceil(SHOWN_MAX_OCTETS / 3) * 4 });

const Ms = (description: string) => Type.Number({ minimum: 0, description });
/** Octets with escapes: each may be four characters. */
const Said = (description: string) => Type.String({ maxLength: 4 * FIRST_OCTETS, description });

const Attempt = Type.Object({
  ip_address: Type.String({ description: 'IP address of the attempt' }),
  state: Enum(PORT_STATES, { description: 'Outcome of the attempt, as `state`; never reset' }),
  began_ms: Ms('Start of the attempt in ms since the start of the measurement'),
  connect_ms: Ms('Time in ms until the connection was accepted or refused, as the agent saw it'),
  rtt_ms: Ms("Round-trip time of the handshake in ms, by the kernel's clock; 0 if the connection was not accepted"),
  syn_lost: Type.Integer({
    minimum: 0,
    description: 'Connection requests (SYN) that were sent again; 0 if the connection was not accepted',
  }),
  icmp: Type.String({ description: 'ICMP message that rejected the connection: words, type and code, sender; empty without one' }),
});
export type Attempt = Static<typeof Attempt>;

/** The result as tcp-test prints it. */
export const TcpMeasured = Type.Object({
  ip_address: Type.String({ description: 'Address of the connection, or of the first attempt; empty if there was none' }),
  state: Enum([...PORT_STATES, ''], {
    description:
      'open, reset (accepted, then reset before the first octet), refused (RST), rejected (ICMP), or filtered (no answer); empty if nothing was measured',
  }),
  attempts: Type.Array(Attempt, {
    maxItems: ATTEMPTS_MAX,
    description: 'Connections that were tried, in order; each address of the host in turn',
  }),
  rtt: Rtt,
  banner: Said('First octets that the server sent by itself, at most 1024: printable ASCII, anything else escaped as in C'),
  response: Said('Octets that came after `send`, at most 1024, escaped as in `banner`'),
  expect_matched: Type.Optional(Type.Boolean({ description: '`expect` matches what the server sent; absent without `expect`' })),
  closed_by_server: Type.Boolean({ description: 'The server ended the connection during the test' }),
  timings: Type.Object(
    {
      dns_ms: Ms('Time to resolve the name, in ms'),
      connect_ms: Ms('Time to open the connection, in ms'),
      starttls_ms: Ms('Time until the server agreed to TLS, in ms; 0 without `starttls`'),
      tls_ms: Ms('Time of the TLS handshake, in ms; 0 without TLS'),
      first_octet_ms: Ms('Time from there to the first octet of the server, in ms; 0 without one'),
      total_ms: Ms('Time from the start to the end of the measurement, in ms'),
    },
    { description: 'Phases of the connection that was talked over; all but `total_ms` are durations' },
  ),
  tls: Type.Optional(
    Type.Object(
      {
        version: Type.String({ description: 'TLS version, such as TLSv1.3' }),
        cipher_suite: Type.String({ description: 'IANA name of the cipher suite' }),
        group: Type.String({ description: 'Group of the key exchange, such as X25519; empty without one' }),
        alpn: Type.String({ description: 'Protocol that the server chose by ALPN; empty without one' }),
        warnings: Type.Array(Type.String(), {
          description: 'TLS features, apart from the certificate, that current clients refuse or advise against',
        }),
      },
      { description: 'TLS connection; absent without a completed handshake' },
    ),
  ),
  certificate: Type.Optional(
    Type.Object(
      {
        ...CERTIFICATE_VERDICT,
        subject: Type.String({ description: 'Subject of the certificate (RFC 2253)' }),
        issuer: Type.String({ description: 'Issuer of the certificate (RFC 2253)' }),
        names: Type.String({ description: 'DNS names that the certificate is for, joined by commas' }),
        fingerprint_sha256: Type.String({ description: 'SHA-256 of the certificate, hexadecimal' }),
        serial_number: Type.String({ description: 'Serial number, hexadecimal' }),
      },
      { description: 'Certificate that the server showed, even if the handshake failed afterwards; absent without one' },
    ),
  ),
  elapsed_ms: Type.Integer({ minimum: 0, description: 'Processing time at the location, in ms' }),
});

/** What of a script only /probe is told. */
const TcpDetail = Type.Object({
  script: Enum(['done', 'no_match', 'no_bytes', 'ended', 'pattern_timeout', ''], { description: 'How it ended; empty before its end' }),
  labels: Type.Array(Type.Array(Type.Object({ name: Type.String(), value: Type.String({ maxLength: 4096 }) })), {
    description: 'Of each step with labels, filled in',
  }),
  chain: Type.Optional(ChainDetail),
});
export type TcpDetail = Static<typeof TcpDetail>;

/** The handshake as the server showed it, for a judge that was not there. */
const TlsShown = Type.Object({
  version: Type.String({ maxLength: 16, description: 'TLS version, such as TLSv1.3' }),
  certificates: Type.Array(Octets, { maxItems: CERTIFICATES_MAX, description: 'In the order in which the server sent them, DER' }),
  stapled: Type.Optional(Octets),
});
export type TlsShown = Static<typeof TlsShown>;

export const TcpResult = Type.Object({
  ...TcpMeasured.properties,
  detail: Type.Optional(TcpDetail),
  shown: Type.Optional(TlsShown),
});
export type TcpResult = Static<typeof TcpResult>;
