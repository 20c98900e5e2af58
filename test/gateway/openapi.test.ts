import { REASONS } from '@vedette/contract';
import { operations } from '@vedette/operations';
import type { TSchema } from 'typebox';
import { expect, it } from 'vitest';
import { openApi } from '../../packages/gateway/src/openapi.ts';
import { requestSchema } from '../../packages/gateway/src/request-schema.ts';

interface Described {
  description?: string;
  examples?: unknown[];
  type?: string;
  properties?: Record<string, Described>;
  items?: Described;
  enum?: string[];
}
const parameters = operations.flatMap((operation) =>
  Object.entries(requestSchema(operation).properties as Record<string, Described>).map(
    ([name, schema]) => [`${operation.name} ${name}`, schema] as const,
  ),
);

it.each(parameters)('the parameter of %s has a type, a description and an example', (_name, schema) => {
  expect(schema).toMatchObject({ type: expect.any(String), description: expect.stringMatching(/./), examples: [expect.anything()] });
});

const document = openApi(operations) as {
  servers: unknown;
  paths: Record<string, { post?: { description: string; responses: Record<string, { headers?: object }> } }>;
};

it.each(operations.map(({ name, cost }) => [name, typeof cost === 'number' ? cost : cost.base] as const))(
  '%s says in words, for people, that it costs %i',
  (name, cost) => {
    const words = cost === 0 ? 'Costs nothing.' : `Costs ${cost} credit`;
    expect(document.paths[`/v2/${name}`]!.post!.description).toContain(words);
  },
);

it('names no host: behind a proxy that ends TLS the page could try nothing out there', () => {
  expect(document.servers).toEqual([{ url: '/' }]);
});

it('lists the reasons why a location has no measurement', () => {
  const reasons = operations.flatMap(({ response }) => reasonsIn(response)).filter((values) => values.length > 0);
  expect(reasons.length).toBeGreaterThan(2);
  for (const values of reasons) expect(values).toEqual(Object.keys(REASONS));
});

/** The values of every `reason` beside a location. */
function reasonsIn({ properties, items }: TSchema & Described): string[][] {
  const own = properties?.['agent_state'] ? [properties['reason']?.enum ?? ['any text']] : [];
  return [...own, ...Object.values(properties ?? {}).flatMap(reasonsIn), ...(items ? reasonsIn(items) : [])];
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
