import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '@vedette/operations';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../repo/pages.ts';

/** A project of a stranger: types by openapi-typescript with calls by openapi-fetch, and functions by orval. */
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-client-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { target: 'esnext', module: 'nodenext', strict: true, noEmit: true, exactOptionalPropertyTypes: true, types: [] },
      files: ['client.ts'],
    }),
  );
  run(
    join(ROOT, 'test/clients/node_modules/.bin/openapi-typescript'),
    join(ROOT, 'docs/reference/openapi.json'),
    '-o',
    join(folder, 'api.d.ts'),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(command: string, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout + stderr);
}

interface Schema {
  type?: string | string[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
}

/** What the compiler has to say about a client with these lines; nothing, if it is content. */
function compiled(lines: string): string {
  const head = `import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';
const client = createClient<paths>({ baseUrl: 'https://api.example.org', headers: { 'X-API-Key': 'vdt_…' } });
`;
  writeFileSync(join(folder, 'client.ts'), head + lines);
  const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  return stdout;
}

it('reads the fields of a report: those of ping-test were those of a string', () => {
  expect(
    compiled(`
type Schemas = components['schemas'];
const { data, error } = await client.POST('/v2/ping-test', { body: { host: '192.0.2.1', locations: ['continent:EU'] } });
if (data) {
  const entries: Schemas['PingTestEntry'][] = data.locations;
  const times: number[] = data.locations.flatMap(({ ping_output }) => ping_output.icmp_requests.map(({ time_ms }) => time_ms));
  const reason: Schemas['Reason'] | undefined = data.locations[0]?.reason;
  console.log(entries, times, reason);
} else {
  const code: Schemas['ErrorCode'] = error.code;
  console.log(code, error.param);
}
const spf = await client.POST('/v2/spf-validator', { body: { host: 'example.org' } });
const issues: Schemas['SpfIssue'][] = spf.data?.issues_found ?? [];
const report: Schemas['VpnTestReport'] | undefined = (await client.POST('/v2/vpn-test', { body: { url: 'https://example.org/' } })).data;
const places: Schemas['Location'][] = (await client.GET('/v2/locations')).data?.locations ?? [];
const usage = (await client.POST('/v2/account-info')).data?.credits.remained.toFixed();
console.log(issues, report?.accessible, places, usage);
export {};
`),
  ).toBe('');
});

it('refuses a parameter that the operation does not have', () => {
  expect(compiled(`await client.POST('/v2/ping-test', { body: { hosts: '192.0.2.1' } });\nexport {};\n`)).toMatch(/hosts/);
});

it('calls every operation with its own example, by the generator’s defaults: thirteen wanted each parameter that has a default', () => {
  const calls = operations.map(({ name, examples }) =>
    examples.length === 0 || Object.keys(examples[0] as object).length === 0
      ? `await client.POST('/v2/${name}');`
      : `await client.POST('/v2/${name}', { body: ${JSON.stringify(examples[0])} });`,
  );
  expect(calls).toHaveLength(operations.length);
  expect(compiled(`${calls.join('\n')}\nexport {};\n`)).toBe('');
});

it('calls every operation with its own example by what orval makes of it, by its defaults', () => {
  run(
    join(ROOT, 'test/clients/node_modules/.bin/orval'),
    '--input',
    join(ROOT, 'docs/reference/openapi.json'),
    '--output',
    join(folder, 'orval.ts'),
  );
  const calls = operations.map(({ name, examples }) => {
    const called = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    return `await orval.${called}(${Object.keys(examples[0] ?? {}).length === 0 ? '' : JSON.stringify(examples[0])});`;
  });
  expect(calls).toHaveLength(operations.length);
  expect(compiled(`import * as orval from './orval.js';\n${calls.join('\n')}\n`)).toBe('');
});

it('gives a stranger’s compiler no map whose own fields are of another type than its values: orval made one of site-trust', () => {
  const types = (schema: Schema): string[] => (schema.anyOf ? schema.anyOf.flatMap(types) : [schema.type ?? 'any'].flat());
  const wrong: string[] = [];
  const look = (schema: unknown, path: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { additionalProperties: rest, properties = {} } = schema as Schema;
    if (typeof rest === 'object' && Object.keys(rest).length > 0)
      for (const [name, own] of Object.entries(properties))
        if (types(own).some((type) => !types(rest).includes(type))) wrong.push(`${path}.${name}`);
    for (const [key, part] of Object.entries(schema)) look(part, `${path}.${key}`);
  };
  look(JSON.parse(readFileSync(join(ROOT, 'docs/reference/openapi.json'), 'utf8')), '');
  expect(wrong).toEqual([]);
});
