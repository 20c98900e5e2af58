import { shown } from '../tools/shown.ts';

/** Every answer that is not a 200: its code, status and sentence. Codes are never reused. */
export const API_ERRORS = {
  malformed_json: { status: 400, sentence: 'The body is not one valid JSON object' },
  missing_parameter: { status: 400, sentence: 'A required parameter is missing' },
  invalid_parameter: { status: 400, sentence: 'A parameter has the wrong type or is out of range' },
  unknown_parameter: { status: 400, sentence: 'The operation does not have this parameter' },
  parameter_conflict: { status: 400, sentence: 'These parameters cannot be used together' },
  private_address: { status: 400, sentence: 'The target is not a public address' },
  blocked_target: { status: 400, sentence: 'Government and educational targets are not allowed' },
  denied_target: { status: 400, sentence: 'The target has opted out or is on the deny-list of this service' },
  special_use_name: { status: 400, sentence: 'The name is reserved for special use and is not resolved' },
  unknown_location: { status: 400, sentence: 'No location matches the selection' },
  bad_request: { status: 400, sentence: 'The request is not valid HTTP' },
  key_missing: { status: 401, sentence: 'No API key was sent' },
  key_malformed: { status: 401, sentence: 'The API key is not well formed' },
  key_unknown: { status: 401, sentence: 'The API key is unknown' },
  key_revoked: { status: 401, sentence: 'The API key was revoked' },
  key_expired: { status: 401, sentence: 'The API key has expired' },
  session_ended: { status: 401, sentence: 'You are not signed in any more' },
  insufficient_credits: { status: 402, sentence: 'Not enough credits' },
  address_blocked: { status: 403, sentence: 'Your IP address is blocked for an hour after too many invalid API keys' },
  account_suspended: { status: 403, sentence: 'The account of this API key is suspended' },
  operation_not_allowed: { status: 403, sentence: 'This API key may not use this operation' },
  role_not_allowed: { status: 403, sentence: 'Your role does not include this' },
  source_not_allowed: { status: 403, sentence: 'This API key may not be used from your IP address' },
  cross_site: { status: 403, sentence: 'Pages of other sites may not use your sign-in' },
  unknown_operation: { status: 404, sentence: 'The operation does not exist' },
  answer_not_kept: { status: 404, sentence: 'No answer is kept for this Idempotency-Key' },
  method_not_allowed: { status: 405, sentence: 'The path does not accept this method' },
  not_acceptable: { status: 406, sentence: 'This file is available as br or gzip only' },
  request_timeout: { status: 408, sentence: 'The request was not received in time' },
  idempotency_conflict: { status: 409, sentence: 'This Idempotency-Key cannot be used for this request' },
  body_too_large: { status: 413, sentence: 'The body is larger than the limit' },
  unsupported_media_type: { status: 415, sentence: 'Send the body as application/json' },
  rate_limited: { status: 429, sentence: 'Too many requests' },
  target_limited: { status: 429, sentence: 'This target is being measured too often' },
  client_gone: { status: 499, sentence: 'The client disconnected before the answer' },
  internal: { status: 500, sentence: 'The service failed; the request costs nothing' },
  upstream_failed: { status: 502, sentence: 'A service that the answer depends on failed; the request costs nothing' },
  overloaded: { status: 503, sentence: 'The service is overloaded' },
  draining: { status: 503, sentence: 'This gateway is shutting down' },
  bus_unavailable: { status: 503, sentence: 'The message bus cannot be reached' },
  ledger_unavailable: { status: 503, sentence: 'Credits cannot be checked at the moment' },
  no_agent: { status: 503, sentence: 'No agent could take the measurement' },
  no_renderer: { status: 503, sentence: 'No renderer could load the page' },
  no_vpn_exit: { status: 503, sentence: 'No VPN exit is available' },
  no_tor: { status: 503, sentence: 'The Tor network cannot be used' },
  sign_in_unavailable: { status: 503, sentence: 'Signing in is not possible at the moment; API keys work' },
  switched_off: { status: 503, sentence: 'The operator of this service has switched the operation off' },
  deadline: { status: 504, sentence: 'The operation did not finish in time' },
} as const satisfies Record<string, { status: number; sentence: string }>;

export type ApiErrorCode = keyof typeof API_ERRORS;

/** The parts of an error besides its code and its sentence. */
interface ApiErrorOptions {
  /** The parameter that is wrong, as the request names it: `host`, `locations[1]`, `Idempotency-Key`. May come from a stranger: it is cleaned. */
  param?: string;
  /** When the same request may do better; absent where that is not known, or waiting alone does not help. */
  retryAfterS?: number;
  cause?: unknown;
}

const PARAM_MAX_CHARS = 80;

/** A request that we cannot serve. The gateway's one error handler turns it into `{ error, code, param? }`. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly param: string | undefined;
  readonly retryAfterS: number | undefined;

  /** `detail` follows the sentence and is shown to the client: never put a secret or an internal address in it. */
  constructor(code: ApiErrorCode, detail = '', { param, retryAfterS, cause }: ApiErrorOptions = {}) {
    const { sentence } = API_ERRORS[code];
    super(detail === '' ? sentence : `${sentence}: ${detail}`, cause === undefined ? undefined : { cause });
    this.name = 'ApiError';
    this.code = code;
    this.param = param === undefined ? undefined : shown(param, PARAM_MAX_CHARS);
    this.retryAfterS = retryAfterS;
  }

  get status(): number {
    return API_ERRORS[this.code].status;
  }
}
