import { API_ERRORS, REASONS } from '@vedette/contract';
import { askingOf, exampleOf, parseTargets, withElapsed } from '@vedette/operations/kit';
import { operations } from '@vedette/operations';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { bulkLine } from '../../packages/gateway/src/bulk/schemas.ts';
import { LocationList, openApi } from '../../packages/gateway/src/api-description/openapi.ts';
import locationsExample from '../../packages/gateway/src/locations/example.json' with { type: 'json' };
import { requestSchema } from '../../packages/gateway/src/door/request-schema.ts';
import { parameterCheck } from '../../packages/gateway/src/request/validate.ts';

const parameters = operations.flatMap((operation) =>
  Object.entries(requestSchema(operation).properties as Record<string, Described>).map(
    ([name, schema]) => [`${operation.name} ${name}`, schema] as const,
  ),
);

it.each(parameters)('the parameter of %s has a type, a description and an example', (_name, schema) => {
  expect(schema).toMatchObject({ type: expect.any(String), description: expect.stringMatching(/./), examples: [expect.anything()] });
});

interface Described {
  $ref?: string;
  description?: string;
  examples?: unknown[];
  type?: string;
  properties?: Record<string, Described>;
  items?: Described;
  enum?: string[];
}
interface OperationObject {
  tags: string[];
  description: string;
  parameters?: { name: string }[];
  requestBody?: { content: Record<string, { schema: Described }> };
  responses: Record<
    string,
    { headers?: object; content?: Record<string, { schema: Described; example?: unknown; examples?: Record<string, { value: unknown }> }> }
  >;
  'x-event-stream'?: Record<string, Described>;
}
const document = JSON.parse(JSON.stringify(openApi(operations))) as {
  servers: unknown;
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, { post?: OperationObject; get?: OperationObject }>;
  components: { schemas: Record<string, Described>; responses: OperationObject['responses'] };
};
const { schemas } = document.components;
const bulkOperations = operations.filter(({ bulk }) => bulk !== undefined);
const typeNames = operations.map(({ name }) => name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()));

it.each(operations.map(({ name, cost }) => [name, typeof cost === 'number' ? cost : cost.base] as const))(
  '%s says in words, for people, that it costs %i',
  (name, cost) => {
    const words = cost === 0 ? 'Costs nothing.' : `Costs ${cost} credit`;
    expect(document.paths[`/v2/${name}`]!.post!.description).toContain(words);
  },
);

it('groups every operation by its subject: 23 were Central', () => {
  const groups = Map.groupBy(Object.entries(document.paths), ([, { get, post }]) => (post ?? get)!.tags.join());
  const paths = Object.fromEntries(document.tags.map(({ name }) => [name, groups.get(name)?.map(([path]) => path)]));
  expect(paths).toMatchObject({
    'From many places': [
      '/v2/dns-propagation',
      '/v2/geo-request',
      '/v2/mtu-test',
      '/v2/ping-test',
      '/v2/port-scan',
      '/v2/tcp-test',
      '/v2/traceroute',
      '/v2/vpn-test',
      '/probe',
    ],
    'Addresses and networks': [
      '/v2/asn-info',
      '/v2/ip-reputation',
      '/v2/ip-reputation/bulk',
      '/v2/reverse-ip',
      '/v2/tor-test',
      '/v2/tor-test/bulk',
    ],
    Service: ['/v2/account-info', '/v2/locations', '/v2/kept-answer', '/healthz'],
    Operators: ['/v2/fleet', '/v2/feeds', '/v2/engines', '/v2/permissions', '/v2/keys', '/v2/usage', '/v2/keys/rotate', '/v2/keys/revoke'],
  });
  expect(Object.values(paths).flat()).toHaveLength(operations.length + bulkOperations.length + 12);
});

it('has /probe, for which people write requests by hand', () => {
  const { parameters: own, responses } = document.paths['/probe']!.get!;
  expect(own!.map(({ name }) => name)).toEqual(['target', 'module', 'location', 'location_label', 'hostname']);
  expect(Object.keys(responses['200']!.content!)).toEqual(['text/plain']);
});

it('names no host: behind a proxy that ends TLS the page could try nothing out there', () => {
  expect(document.servers).toEqual([{ url: '/' }]);
});

it('names the schemas that clients work with, for generators: reports, entries, Location, Reason, issues, errors', () => {
  const distributed = operations.filter((operation) => operation.kind === 'distributed' && operation.entries !== undefined);
  const wanted = [
    ...typeNames.map((name) => `${name}Report`),
    ...distributed.map(({ name }) => `${typeNames[operations.findIndex((each) => each.name === name)]}Entry`),
  ].concat('Location', 'LocationList', 'Reason', 'SpfIssue', 'DkimIssue', 'DmarcIssue', 'BimiIssue', 'IssueType', 'Error', 'ErrorCode');
  expect(wanted.filter((name) => !(name in schemas))).toEqual([]);
  expect(schemas['Reason']!.enum).toEqual(Object.keys(REASONS));
  expect(schemas['ErrorCode']!.enum).toEqual(Object.keys(API_ERRORS));
  for (const { name } of distributed) {
    const type = typeNames[operations.findIndex((each) => each.name === name)];
    expect(schemas[`${type}Entry`]!.properties!['reason']).toEqual({ $ref: '#/components/schemas/Reason' });
  }
});

/** Every schema of the document, by where it stands. */
function* everySchema(schema: Described, path: string): Generator<[path: string, Described]> {
  yield [path, schema];
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties')
      for (const [name, field] of Object.entries(value as object)) yield* everySchema(field as Described, `${path}.${name}`);
    else if (key === 'items' || key === 'additionalProperties') {
      if (typeof value === 'object') yield* everySchema(value as Described, `${path}[]`);
    } else if (['anyOf', 'oneOf', 'allOf'].includes(key)) for (const each of value as Described[]) yield* everySchema(each, `${path}|`);
  }
}
const all = Object.entries(schemas).flatMap(([name, schema]) => [...everySchema(schema, name)]);

it('describes every field', () => {
  const silent = all.flatMap(([path, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([, field]) => !(field.description ?? (field.$ref && '-')))
      .map(([name]) => `${path}.${name}`),
  );
  expect(all.length).toBeGreaterThan(500);
  expect(silent).toEqual([]);
});

it('has each object once: what two would share has a name', () => {
  const seen = new Map<string, string>();
  const twice = all.flatMap(([path, schema]) => {
    if (schema.type !== 'object' || schema.properties === undefined) return [];
    const { description: _, ...shape } = schema;
    const first = seen.get(JSON.stringify(shape));
    seen.set(JSON.stringify(shape), path);
    return first === undefined ? [] : [`${first} and ${path}`];
  });
  expect(twice).toEqual([]);
});

it('says of each event what it carries, the error too', () => {
  expect(document.paths['/v2/ping-test']!.post!['x-event-stream']).toEqual({
    locations: { $ref: '#/components/schemas/ChosenLocations' },
    location: { $ref: '#/components/schemas/PingTestEntry' },
    report: { $ref: '#/components/schemas/PingTestReport' },
    error: { $ref: '#/components/schemas/Error' },
  });
  expect(document.paths['/v2/ssl-info']!.post!['x-event-stream']).toMatchObject({
    location: { $ref: '#/components/schemas/SslInfoEntry' },
  });
  const streaming = Object.entries(document.paths).filter(([, { post }]) => post?.['x-event-stream'] !== undefined);
  expect(streaming.map(([path]) => path)).toEqual(
    operations.flatMap((operation) => (askingOf(operation) ? [`/v2/${operation.name}`] : [])),
  );
});

it('has one good answer, of one media type: with two, generators made a union of a report and text', () => {
  for (const [path, { post }] of Object.entries(document.paths)) {
    if (!post) continue;
    expect(Object.keys(post.responses).filter((status) => status.startsWith('2'))).toEqual(['200']);
    expect(Object.keys(post.responses['200']!.content!)).toEqual([path.endsWith('/bulk') ? 'application/x-ndjson' : 'application/json']);
  }
});

it('introduces keys, quota, locations, streams, bulk requests, idempotency and errors', () => {
  const headings = [...document.info.description.matchAll(/^# (.*)$/gm)].map(([, title]) => title);
  expect(headings).toEqual(['Keys', 'Credits and quota', 'Locations', 'Event streams', 'Bulk requests', 'Idempotency', 'Errors']);
});

it.each(bulkOperations.map((operation) => [operation.name, operation] as const))(
  '%s in bulk: its examples are lines that the schema allows',
  (name, { response }) => {
    const { examples, schema } = document.paths[`/v2/${name}/bulk`]!.post!.responses['200']!.content!['application/x-ndjson']!;
    const line = Compile(closed(bulkLine(withElapsed(response))));
    expect(Object.entries(examples!).map(([each, { value }]) => [each, ...line.Errors(value)])).toEqual([
      ['report', true, []],
      ['error', true, []],
    ]);
    expect(schema.$ref).toMatch(/Line$/);
  },
);

describe('the example of an answer', () => {
  const reports: [name: string, schema: TSchema, example: object][] = [
    ...operations.map(({ name, response }): [string, TSchema, object] => [name, withElapsed(response), exampleOf(name)!.report]),
    ['locations', LocationList, locationsExample],
  ];
  it.each(reports)('of %s is one that the schema allows, and has no field that it does not have', (_name, schema, example) => {
    expect([...Compile(closed(schema)).Errors(example)]).toEqual([true, []]);
  });

  it.each(operations.map((operation) => [operation.name, operation] as const))('of %s has a request that is served', (name, operation) => {
    const { request, report } = exampleOf(name)!;
    const params = parameterCheck(requestSchema(operation))(structuredClone(request));
    expect(() => operation.read(params, parseTargets(operation.targets, params))).not.toThrow();
    const subjects = ['asn', 'email', 'host', 'ip', 'number', 'url'].filter((field) => field in request && field in report);
    expect(subjects.map((field) => report[field])).toEqual(subjects.map((field) => request[field]));
  });
});

/** The same schema without room for fields that it does not name, unless it says what they are. */
function closed(schema: TSchema): TSchema {
  const copy = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(copy);
    if (typeof part !== 'object' || part === null) return part;
    const inside = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, copy(value)]));
    const isOpen = typeof inside['additionalProperties'] === 'object';
    return 'properties' in inside && inside['type'] === 'object' && !isOpen ? { ...inside, additionalProperties: false } : inside;
  };
  return copy(JSON.parse(JSON.stringify(schema))) as TSchema;
}

it('tells the headers of a limited operation', () => {
  expect(Object.keys(document.paths['/v2/account-info']!.post!.responses['200']!.headers!)).toEqual([
    'X-Request-Id',
    'X-Service-Quota',
    'Idempotency-Replayed',
    'RateLimit-Policy',
    'RateLimit',
  ]);
});

it('has every status that a client may see, and of each when to come back where that is told', () => {
  const { responses } = document.components;
  const seen = new Set(Object.values(API_ERRORS).map(({ status }) => status as number));
  seen.delete(499); // which nobody is there to see
  seen.delete(406); // of pages alone
  expect(Object.keys(responses).toSorted()).toEqual([...seen].map((status) => `E${status}`).toSorted());
  const told = Object.keys(responses).filter((name) => 'Retry-After' in responses[name]!.headers!);
  expect(told).toEqual(['E403', 'E409', 'E429', 'E502', 'E503']);
  expect(Object.keys(document.paths['/v2/ping-test']!.post!.responses)).toContain('502');
  expect(Object.keys(document.paths['/v2/locations']!.get!.responses)).toEqual([
    '200',
    '400',
    '401',
    '403',
    '408',
    '413',
    '429',
    '500',
    '503',
  ]);
});

it('tells of Last-Event-ID where there are events', () => {
  const headersOf = (name: string) => document.paths[`/v2/${name}`]!.post!.parameters!.map((each) => each.name);
  expect(headersOf('ping-test')).toEqual(['Idempotency-Key', 'Last-Event-ID']);
  expect(headersOf('dns-lookup')).toEqual(['Idempotency-Key']);
});
