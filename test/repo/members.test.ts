import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, it } from 'vitest';

/**
 * Members that a type or a schema declares and that nothing in packages/ reads: sent, kept or computed for nobody. Judged by name: one
 * that shares its name with a member that is read goes unseen.
 */

const PACKAGES = fileURLToPath(new URL('../../packages/', import.meta.url));
const OPENAPI = fileURLToPath(new URL('../../docs/reference/openapi.json', import.meta.url));

/** Interfaces whose members are the names of something, and are picked by them: `recordsOf(answer, 'MX')`. */
const NAMES_AS_MEMBERS = ['RecordData'];

/** Read where no name shows it, or by others than packages/: each with its reason. */
const READ_ELSEWHERE: Record<string, string> = {
  VEDETTE_INSTALL: 'scripts/setup.sh reads it',
  VEDETTE_NATS_SERVER_URL: 'scripts/setup.sh reads it',
  when: 'npm run generate writes it into docs/dnssec-status.md',
  rfc: 'npm run generate writes it into docs/dnssec-status.md',
  fix: 'npm run generate writes it into docs/dnssec-status.md',
  h2: 'listLocations filters the names of capabilities',
  foreign: 'a label of vedette_agent_icmp_strays_total, by Object.entries',
  Params: "tells Fastify the type of a route's path",
  br: 'picked by the coding that a client takes',
  gzip: 'picked by the coding that a client takes',
  'aria-current': 'handed on to the element with the rest',
  'aria-describedby': 'handed on to the element with the rest',
  Querystring: "tells Fastify the type of a route's query",
  recorded: 'logged with the whole discrepancy',
  counted: 'logged with the whole discrepancy',
  revoked_at: 'answered by the admin API',
  rotated_from: 'answered by the admin API',
  request_id: 'the statement that writes the measurement log reads it as JSON',
  age_ms: 'the statement that writes the measurement log reads it as JSON',
  audit: 'the tests of money count everything again with it',
  sent_bytes: 'the tests of the way out see by this what went through it',
  received_bytes: 'the tests of the way out see by this what went through it',
  cached: 'the tests of the cache see it by this',
  api: 'a test that starts a gateway asks it there',
  ops: 'a test that starts a process asks it there',
};

interface Members {
  /** Name → where it was declared. */
  declared: Map<string, string>;
  read: Set<string>;
}

/** Adds what one source declares and reads. */
function collect(path: string, text: string, { declared, read }: Members): void {
  const written = new Set<object>();
  const names = new Set<object>();
  const declare = (name: string | undefined) => name !== undefined && declared.set(name, path);
  const keyOf = (key: { type: string; name?: unknown; value?: unknown }): string | undefined => {
    if (key.type === 'Identifier') return String(key.name);
    return key.type === 'Literal' ? String(key.value) : undefined;
  };
  const visitor = new Visitor({
    TSInterfaceDeclaration({ id, body }) {
      if (NAMES_AS_MEMBERS.includes(id.name)) for (const member of body.body) names.add(member);
    },
    TSPropertySignature(node) {
      if (!names.has(node)) declare(keyOf(node.key));
    },
    TSMethodSignature: ({ key }) => void declare(keyOf(key)),
    CallExpression({ callee, arguments: [shape] }) {
      if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return;
      const setting = callee.object.name === 'reader' && shape?.type === 'Literal' ? String(shape.value) : undefined;
      if (setting !== undefined) read.add(setting); // `reader.file('VEDETTE_…', …)`
      if (callee.object.name !== 'Type') return;
      if (keyOf(callee.property) !== 'Object' || shape?.type !== 'ObjectExpression') return;
      for (const property of shape.properties) if (property.type === 'Property') declare(keyOf(property.key));
    },
    AssignmentExpression({ operator, left }) {
      if (operator === '=') written.add(left);
    },
    ExpressionStatement({ expression }) {
      if (expression.type === 'AssignmentExpression') written.add(expression.left); // `a.b += 1` alone reads it for itself only
      if (expression.type === 'UpdateExpression') written.add(expression.argument);
    },
    MemberExpression(node) {
      const name = node.computed && node.property.type !== 'Literal' ? undefined : keyOf(node.property);
      if (name !== undefined && !written.has(node)) read.add(name);
    },
    ObjectPattern({ properties }) {
      for (const property of properties) {
        const name = property.type === 'Property' ? keyOf(property.key) : undefined;
        if (name !== undefined) read.add(name);
      }
    },
    BinaryExpression({ operator, left }) {
      if (operator === 'in' && left.type === 'Literal') read.add(String(left.value));
    },
  });
  visitor.visit(parseSync(path, text).program);
}

function unread(sources: ReadonlyMap<string, string>): string[] {
  const members: Members = { declared: new Map(), read: new Set() };
  for (const [path, text] of sources) collect(path, text, members);
  return [...members.declared].filter(([name]) => !members.read.has(name)).map(([name, path]) => `${name} of ${path}`);
}

/** Names of everything that a client sends or is answered. */
function namesOfTheApi(): Set<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('properties' in value && typeof value.properties === 'object')
      for (const name of Object.keys(value.properties ?? {})) names.add(name);
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(JSON.parse(readFileSync(OPENAPI, 'utf8')));
  return names;
}

const sources = new Map(
  readdirSync(PACKAGES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^[\w-]+\/src\/.*(?<!\.d)\.tsx?$/.test(path))
    .map((path) => [path, readFileSync(PACKAGES + path, 'utf8')]),
);

it('every member that a type or a schema declares is read', () => {
  const api = namesOfTheApi();
  expect(sources.size).toBeGreaterThan(300);
  expect(
    unread(sources).filter((member) => {
      const [name = ''] = member.split(' ');
      return !api.has(name) && !(name in READ_ELSEWHERE);
    }),
  ).toEqual([]);
});

it('what is excused is unread, or the excuse is old', () => {
  const names = unread(sources).map((member) => member.split(' ')[0]);
  expect(Object.keys(READ_ELSEWHERE).filter((name) => !names.includes(name))).toEqual([]);
});

it('tells a read from a write', () => {
  const declarations =
    'interface Beat { a: 1; b: 2; c: 3; d: 4; e: 5; f(): 6 }; const S = Type.Object({ g: Type.String(), h: Type.String() });';
  const uses = "x.a = 1; x.b += 1; x.c++; const { d } = x; if ('e' in x) y(x['f']()); const z = (x.h ??= 1);";
  expect(unread(new Map([['beat.ts', `${declarations} ${uses}`]]))).toEqual(['a', 'b', 'c', 'g'].map((name) => `${name} of beat.ts`));
});
