import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogue } from '@vedette/client/catalogue';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../repo/pages.ts';
import { installClient } from './packed.ts';

/** A project of a stranger, with nothing but the package. */
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-sdk-'));
  installClient(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What the compiler says about a program with these lines; nothing, if it is content. Declarations are checked as well. */
function compiled(lines: string, lib: string[]): string {
  const strictly = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false };
  const compilerOptions = { target: 'esnext', module: 'nodenext', noEmit: true, types: [], lib, ...strictly };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  writeFileSync(
    join(folder, 'program.ts'),
    `import { blobOf, createClient, VedetteError, type PingTestEntry, type PingTestReport } from '@vedette/client';
import { catalogue } from '@vedette/client/catalogue';
const client = createClient({ url: 'https://api.example.org', key: 'vdt_…' });
${lines}\n`,
  );
  return spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' }).stdout;
}

const BROWSER = ['esnext', 'dom', 'dom.iterable'];

it('types requests, reports, events, lines and files, strictly', () => {
  const calls = catalogue.map(({ name, example }) => {
    const method = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    return `await client.${method}(${JSON.stringify(example)});`;
  });
  expect(
    compiled(
      `
const report: PingTestReport = await client.pingTest({ host: '192.0.2.1', locations: undefined, options: { count: 2 } });
const times: number[] = report.locations.map(({ ping_output }) => ping_output.rtt.avg);
for await (const event of client.pingTest.events({ host: '192.0.2.1' }, { signal: AbortSignal.timeout(1000) })) {
  if (event.event === 'location') { const entry: PingTestEntry = event.data; console.log(entry.location, entry.reason); }
  else console.log(event.data.locations.length);
}
for await (const line of client.ipReputation.bulk({ items: ['192.0.2.1'] })) console.log(line.index, line.report?.ip);
const { rendered_file } = await client.screenshot({ url: 'https://example.org/' });
const picture: Blob | undefined = blobOf(rendered_file);
try { await client.accountInfo(); } catch (error) { if (error instanceof VedetteError && error.code === 'key_unknown') console.log(error.status); }
const byName = await client.ask('asn-info', { asn: 'AS64496' });
console.log(times, picture, byName.asn, catalogue.length);
${calls.join('\n')}`,
      BROWSER,
    ),
  ).toBe('');
});

it.each([
  ['a parameter that the operation does not have', "await client.pingTest({ hosts: '192.0.2.1' });", 'hosts'],
  ['a request without what is required', 'await client.pingTest({});', 'host'],
  ['a stream of an operation without one', "client.asnInfo.events({ asn: 'AS64496' });", 'events'],
  ['a misspelt field of a report', "(await client.asnInfo({ asn: 'AS64496' })).asns;", 'asns'],
])('refuses %s', (_what, line, word) => {
  expect(compiled(`${line}\nconsole.log(blobOf, VedetteError, catalogue, {} as PingTestEntry | PingTestReport);`, BROWSER)).toContain(word);
});

it('holds JavaScript with types beside it, no dependency, and nothing of Node', () => {
  const home = join(folder, 'node_modules/@vedette/client');
  const files = readdirSync(home);
  const scripts = files.filter((name) => name.endsWith('.js'));
  expect(scripts).toContain('index.js');
  expect(files.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([]);
  const text = scripts.map((name) => readFileSync(join(home, name), 'utf8')).join('\n');
  expect(text).not.toMatch(/node:|process\.|\bBuffer\b|from '[^.]/);
  const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).toMatchObject({
    name: '@vedette/client',
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
  });
  expect(Object.keys((manifest['exports'] as Record<string, object>)['.']!)).toEqual(['types', 'default']);
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('private');
});
