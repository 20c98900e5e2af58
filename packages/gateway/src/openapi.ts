import { API_ERRORS, type ApiErrorCode, type Operation, withElapsed } from '@vedette/contract';
import { Type } from 'typebox';
import { LOCATIONS } from './list-locations.ts';
import { requestSchema } from './request-schema.ts';

const VERSION = '2.0.0';

/** When each status arises. */
const STATUS_TITLES: Record<number, string> = {
  400: 'The request is malformed, or names a target that is not allowed',
  401: 'The API key is missing, malformed, unknown, expired or revoked',
  402: 'Not enough credits, and no overage',
  403: 'Blocked after too many invalid keys, or not allowed for this key',
  404: 'No such operation',
  405: 'The path takes another method',
  408: 'The request came too slowly',
  409: 'The Idempotency-Key cannot be used for this request',
  413: 'The body is too large',
  415: 'The body is not application/json',
  429: 'Too many requests',
  500: 'A defect of ours',
  503: 'Overloaded, draining, or nobody able to serve',
  504: 'The deadline passed',
};
const RETRIED = new Set([403, 409, 429, 503]);

const header = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });

/** Builds the OpenAPI 3.1 description of the service from the operations themselves. */
export function openApi(operations: readonly Operation[]): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vedette',
      version: VERSION,
      description:
        'Threat and network intelligence. Every operation is one POST with a small JSON body; only a 200 costs credits, and a request whose client leaves once its work has begun. A failure of the target is part of the report.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Relative to where the document was loaded from: behind a proxy the gateway does not know its own name and scheme.
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'From many places', description: 'Measured by agents in several locations; one entry each.' },
      { name: 'Central', description: 'Answered by the gateway.' },
      { name: 'Service', description: 'About the service itself.' },
    ],
    paths: {
      ...Object.fromEntries(operations.map((operation) => [`/v2/${operation.name}`, { post: describe(operation) }])),
      '/v2/locations': { get: LOCATIONS_PATH },
    },
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      schemas: {
        Error: Type.Object(
          {
            error: Type.String({ description: 'A sentence for people' }),
            code: Type.Unsafe<ApiErrorCode>({ type: 'string', enum: Object.keys(API_ERRORS), description: 'For programs; never reused' }),
          },
          { examples: [{ error: API_ERRORS.key_missing.sentence, code: 'key_missing' }] },
        ),
      },
      responses: Object.fromEntries(
        Object.entries(STATUS_TITLES).map(([status, title]) => [`E${status}`, errorResponse(Number(status), title)]),
      ),
    },
  };
}

function errorResponse(status: number, title: string): object {
  const codes = Object.entries(API_ERRORS).filter(([, row]) => row.status === status);
  return {
    description: `${title}. ${codes.map(([code, { sentence }]) => `\`${code}\`: ${sentence}.`).join(' ')}`,
    headers: {
      'X-Request-Id': header('Names this request in our logs', 'c7a4…'),
      ...(RETRIED.has(status) && { 'Retry-After': header('Seconds to wait', '1') }),
      ...(status === 405 && { Allow: header('What the path takes', 'POST') }),
    },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

function describe(operation: Operation): object {
  const request = requestSchema(operation);
  const hasBody = Object.keys(request.properties).length > 0;
  const { cost } = operation;
  const report = { schema: withElapsed(operation.response) };
  return {
    operationId: operation.name,
    tags: [operation.kind === 'distributed' ? 'From many places' : 'Central'],
    summary: operation.summary,
    description: [
      operation.description,
      priceOf(operation),
      operation.references && `Standards: ${operation.references.join(', ')}.`,
      operation.limit && `At most ${operation.limit.requests} request per ${operation.limit.per_s} s and account.`,
    ]
      .filter(Boolean)
      .join('\n\n'),
    'x-credits': typeof cost === 'number' ? cost : cost.base,
    ...(typeof cost !== 'number' && { 'x-credits-note': cost.note }),
    'x-deadline-ms': operation.deadline_ms,
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description:
          'For ten minutes a retry of the same body that was paid for is free: it gets the answer of the first, or, where that left none, runs again once. 409 while the first still runs, and for another body',
        schema: { type: 'string', minLength: 1, maxLength: 128 },
      },
    ],
    ...(hasBody && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: request,
            examples: Object.fromEntries(operation.examples.map((value: unknown, i: number) => [`example${i + 1}`, { value }])),
          },
        },
      },
    }),
    responses: {
      200: {
        description: 'The report',
        headers: {
          'X-Request-Id': header('Names this request in our logs', 'c7a4…'),
          'X-Service-Quota': header('Credits of the account after this request', 'limit=10000, remaining=9995, reset=1767225600, cost=5'),
          'Idempotency-Replayed': header('`true`: the answer of an earlier request with this Idempotency-Key', 'true'),
          ...(operation.limit && {
            'RateLimit-Policy': header('draft-ietf-httpapi-ratelimit-headers', '"account-info";q=1;w=1'),
            RateLimit: header('Requests left in the window, and seconds until it is over', '"account-info";r=0;t=1'),
          }),
        },
        content: {
          'application/json': report,
          ...(operation.kind === 'distributed' && {
            'text/event-stream': {
              schema: {
                type: 'string',
                description: 'With `Accept: text/event-stream`: a `location` event as each finishes, then one `report` event.',
              },
            },
          }),
        },
      },
      ...Object.fromEntries(Object.keys(STATUS_TITLES).map((status) => [status, { $ref: `#/components/responses/E${status}` }])),
    },
  };
}

function priceOf({ cost }: Operation): string {
  const base = typeof cost === 'number' ? cost : cost.base;
  const price = base === 0 ? 'Costs nothing' : `Costs ${base} ${base === 1 ? 'credit' : 'credits'}`;
  return typeof cost === 'number' ? `${price}.` : `${price}; ${cost.note}.`;
}

const LOCATIONS_PATH = {
  operationId: LOCATIONS,
  tags: ['Service'],
  summary: 'The locations and their state',
  'x-credits': 0,
  responses: {
    200: {
      description: 'Every location that was configured, prepared or ever seen, whether or not an agent is there now',
      content: {
        'application/json': {
          schema: Type.Object({
            locations: Type.Array(
              Type.Object({
                id: Type.String(),
                continent_code: Type.String(),
                continent_name: Type.String(),
                country_code: Type.String(),
                country_name: Type.String(),
                city_name: Type.String(),
                latitude: Type.Number({ description: 'Degrees' }),
                longitude: Type.Number({ description: 'Degrees' }),
                state: Type.Unsafe({ type: 'string', enum: ['ready', 'degraded', 'draining', 'down'] }),
                asked_by_default: Type.Boolean(),
                simulated: Type.Boolean({ description: 'Its agents only pretend to be there' }),
                agents: Type.Integer({ description: 'Connected now' }),
                capabilities: Type.Array(Type.String(), { description: 'What its agents can do: probe kinds, v4, v6, h2, vpn' }),
              }),
            ),
          }),
        },
      },
    },
    401: { $ref: '#/components/responses/E401' },
    403: { $ref: '#/components/responses/E403' },
  },
};
