import { API_ERRORS, type ApiErrorCode } from '@vedette/contract';
import { askingOf, type Operation, withElapsed } from '@vedette/operations/kit';
import type { NamedSchemas, Schema } from './named-schemas.ts';

/** No client sees 499, and only pages answer 406. */
type ErrorStatus = Exclude<(typeof API_ERRORS)[ApiErrorCode]['status'], 406 | 499>;

/** When each status arises. */
export const STATUS_TITLES: Readonly<Record<ErrorStatus, string>> = {
  400: 'The request is malformed, or its target is not allowed',
  401: 'The API key is missing, malformed, unknown, expired or revoked',
  402: 'Not enough credits, and no overage',
  403: 'Blocked after too many invalid keys, or not allowed for this key',
  404: 'The operation does not exist',
  405: 'The path requires another method',
  408: 'The request arrived too slowly',
  409: 'The Idempotency-Key cannot be used for this request',
  413: 'The body is too large',
  415: 'The body is not application/json',
  429: 'Too many requests',
  500: 'Internal error of the service',
  502: 'A required service failed, such as the DNS resolvers',
  503: 'The service is overloaded, shutting down, or has no free worker',
  504: 'The deadline has passed',
};
const RETRIED = new Set([403, 409, 429, 502, 503]);

export const header = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });

export const ERROR_REF = { $ref: '#/components/schemas/Error' };

export function errorResponse(status: number, title: string): object {
  const codes = Object.entries(API_ERRORS).filter(([, row]) => row.status === status);
  const [code = '', row] = codes[0] ?? [];
  return {
    description: `${title}. ${codes.map(([each, { sentence }]) => `\`${each}\`: ${sentence}.`).join(' ')}`,
    headers: {
      'X-Request-Id': header("Request id, as in the service's logs", 'c7a4…'),
      ...(status === 401 && {
        'WWW-Authenticate': header(
          'Authentication scheme and the header that carries the key',
          'ApiKey realm="Vedette", in="header", name="X-API-Key"',
        ),
      }),
      ...(RETRIED.has(status) && { 'Retry-After': header('Seconds to wait before a retry; absent if waiting does not help', '1') }),
      ...(status === 405 && { Allow: header('Methods that the path accepts', 'POST') }),
    },
    content: { 'application/json': { schema: ERROR_REF, example: { error: row?.sentence, code } } },
  };
}

export const errorResponses = (statuses: readonly (ErrorStatus | string)[]): object =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/E${status}` }]));

/** `ping-test` as the name of a type. */
export const typeName = (name: string): string => name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The report's schema by its name, and that of one location's entry, where the report lists them. */
export function reportSchemas(operation: Operation, named: NamedSchemas): { report: Schema; entry: Schema | undefined } {
  const type = typeName(operation.name);
  const report = withElapsed(operation.response);
  const { entries, entrySchema } = askingOf(operation) ?? {};
  if (entries === undefined || entrySchema === undefined)
    return { report: named.refer({ ...report, title: `${type}Report` }), entry: undefined };
  const entry = { ...entrySchema, title: `${type}Entry` };
  const properties = report['properties'] as Record<string, object>;
  const listed = { ...properties, [entries]: { ...properties[entries], items: entry } };
  return { report: named.refer({ ...report, properties: listed, title: `${type}Report` }), entry: named.refer(entry) };
}

export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Key that makes retries of a paid request with the same body free for ten minutes. 409 while the first request runs, or if the body differs',
  schema: { type: 'string', minLength: 1, maxLength: 128 },
};

export function priceOf({ cost }: Operation): string {
  const base = typeof cost === 'number' ? cost : cost.base;
  const price = base === 0 ? 'Costs nothing' : `Costs ${base} ${base === 1 ? 'credit' : 'credits'}`;
  return typeof cost === 'number' ? `${price}.` : `${price}; ${cost.note}.`;
}
