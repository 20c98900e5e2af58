import { parseSync, Visitor } from 'oxc-parser';
import { expect, it } from 'vitest';
import { packageSources } from './sources.ts';

/** A client's text passes the gateway: there the compiler is to be believed, not talked over. */
const GATEWAY_MAX = 10;

/** The types that a source asserts with `as`, in order; `as const` asserts nothing. */
function assertedTypes(source: string): string[] {
  const types: string[] = [];
  const visitor = new Visitor({
    TSAsExpression({ typeAnnotation: { start, end } }) {
      types.push(source.slice(start, end));
    },
    TSTypeAssertion({ typeAnnotation: { start, end } }) {
      types.push(source.slice(start, end));
    },
  });
  visitor.visit(parseSync('source.ts', source).program);
  return types.filter((type) => type !== 'const');
}

const assertions = [...packageSources].flatMap(([path, text]) => assertedTypes(text).map((type) => ({ path, type })));

it('nothing is asserted to be never: the compiler would agree with anything', () => {
  expect(assertions.filter(({ type }) => type === 'never')).toEqual([]);
});

it(`the gateway asserts at most ${GATEWAY_MAX} types`, () => {
  const found = assertions.filter(({ path }) => path.startsWith('packages/gateway/')).map(({ path, type }) => `${path}: ${type}`);
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(GATEWAY_MAX);
});

it('tells assertions from what only looks like them', () => {
  const source =
    "import { a as b } from 'c'; const text = 'x as y'; f(x as never, [1] as const, <T>z, w as Record<string, string>); // q as r";
  expect(assertedTypes(source)).toEqual(['never', 'T', 'Record<string, string>']);
});
