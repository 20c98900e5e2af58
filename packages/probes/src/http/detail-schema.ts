import { Enum } from '@vedette/contract';
import { Type } from 'typebox';
import { ChainDetail } from '../net/handshake/chain-detail.ts';

/** Redirects that are followed at most. */
export const REDIRECTS_MAX = 10;
/** Longest request body, as UTF-8 it may be four times that. */
const BODY_MAX_CHARS = 16 * 1024;
const FIELDS_MAX = 32;
const PATTERNS_MAX = 16;
/** Lower-case or not: an HTTP token (RFC 9110 §5.6.2). */
const FIELD_NAME = "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$";
/** Nothing that would end the line, and no more than servers take. */
const FIELD_VALUE = String.raw`^[\t\x20-\x7e]{0,4096}$`;
const Pattern = (description: string) => Type.String({ minLength: 1, maxLength: 1024, description });

/** User name and password of the URL, which itself comes without: sent to its origin, where that asks for them. */
export const Basic = Type.Optional(
  Type.String({ pattern: '^[A-Za-z0-9+/]{1,16384}={0,2}$', description: 'As in the field of the Basic scheme' }),
);

/** Keys of a job that agents of earlier builds ignore: `detail.heeds` names those that an agent knows. */
export const LATER_KEYS = ['compression', 'body_max_bytes', 'proxy', 'oauth2', 'ipv6_first'] as const;

/** Client credentials (RFC 6749 §4.4), whose token every request to the URL's origin carries. */
const OAuth2 = Type.Object({
  token_url: Type.String({ minLength: 1, maxLength: 8192 }),
  client_id: Type.String({ maxLength: 4096 }),
  client_secret: Type.String({ maxLength: 4096 }),
  scopes: Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 32 }),
  parameters: Type.Record(Type.String(), Type.String({ maxLength: 4096 }), {
    maxProperties: 32,
    description: 'More parameters of the request for a token',
  }),
});

/** A proxy that all requests to the URL and its redirects go through. It is judged as a target is. */
const ProxyAsked = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2048 }),
  headers: Type.Record(Type.String({ pattern: FIELD_NAME }), Type.String({ pattern: FIELD_VALUE }), {
    maxProperties: FIELDS_MAX,
    additionalProperties: false,
    description: 'Sent with each CONNECT',
  }),
  except: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    maxItems: 64,
    description: 'Hosts, with the names below them, that are asked without the proxy',
  }),
});

/** The parts of a job beyond one GET, since 1.2. An absent part is as before 1.2: GET, no redirect followed, no field of its own. */
export const HttpAsked = {
  basic: Basic,
  detail: Type.Optional(Type.Boolean({ description: 'The result is to have `detail`' })),
  method: Type.Optional(Enum(['GET', 'HEAD', 'POST', 'OPTIONS'], { description: 'OPTIONS since 1.3' })),
  headers: Type.Optional(
    Type.Record(Type.String({ pattern: FIELD_NAME }), Type.String({ pattern: FIELD_VALUE }), {
      maxProperties: FIELDS_MAX,
      additionalProperties: false,
      description: 'Header fields of the request, sent to the origin of the URL alone. The certificate must be for a `host` among them',
    }),
  ),
  body: Type.Optional(Type.String({ maxLength: BODY_MAX_CHARS })),
  compression: Type.Optional(
    Enum(['gzip', 'deflate', 'br'], {
      description: 'The body is unpacked by this coding, whatever its head says; if it cannot be: http_protocol',
    }),
  ),
  body_max_bytes: Type.Optional(Type.Integer({ minimum: 1, description: 'A body of more bytes, after unpacking, is too_large' })),
  proxy: Type.Optional(ProxyAsked),
  ipv6_first: Type.Optional(Type.Boolean({ description: 'With family 0: IPv6 is tried first' })),
  oauth2: Type.Optional(OAuth2),
  follow_redirects: Type.Optional(Type.Boolean({ description: `Up to ${REDIRECTS_MAX}; each is judged as the URL is` })),
  http_versions: Type.Optional(
    Type.Array(Enum(['HTTP/1.1', 'HTTP/2']), {
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
      description: 'Versions that are offered over TLS; default both',
    }),
  ),
  max_redirects: Type.Optional(
    Type.Integer({ minimum: 1, maximum: REDIRECTS_MAX, description: 'The last of them is not followed, and is no failure. Since 1.3' }),
  ),
  show_body: Type.Optional(
    Enum(['text', 'base64'], {
      description: 'The report has the first 10,000 bytes of the body, unpacked: as text by its charset, or in base64',
    }),
  ),
  show_certificates: Type.Optional(Type.Boolean({ description: 'The report has the certificates that the server sent' })),
  verify_certificate: Type.Optional(
    Type.Boolean({ description: 'Nothing is requested over a certificate that is not valid: tls_cert_invalid' }),
  ),
  server_name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 253,
      description: "Whose certificate it must be, in place of the URL's host; also sent as SNI",
    }),
  ),
  body_matches: Type.Optional(Type.Array(Pattern('In the syntax of RE2'), { maxItems: PATTERNS_MAX })),
  header_matches: Type.Optional(
    Type.Array(Type.Object({ header: Type.String({ pattern: FIELD_NAME }), regexp: Pattern('In the syntax of RE2') }), {
      maxItems: PATTERNS_MAX,
    }),
  ),
};

const Ms = (description: string) => Type.Number({ minimum: 0, description });

/** The schema of `detail`. */
export const HttpDetail = Type.Object({
  heeds: Type.Optional(Type.Array(Type.String(), { maxItems: 32, description: 'Later keys of a job that the agent knows' })),
  tried_address: Type.Optional(Type.String({ maxLength: 45, description: 'First address that was tried; absent if there was no attempt' })),
  redirects: Type.Integer({ minimum: 0, maximum: REDIRECTS_MAX, description: 'That were followed' }),
  final_url: Type.String({ maxLength: 8192, description: 'Of the last request; credentials are not in URLs' }),
  phases: Type.Object(
    {
      resolve_ms: Ms('Looking up the name'),
      connect_ms: Ms('Time to open the connection, in ms'),
      tls_ms: Ms('Time of the TLS handshake, in ms; 0 for http'),
      processing_ms: Ms('From the request to the first octet of the answer'),
      transfer_ms: Ms('From there to the end of the answer'),
    },
    { description: 'Of all requests together, fractional' },
  ),
  content_length: Type.Optional(Type.Integer({ minimum: 0, description: 'As the last answer says; absent where it does not' })),
  uncompressed_body_bytes: Type.Integer({ minimum: 0, description: 'Of the last body, as far as it was read' }),
  last_modified: Type.Optional(Type.Number({ description: 'As the last answer says, s since 1970; absent without a date' })),
  body_matches: Type.Array(Type.Boolean(), {
    maxItems: PATTERNS_MAX,
    description: 'Whether each of the patterns is in the body; empty where it took too long to say',
  }),
  header_matches: Type.Array(Type.Boolean(), {
    maxItems: PATTERNS_MAX,
    description: 'Whether each of them is in a value of its header; empty where it took too long to say',
  }),
  tls: Type.Optional(ChainDetail),
});
