import { Enum } from '@vedette/contract';
import { askingOf, exampleOf, LocationFields, type Operation } from '@vedette/operations/kit';
import { Type } from 'typebox';
import { bulkPath } from '../bulk/schemas.ts';
import { ErrorBody } from '../door/error-schema.ts';
import { describeBulk } from './bulk-path.ts';
import { ERROR_REF, errorResponse, errorResponses, header, IDEMPOTENCY_KEY, priceOf, reportSchemas, STATUS_TITLES } from './common.ts';
import { introduction } from './api-introduction.ts';
import { KEPT_ANSWER_PATH } from '../http/kept-answer.ts';
import locationsExample from '../locations/example.json' with { type: 'json' };
import { ChosenLocations } from '../locations/chosen.ts';
import { LOCATIONS } from '../locations/list-locations.ts';
import { NamedSchemas } from './named-schemas.ts';
import { requestSchema } from '../door/request-schema.ts';
import { operatorPaths } from './operator-paths.ts';
import { PROBE_PATH } from './probe-path.ts';
import { tagOf, tags } from './tags.ts';

const VERSION = '2.0.0';

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
      ...Object.fromEntries(
        operations.flatMap((operation) => [
          [`/v2/${operation.name}`, { post: describe(operation, named) }],
          ...(operation.bulk === undefined ? [] : [[bulkPath(operation.name), { post: describeBulk(operation, named) }]]),
        ]),
      ),
      '/v2/locations': { get: locationsPath(named) },
      ...operatorPaths(named, LocationList),
      [KEPT_ANSWER_PATH]: { get: keptAnswerPath(operations[0]!.name, named) },
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

function describe(operation: Operation, named: NamedSchemas): object {
  const request = requestSchema(operation);
  const hasBody = Object.keys(request.properties).length > 0;
  const { cost, limit } = operation;
  const { report, entry } = reportSchemas(operation, named);
  const streams = askingOf(operation) !== undefined;
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
    ...(streams && {
      'x-event-stream': { locations: named.refer(ChosenLocations), ...(entry && { location: entry }), report, error: ERROR_REF },
    }),
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

/** Its 204 is left out here: a second successful answer without a body would make every report optional to a generator. */
const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description:
    'Header that a reconnecting EventSource sends. A request for an event stream with this header gets a free 204, without a new measurement',
  schema: { type: 'string' },
};

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
        'Network functions that fail for all agents of the location: icmp4, icmp6, tcp4, tcp6, udp4, udp6, quic, resolver, clock; names: their resolvers disagree with those of most locations',
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

/** The answer of GET /v2/kept-answer. */
const KeptAnswer = Type.Object(
  {
    operation: Type.String({ description: 'Operation that was asked' }),
    asked_at: Type.String({ description: 'Time at which the request was first sent, as in RFC 3339' }),
    kept_until: Type.String({ description: 'Time at which the answer is forgotten, as in RFC 3339' }),
    report: Type.Record(Type.String(), Type.Unknown(), { description: 'The report as it was sent' }),
  },
  { title: 'KeptAnswer' },
);

const keptAnswerPath = (operation: string, named: NamedSchemas): object => ({
  operationId: 'kept-answer',
  tags: [tagOf('service')],
  summary: 'Read the answer that an Idempotency-Key stands for',
  description:
    'Returns the report of a paid request of this account that was sent with the `Idempotency-Key`, for ten minutes. Measures nothing and costs nothing. 404 `answer_not_kept` if there is none.',
  'x-credits': 0,
  parameters: [{ ...IDEMPOTENCY_KEY, required: true, description: 'Key that the request was sent with' }],
  responses: {
    200: {
      description: 'The report, and what it is of',
      content: {
        'application/json': {
          schema: named.refer(KeptAnswer),
          example: {
            operation,
            asked_at: '2026-11-28T12:00:00.000Z',
            kept_until: '2026-11-28T12:10:00.000Z',
            report: exampleOf(operation)?.report,
          },
        },
      },
    },
    ...errorResponses([400, 401, 403, 404, 408, 413, 429, 500, 503]),
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
