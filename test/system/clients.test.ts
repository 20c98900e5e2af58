import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withElapsed } from '@vedette/operations/kit';
import { operations } from '@vedette/operations';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installClient } from '../client/packed.ts';
import { OTHER_RUNTIMES } from '../client/runtimes.ts';
import { typesOf } from '../clients/quicktype.ts';
import { openTestBrowser } from '../renderer/pool.ts';
import { read, ROOT } from '../repo/pages.ts';
import { isBrief } from '../runs.ts';
import { REFUSED, REQUESTS } from './example-requests.ts';
import { type IntelligenceWorld, startIntelligenceWorld } from './intelligence-world.ts';

// Programs of strangers: each writes its client by a generator's defaults, compiles it strictly, and calls every operation of a running gateway.
const run = promisify(execFile);
const PAGE_URL = 'http://127.0.0.1:8080';
const CLIENTS = join(ROOT, 'test/clients');
const calls = operations.map(({ name, examples }) => ({
  name,
  method: name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
  body: JSON.stringify(REQUESTS[name] ?? examples[0]),
}));

const folder = mkdtempSync(join(tmpdir(), 'vedette-clients-'));
let world: IntelligenceWorld;
/** A server with a page that may ask the gateway, and its origin. */
const pages = createServer();
let origin: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const compilerOptions = { target: 'esnext', module: 'nodenext', strict: true, types: ['node'], outDir: 'js' };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  world = await startIntelligenceWorld({
    VEDETTE_PORT_SCAN: 'on',
    VEDETTE_OWN_TARGETS: '127.0.0.0/8,plain.test',
    VEDETTE_CORS_ORIGINS: origin,
  });
});
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
  pages.close();
  rmSync(folder, { recursive: true });
});

/** How a program calls an operation by one generator's client, and where the generator is. */
interface Client {
  generator: string;
  program: string[];
  /** A block that notes the status and the body. */
  call(operation: (typeof calls)[number]): string;
}

const optional = (body: string, text: string): string => (body === '{}' ? '' : text);

const ALL_TYPESCRIPT: Client[] = [
  {
    generator: 'openapi-typescript',
    program: [join(CLIENTS, 'node_modules/openapi-typescript/bin/cli.js')],
    call: ({ name, body }) =>
      `{ const { data, error, response } = await client.POST('/v2/${name}'${optional(body, `, { body: ${body} }`)}); note(response.status, data ?? error); }`,
  },
  {
    generator: 'hey-api',
    // In a project of its own it finds that project's TypeScript. Here npm puts it beside a TypeScript 7, which has no API.
    program: [
      '--import',
      `data:text/javascript,${encodeURIComponent(`import { registerHooks } from 'node:module';
registerHooks({ resolve: (name, context, next) =>
  next(name, name === 'typescript' ? { ...context, parentURL: 'file://${CLIENTS}/package.json' } : context) });`)}`,
      join(ROOT, 'node_modules/@hey-api/openapi-ts/dist/run.mjs'),
    ],
    call: ({ method, body }) =>
      `{ const { data, error, response } = await vedette.${method}(${optional(body, `{ body: ${body} }`)}); note(response?.status, data ?? error); }`,
  },
  {
    generator: 'orval',
    program: [join(CLIENTS, 'node_modules/orval/dist/bin/orval.mjs')],
    call: ({ method, body }) => `{ const { status, data } = await vedette.${method}(${optional(body, body)}); note(status, data); }`,
  },
];

const TYPESCRIPT = isBrief ? ALL_TYPESCRIPT.slice(0, 1) : ALL_TYPESCRIPT;

/** The command and the program in a generator's section of the page. */
function ofPage(generator: string): { command: string[]; program: string } {
  const [, section = ''] = new RegExp(`^## ${generator}\n(.*?)^## `, 'ms').exec(read('docs/clients.md'))!;
  const [, command = ''] = /^npx \S+ (.*)$/m.exec(section)!;
  const [, program = ''] = /^```ts\n(.*?)^```/ms.exec(section)!;
  return { command: command.replaceAll(PAGE_URL, world.machine.url).split(' '), program: program.replaceAll(PAGE_URL, world.machine.url) };
}

/** Compiles the page's program with a call of every operation, strictly, and runs it: for each operation the status, and what came. */
async function answersOf(
  program: string,
  call: Client['call'],
  { compiler = join(CLIENTS, 'node_modules/.bin/tsc'), project = folder } = {},
): Promise<[status: number, body: object][]> {
  const lines = calls.map((operation) => `${call(operation)}\n`).join('');
  writeFileSync(
    join(project, 'program.ts'),
    `${program}
const noted: unknown[] = [];
const note = (status: number | undefined, body: object | undefined): void => void noted.push([status, body]);
${lines}console.log(JSON.stringify(noted));
`,
  );
  const tsc = run(compiler, ['-p', project]);
  const { stdout: problems } = await tsc.catch((error: unknown) => error as { stdout: string });
  expect(problems).toBe('');
  const { stdout } = await run(process.execPath, [join(project, 'js/program.js')], {
    env: { KEY: world.machine.key },
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as [number, object][];
}

// The sites of this world are at ports 80 and 443.
describe.skipIf(process.getuid?.() !== 0)('the client that a generator makes by its defaults', () => {
  it.each(TYPESCRIPT.map((client) => [client.generator, client] as const))(
    '%s, run as the page says, compiles strictly, and calls all 32 operations',
    async (generator, { program, call }) => {
      const page = ofPage(generator);
      await run(process.execPath, [...program, ...page.command], { cwd: folder });
      expectReports(await answersOf(page.program, call));
    },
  );
});

const reportsOf = operations.map(({ response }) => Compile(withElapsed(response)));

/** Every operation answered with a report of its shape, or with the refusal that this machine gives. */
function expectReports(answers: [status: number, body: object][]): void {
  expect(answers).toHaveLength(calls.length);
  const told = answers.map(([status, body], i) => [calls[i]!.name, status === 200 ? 200 : [status, (body as { code?: string }).code]]);
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(calls.map(({ name }) => [name, REFUSED[name] ?? 200])));
  const wrong = operations.flatMap(({ name }, i) =>
    name in REFUSED ? [] : reportsOf[i]!.Errors(answers[i]![1]).map((error) => ({ name, error })),
  );
  expect(wrong).toEqual([]);
}

describe.skipIf(process.getuid?.() !== 0)('our own client, packed and installed into an empty project', () => {
  const project = join(folder, 'own');
  /** The program of the page. */
  const ofOurs = (): string => {
    const [, program = ''] = /^## @vedette\/client\n.*?^```ts\n(.*?)^```/ms.exec(read('docs/clients.md'))!;
    return program.replaceAll(PAGE_URL, world.machine.url);
  };

  beforeAll(() => {
    mkdirSync(project);
    installClient(project);
    mkdirSync(join(project, 'node_modules/@types'));
    // The page's programs read the environment.
    for (const name of ['@types/node', 'undici-types']) symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
    const strictly = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false };
    const compilerOptions = { target: 'esnext', module: 'nodenext', lib: ['esnext'], types: ['node'], outDir: 'js', ...strictly };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  });

  it('compiles strictly with TypeScript 7, does what the page says, and calls every operation', async () => {
    const call: Client['call'] = ({ method, body }) =>
      `await client.${method}(${optional(body, body)}).then((report) => note(200, report), (error: VedetteError) => note(error.status, error));`;
    const compiler = join(ROOT, 'node_modules/.bin/tsc');
    expectReports(await answersOf(ofOurs(), call, { compiler, project }));
  });

  const SAID = /^\[ ?([\d.]+,? ?){3}\]\n3 locations are asked\n([\w-]+ measured\n){3}([01] (true|false)\n){2}image\/png\n$/;

  it('prints what the page says in Node', async () => {
    writeFileSync(join(project, 'page.mts'), ofOurs());
    const { stdout } = await run(process.execPath, ['page.mts'], { cwd: project, env: { KEY: world.machine.key } });
    expect(stdout).toMatch(SAID);
  });

  describe.each(OTHER_RUNTIMES)('$name', ({ program, args, isThere }) => {
    it.skipIf(!isThere)('prints the same', async () => {
      const env = { ...process.env, NO_COLOR: '1', KEY: world.machine.key };
      const { stdout } = await run(program, [...args, 'page.mts'], { cwd: project, env });
      expect(stdout).toMatch(SAID);
    });
  });

  it('calls the gateway from a page in Chromium', async () => {
    pages.removeAllListeners('request').on('request', ({ url = '' }, response) => {
      const isScript = url.endsWith('.js');
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? readFileSync(join(project, 'node_modules/@vedette/client', url)) : '<!doctype html><title>Page</title>');
    });
    await using opened = await openTestBrowser([]);
    const page = await opened.browser.newPage();
    await page.goto(origin);
    // As text: Vitest would rewrite the import.
    const said: unknown = await page.evaluate(`(async () => {
      const { createClient, blobOf } = await import('/index.js');
      const client = createClient(${JSON.stringify({ url: world.machine.url, key: world.machine.key })});
      const events = [];
      for await (const { event } of client.pingTest.events({ host: '127.0.0.1' })) events.push(event);
      const picture = blobOf((await client.htmlToPng({ html_base64: btoa('<p>Hello') })).rendered_file);
      const lines = [];
      for await (const { status } of client.phoneValidator.bulk({ items: ['+4930901820'] })) lines.push(status);
      const refused = await client.pingTest({ host: '10.0.0.1' }).catch(({ code }) => code);
      return { events, type: picture?.type, lines, refused };
    })()`);
    expect(said).toEqual({
      events: ['locations', 'location', 'location', 'location', 'report'],
      type: 'image/png',
      lines: [200],
      refused: 'private_address',
    });
  });
});

/** What is in the one block of this language in the page's section on Go and Python. */
function ofQuicktype(language: string): string {
  const [, section = ''] = /^## Go and Python\n(.*?)^## /ms.exec(read('docs/clients.md'))!;
  return new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(section)![1]!.replaceAll(PAGE_URL, world.machine.url);
}

const schemaOf = (name: string): string => `${name.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())}Report`;
const hasGo = spawnSync('go', ['version']).status === 0;

describe.skipIf(process.getuid?.() !== 0)('the types that quicktype makes', () => {
  const python = join(folder, 'python');
  const go = join(folder, 'go');
  /** As Python got them. */
  let reports: Record<string, object>;

  it('of Python hold every report that its standard library gets, whole', async () => {
    writeFileSync(join(folder, 'schema.mjs'), ofQuicktype('js'));
    await run(process.execPath, ['schema.mjs'], { cwd: folder });
    mkdirSync(python);
    const schema = readFileSync(join(folder, 'reports.json'), 'utf8');
    writeFileSync(join(python, 'reports.py'), await typesOf(schema, 'python', { 'python-version': '3.7' }));
    const asked = calls.map(({ name, body }) => [name, schemaOf(name), JSON.parse(body) as unknown]);
    writeFileSync(
      join(python, 'program.py'),
      `${ofQuicktype('python')}
asked = [(name, schema, *ask(name, body)) for name, schema, body in json.loads(${JSON.stringify(JSON.stringify(asked))})]
answers = {schema: body for _, schema, status, body in asked if status == 200}
refused = {name: [status, body["code"]] for name, _, status, body in asked if status != 200}
print(json.dumps([refused, answers, reports.reports_to_dict(reports.reports_from_dict(answers))]))
`,
    );
    await run('python3', ['-m', 'py_compile', 'reports.py', 'program.py'], { cwd: python });
    const env = { PATH: process.env['PATH'], KEY: world.machine.key };
    const { stdout } = await run('python3', ['program.py'], { cwd: python, env, maxBuffer: 64 * 1024 * 1024 });
    const [rtt, printed] = stdout.trimEnd().split('\n');
    const [refused, answers, again] = JSON.parse(printed!) as [object, Record<string, object>, object];
    expect(Number(rtt)).toBeGreaterThan(0);
    expect(refused).toEqual(REFUSED);
    expect(Object.keys(answers)).toHaveLength(calls.length - Object.keys(REFUSED).length);
    expect(again).toEqual(answers);
    reports = answers;
  });

  it.skipIf(!hasGo)('of Go hold them, too, without an unknown field', async () => {
    mkdirSync(go);
    const schema = readFileSync(join(folder, 'reports.json'), 'utf8');
    writeFileSync(join(go, 'reports.go'), await typesOf(schema, 'go', { package: 'main' }));
    writeFileSync(join(go, 'program.go'), ofQuicktype('go'));
    writeFileSync(join(go, 'reports.json'), JSON.stringify(reports));
    writeFileSync(
      join(go, 'reports_test.go'),
      `package main

import (
	"encoding/json"
	"os"
	"testing"
)

func TestReports(t *testing.T) {
	file, err := os.Open("reports.json")
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(file)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&Reports{}); err != nil {
		t.Fatal(err)
	}
}
`,
    );
    const inGo = (...args: string[]) => run('go', args, { cwd: go, env: { ...process.env, KEY: world.machine.key } });
    await inGo('mod', 'init', 'probes');
    await inGo('vet', '.');
    await inGo('test', '.');
    expect(Number((await inGo('run', '.')).stdout)).toBeGreaterThan(0);
  });
});
