import { API_ERRORS, type ApiErrorCode, Enum } from '@vedette/contract';
import { exampleOf, LocationFields, type Operation, withElapsed } from '@vedette/operations/kit';
import { Type } from 'typebox';
import { introduction } from './api-introduction.ts';
import locationsExample from '../locations/example.json' with { type: 'json' };
import { LOCATIONS } from '../locations/list-locations.ts';
import { NamedSchemas, type Schema } from './named-schemas.ts';
import { requestSchema } from '../door/request-schema.ts';
import { PROBE_PATH } from './probe-path.ts';
import { tagOf, tags } from './tags.ts';

const VERSION = '2.0.0';

/** No client sees 499, and only pages answer 406. */
type ErrorStatus = Exclude<(typeof API_ERRORS)[ApiErrorCode]['status'], 406 | 499>;

/** When each status arises. */
const STATUS_TITLES: Readonly<Record<ErrorStatus, string>> = {
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

const header = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });

/** Builds the OpenAPI 3.1 description of the service from the operations themselves. */
export function openApi(operations: readonly Operation[]): object {
  const named = new NamedSchemas();
  named.refer(ErrorBody);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vedette',
      version: VERSION,
      description: introduction(operations),
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Relative to where the document was loaded from: behind a proxy the gateway does not know its own name and scheme.
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: tags(),
    paths: {
      ...Object.fromEntries(operations.map((operation) => [`/v2/${operation.name}`, { post: describe(operation, named) }])),
      '/v2/locations': { get: locationsPath(named) },
      '/probe': { get: { ...PROBE_PATH, responses: { ...PROBE_PATH.responses, ...errorResponses(Object.keys(STATUS_TITLES)) } } },
      '/healthz': { get: HEALTH_PATH },
    },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'API key from the operator of this service, with the prefix `vdt_`',
        },
      },
      schemas: named.components(),
      responses: Object.fromEntries(
        Object.entries(STATUS_TITLES).map(([status, title]) => [`E${status}`, errorResponse(Number(status), title)]),
      ),
    },
  };
}

const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'Error message for people' }),
    code: Type.Unsafe<ApiErrorCode>({
      title: 'ErrorCode',
      type: 'string',
      enum: Object.keys(API_ERRORS),
      description: 'Stable error code for programs; codes are never reused',
    }),
    param: Type.Optional(Type.String({ description: 'Name of the invalid parameter, such as `host` or `locations[1]`' })),
  },
  { title: 'Error' },
);
const ERROR_REF = { $ref: '#/components/schemas/Error' };

function errorResponse(status: number, title: string): object {
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

const errorResponses = (statuses: readonly (ErrorStatus | string)[]): object =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/E${status}` }]));

/** `ping-test` as the name of a type. */
const typeName = (name: string): string => name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The report's schema by its name, and that of one location's entry, where the report lists them. */
function reportSchemas(operation: Operation, named: NamedSchemas): { report: Schema; entry: Schema | undefined } {
  const type = typeName(operation.name);
  const report = withElapsed(operation.response);
  if (operation.kind === 'central' || operation.entries === undefined || operation.entrySchema === undefined)
    return { report: named.refer({ ...report, title: `${type}Report` }), entry: undefined };
  const { entries, entrySchema } = operation;
  const entry = { ...entrySchema, title: `${type}Entry` };
  const properties = report['properties'] as Record<string, object>;
  const listed = { ...properties, [entries]: { ...properties[entries], items: entry } };
  return { report: named.refer({ ...report, properties: listed, title: `${type}Report` }), entry: named.refer(entry) };
}

function describe(operation: Operation, named: NamedSchemas): object {
  const request = requestSchema(operation);
  const hasBody = Object.keys(request.properties).length > 0;
  const { cost, limit } = operation;
  const { report, entry } = reportSchemas(operation, named);
  const streams = operation.kind === 'distributed';
  const example = exampleOf(operation.name);
  return {
    operationId: operation.name,
    tags: [tagOf(operation.subject)],
    summary: operation.summary,
    description: [
      operation.description,
      priceOf(operation),
      operation.references && `Standards: ${operation.references.join(', ')}.`,
      limit && `At most ${limit.requests} request per ${limit.per_s} s and account.`,
    ]
      .filter(Boolean)
      .join('\n\n'),
    'x-credits': typeof cost === 'number' ? cost : cost.base,
    ...(typeof cost !== 'number' && { 'x-credits-note': cost.note }),
    'x-deadline-ms': operation.deadline_ms,
    // Not among the answers, nor is the 204 to `Last-Event-ID`: OpenAPI 3.1 cannot say what an event carries, and generators would turn the
    // report into a union of report, text and nothing.
    ...(streams && { 'x-event-stream': { ...(entry && { location: entry }), report, error: ERROR_REF } }),
    parameters: [IDEMPOTENCY_KEY, ...(streams ? [LAST_EVENT_ID] : [])],
    ...(hasBody && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            // Not by name: generators take what has a default for required, but not in the body of a request.
            schema: named.refer(request),
            examples: Object.fromEntries(operation.examples.map((value: unknown, i: number) => [`example${i + 1}`, { value }])),
          },
        },
      },
    }),
    responses: {
      200: {
        description: 'The report',
        headers: {
          'X-Request-Id': header("Request id, as in the service's logs", 'c7a4…'),
          'X-Service-Quota': header('Credits of the account after this request', 'limit=10000, remaining=9995, reset=1767225600, cost=5'),
          'Idempotency-Replayed': header('`true` if the answer is that of an earlier request with this Idempotency-Key', 'true'),
          ...(limit && {
            'RateLimit-Policy': header(
              'Rate limit of the operation (draft-ietf-httpapi-ratelimit-headers)',
              `"${operation.name}";q=${limit.requests};w=${limit.per_s}`,
            ),
            RateLimit: header(
              'Requests left in the window, and seconds until the window ends',
              `"${operation.name}";r=${limit.requests - 1};t=${limit.per_s}`,
            ),
          }),
        },
        content: { 'application/json': { schema: report, ...(example && { example: example.report }) } },
      },
      ...errorResponses(Object.keys(STATUS_TITLES)),
    },
  };
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Key that makes retries of a paid request with the same body free for ten minutes. 409 while the first request runs, or if the body differs',
  schema: { type: 'string', minLength: 1, maxLength: 128 },
};

/** Its 204 is left out here: a second successful answer without a body would make every report optional to a generator. */
const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description:
    'Header that a reconnecting EventSource sends. A request for an event stream with this header gets a free 204, without a new measurement',
  schema: { type: 'string' },
};

function priceOf({ cost }: Operation): string {
  const base = typeof cost === 'number' ? cost : cost.base;
  const price = base === 0 ? 'Costs nothing' : `Costs ${base} ${base === 1 ? 'credit' : 'credits'}`;
  return typeof cost === 'number' ? `${price}.` : `${price}; ${cost.note}.`;
}

const Location = Type.Object(
  {
    id: Type.String({ description: 'Location id, for `locations` in requests' }),
    ...LocationFields,
    latitude: Type.Number({ description: 'Latitude in degrees' }),
    longitude: Type.Number({ description: 'Longitude in degrees' }),
    asn: Type.String({ description: 'Number of the autonomous system, such as AS64496; empty if unknown' }),
    network: Type.String({ description: 'Name of the network; empty if unknown' }),
    cloud: Type.String({ description: 'Cloud of the location, such as aws; empty if unknown' }),
    state: Enum(['ready', 'degraded', 'draining', 'down'], {
      description: "State of the location's best agent; down: no agent is connected",
    }),
    asked_by_default: Type.Boolean({ description: 'Requests without `locations` are measured here' }),
    simulated: Type.Boolean({ description: 'The agents only simulate this location' }),
    agents: Type.Integer({ description: 'Number of connected agents' }),
    capabilities: Type.Array(Type.String(), { description: 'Capabilities of the agents: probe kinds, v4, v6, h2, h3, vpn_exit' }),
    down: Type.Array(Type.String(), {
      description:
        'Network functions that fail for all agents of the location: icmp4, icmp6, tcp4, tcp6, udp4, udp6, quic, resolver, clock',
    }),
  },
  { title: 'Location' },
);

/** The answer of GET /v2/locations. */
export const LocationList = Type.Object(
  { locations: Type.Array(Location, { description: 'Locations, sorted by id' }) },
  { title: 'LocationList' },
);

const locationsPath = (named: NamedSchemas): object => ({
  operationId: LOCATIONS,
  tags: [tagOf('service')],
  summary: 'List the locations and their states',
  description: 'Lists every location that was configured, prepared or ever seen, even without a connected agent. Costs nothing.',
  'x-credits': 0,
  responses: {
    200: {
      description: 'The locations',
      content: { 'application/json': { schema: named.refer(LocationList), example: locationsExample } },
    },
    ...errorResponses([400, 401, 403, 408, 413, 429, 500, 503]),
  },
});

const HEALTH_PATH = {
  operationId: 'healthz',
  tags: [tagOf('service')],
  summary: 'Check whether this gateway accepts requests',
  description: 'For load balancers. Needs no key and depends on no other service.',
  security: [],
  responses: {
    200: {
      description: 'The gateway accepts requests',
      content: {
        'application/json': {
          schema: Type.Object({ status: Type.String({ description: 'Status of the gateway: ok' }) }),
          example: { status: 'ok' },
        },
      },
    },
    ...errorResponses([400, 408, 503]),
  },
};
