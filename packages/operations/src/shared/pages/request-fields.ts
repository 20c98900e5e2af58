import { ApiError, languagesOf } from '@vedette/contract';
import { Defaulted } from '../../kit/index.ts';
import { Type } from 'typebox';

/** The fields of a request that are sent to the target itself, and only to the URL's own origin. */
export const SecretParams = {
  basic_auth_username: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: 'User name for HTTP Basic authentication (RFC 7617), sent only to the origin of `url`',
      examples: ['user'],
    }),
  ),
  basic_auth_password: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: 'Password for HTTP Basic authentication, used with basic_auth_username',
      examples: ['password'],
    }),
  ),
  authorization_bearer: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 8_192,
      description: 'Bearer token (RFC 6750), sent only to the origin of `url`',
      examples: ['token'],
    }),
  ),
  custom_header: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 8_400,
      description:
        'Additional header, `Name: value`, sent only to the origin of `url`. Headers for message framing, proxies, client identity and cloud metadata services are refused',
      examples: ['X-Preview: 1'],
    }),
  ),
};
type SecretParams = Partial<Record<keyof typeof SecretParams, string>>;

export interface Secrets {
  basic_auth?: { username: string; password: string };
  authorization_bearer?: string;
  custom_header?: { name: string; value: string };
}

/** Reads them. Throws `ApiError` invalid_parameter, or parameter_conflict where two of them would be the same header. */
export function readSecrets({
  basic_auth_username: username,
  basic_auth_password: password,
  authorization_bearer,
  custom_header,
}: SecretParams): Secrets {
  const header = custom_header === undefined ? undefined : readCustomHeader(custom_header);
  const hasBasic = username !== undefined || password !== undefined;
  if (username?.includes(':')) throw invalid('basic_auth_username', 'must not contain a colon (RFC 7617 §2)');
  for (const [param, text] of [
    ['basic_auth_username', username],
    ['basic_auth_password', password],
  ] as const)
    if (text !== undefined && CONTROL.test(text)) throw invalid(param, 'must not contain control characters');
  if (authorization_bearer !== undefined && !TOKEN68.test(authorization_bearer))
    throw invalid('authorization_bearer', 'must be a token of RFC 6750 §2.1');
  if (hasBasic && authorization_bearer !== undefined)
    throw new ApiError('parameter_conflict', 'basic_auth_username and authorization_bearer', { param: 'authorization_bearer' });
  if (header?.name.toLowerCase() === 'authorization' && (hasBasic || authorization_bearer !== undefined))
    throw new ApiError('parameter_conflict', 'custom_header repeats the header of another parameter', { param: 'custom_header' });
  return {
    ...(hasBasic && { basic_auth: { username: username ?? '', password: password ?? '' } }),
    ...(authorization_bearer !== undefined && { authorization_bearer }),
    ...(header && { custom_header: header }),
  };
}

const CONTROL = /\p{Cc}/u;
const TOKEN68 = /^[A-Za-z0-9._~+/-]+=*$/;
/** RFC 9110 §5.6.2. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;
/** RFC 9110 §5.5, without obs-text: other characters than ASCII arrive changed. */
const VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]{0,8000}[\x21-\x7e])?$/;

/** They frame the message, or its connection (RFC 9110 §7.6.1, RFC 9112 §6). */
const FRAMING = 'host content-length transfer-encoding connection keep-alive upgrade te trailer expect http2-settings';
/** They say who asks. */
const CLIENT = 'user-agent forwarded via x-real-ip x-client-ip x-original-forwarded-for true-client-ip cf-connecting-ip client-ip';
/** The answer must be readable, and is requested in whole. */
const READING = 'accept-encoding range if-range content-encoding';
/** Services on inner addresses reveal secrets to clients that send these. */
const METADATA = 'metadata-flavor metadata x-google-metadata-request x-identity-header secret';
const FORBIDDEN = new Set([FRAMING, CLIENT, READING, METADATA].flatMap((names) => names.split(' ')));
const FORBIDDEN_BEGINNINGS = ['proxy-', 'x-forwarded-', 'sec-', 'x-aws-ec2-metadata-'];

/** One header of `Name: value`. Throws `ApiError` invalid_parameter. */
function readCustomHeader(text: string): { name: string; value: string } {
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(0, colon));
  const value = text.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '');
  if (colon < 0 || !NAME.test(name)) throw invalid('custom_header', 'must be a name of RFC 9110 §5.1, a colon and a value');
  if (!VALUE.test(value)) throw invalid('custom_header', 'must have a value of 1 to 8000 printable ASCII characters');
  const lower = name.toLowerCase();
  if (FORBIDDEN.has(lower) || FORBIDDEN_BEGINNINGS.some((beginning) => lower.startsWith(beginning)))
    throw invalid('custom_header', `must not be ${name}: the connection, a proxy, the client or a metadata service is told by it`);
  return { name, value };
}

export const AcceptLanguage = () =>
  Defaulted(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Accept-Language header (RFC 9110 §12.5.4): one language, or several with weights',
      examples: ['de-DE,de;q=0.8'],
    }),
    'en-US',
  );

/** Reads it. Throws `ApiError` invalid_parameter. */
export function readAcceptLanguage(text: string): string {
  if (languagesOf(text) === undefined)
    throw invalid('accept_language', 'must be a value of RFC 9110 §12.5.4, such as en-US or de-DE,de;q=0.8');
  return text;
}

const invalid = (param: string, why: string): ApiError => new ApiError('invalid_parameter', `${param} ${why}`, { param });
