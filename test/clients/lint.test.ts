import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ruleset, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { operations } from '@vedette/operations';
import { beforeAll, expect, it } from 'vitest';
import { openApp } from '../gateway/app-server.ts';

/** What /openapi.json answers. */
let served: string;

beforeAll(async () => {
  await using server = await openApp({ operations });
  served = (await server.app.inject({ url: '/openapi.json' })).body;
});

type Finding = [rule: string, place: string, message: string];

/** Every finding, hints among them. */
async function bySpectral(description: string): Promise<Finding[]> {
  const spectral = new Spectral();
  spectral.setRuleset(new Ruleset(oas));
  return (await spectral.run(description)).map(({ code, path, message }) => [String(code), path.join(' '), message]);
}

/** Every finding, warnings among them. */
async function byRedocly(description: string): Promise<Finding[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: description, absoluteRef: '/openapi.json', config });
  const findings = problems.map(({ ruleId, location, message }): Finding => [
    ruleId,
    location.map(({ pointer }) => pointer ?? '').join(' '),
    message,
  ]);
  // It does not look for references in extensions, such as x-event-stream.
  return findings.filter(([rule, place]) => rule !== 'no-unused-components' || !description.includes(`"$ref":"${place}"`));
}

it.each([
  ["Spectral's rules for OpenAPI", bySpectral, 'operation-operationId', 'paths /v2/ping-test post'],
  ["Redocly's recommended rules", byRedocly, 'operation-operationId', '#/paths/~1v2~1ping-test/post/operationId'],
] as const)('%s find nothing in the description, and what is wrong in one that lacks an operationId', async (_rules, lint, rule, place) => {
  expect(await lint(served)).toEqual([]);
  const flawed = served.replace('"operationId":"ping-test",', '');
  expect(flawed.length).toBeLessThan(served.length);
  expect(await lint(flawed)).toEqual([[rule, place, expect.stringContaining('operationId')]]);
});
