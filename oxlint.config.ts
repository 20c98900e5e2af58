import { defineConfig, type OxlintOverride } from 'oxlint';

/** What each package may import of ours: the arrows of docs/architecture.md. */
export const MAY_IMPORT: Record<string, string[]> = {
  contract: [],
  client: [],
  probes: ['contract'],
  intel: ['contract'],
  mail: ['contract', 'intel'],
  web: ['contract', 'intel', 'mail'],
  message: ['contract', 'intel', 'mail', 'web', 'process'],
  bus: ['contract'],
  process: ['contract'],
  ledger: ['contract', 'process'],
  operations: ['contract', 'probes', 'intel', 'mail', 'web', 'message'],
  agent: ['contract', 'probes', 'bus', 'process'],
  renderer: ['contract', 'probes', 'intel', 'bus', 'process'],
  console: ['client'],
  gateway: ['contract', 'probes', 'intel', 'mail', 'message', 'operations', 'bus', 'ledger', 'process', 'console'],
  cli: ['contract', 'client', 'probes', 'bus', 'ledger', 'process'],
  all: ['contract', 'bus', 'ledger', 'process'],
};

/** Where connections are opened (every address passes the AddressPolicy there), and where our own listeners and locks are. */
const MAY_OPEN_SOCKETS: Record<string, string> = {
  probes: 'net/**',
  ledger: 'embedded/**',
  renderer: 'egress/**',
  process: '{ops/{line-socket,listen,ops},children/seat}.ts', // the first: the Unix socket over which another user's process is told what to do
};

const SOCKETS = {
  regex: '^((node:)?(net|tls|http|https|http2|dgram|dns)(/promises)?|undici(/.*)?)$',
  message: 'only packages/probes/src/net opens connections: every address passes the AddressPolicy there',
  allowTypeImports: true,
};

/** Where rooms know of each other only what their doors list; the floors of one room are its own. */
const DOOR = "take it through the room's index.ts";
const DOORS = { group: ['../*/*', '!../*/index.ts'], message: DOOR };
const DOORS_FROM_A_FLOOR = { group: ['../../*/*', '!../../*/index.ts'], message: DOOR };
const HAS_DOORS = new Set(['intel', 'mail', 'web', 'operations']);

/** What one can read without scrolling; comments and blank lines count. */
const FUNCTION_LINES = { max: 80, skipBlankLines: false, skipComments: false, IIFEs: true };

/** The registries: lists of operations and of probes, each of a shape of its own. */
const ANY_SHAPE = ['packages/operations/src/kit/operation.ts', 'packages/probes/src/registry.ts'];

const imports = (files: string, ours: string[], further: (typeof SOCKETS | typeof DOORS)[]): OxlintOverride => ({
  files: [`packages/${files}`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            group: ['@vedette/**', ...ours.flatMap((name) => [`!@vedette/${name}`, `!@vedette/${name}/**`])],
            message: `imports flow one way (oxlint.config.ts); what this package may import of ours: ${ours.join(', ') || 'nothing'}`,
          },
          { regex: '^\\.\\./.*/src/', message: 'import another package by its name' },
          ...further,
        ],
      },
    ],
  },
});

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'promise', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'no-console': 'error',
    'vitest/valid-expect': ['error', { maxArgs: 2 }],
    'vitest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*', 'fc.assert', 'until'] }],
    'typescript/consistent-return': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/unbound-method': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/no-array-sort': 'off',
    'import/no-named-as-default-member': 'off',
    'no-shadow': 'off',
  },
  // The last entry that fits a file counts; a package that is not listed may import nothing of ours.
  overrides: [
    { files: ['packages/**'], rules: { 'typescript/no-explicit-any': 'error', 'max-lines-per-function': ['error', FUNCTION_LINES] } },
    { files: ANY_SHAPE, rules: { 'typescript/no-explicit-any': 'off' } },
    imports('*/src/**', [], [SOCKETS]),
    ...Object.entries(MAY_IMPORT).map(([name, ours]) =>
      imports(`${name}/src/**`, ours, HAS_DOORS.has(name) ? [SOCKETS, DOORS] : [SOCKETS]),
    ),
    ...[...HAS_DOORS].map((name) => imports(`${name}/src/*/*/**`, MAY_IMPORT[name]!, [SOCKETS, DOORS_FROM_A_FLOOR])),
    ...Object.entries(MAY_OPEN_SOCKETS).map(([name, files]) => imports(`${name}/src/${files}`, MAY_IMPORT[name]!, [])),
  ],
  ignorePatterns: ['node_modules', 'data', 'coverage', 'scripts/typebox', 'packages/client/src/{api.d,catalogue}.ts'],
});
