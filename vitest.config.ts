import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

// unit: memory, loopback, real local servers. lab: network namespaces, two worlds at a time. system: whole processes, in two lanes. slow: not part of `npm test`.
const project = (
  name: string,
  include: string[],
  options: {
    exclude?: string[];
    setupFiles?: string[];
    globalSetup?: string[];
    fileParallelism?: boolean;
    isolate?: boolean;
    maxWorkers?: number;
    retry?: number;
    env?: Record<string, string>;
  } = {},
) => ({
  extends: true as const,
  test: { name, include, ...options, exclude: ['**/node_modules/**', ...(options.exclude ?? [])] },
});

const SYSTEM = { include: ['test/system/**/*.test.ts'], exclude: [] };
const UNIT = { include: ['test/**/*.test.ts'], exclude: ['test/lab/**', 'test/system/**', 'test/slow/**'] };

/** Tests of which `npm test` has a part, by what they import: of generated cases a tenth, of long tables half (test/runs.ts), of two engines one (test/ledger/engines.ts). */
const brief = [UNIT, SYSTEM].flatMap(({ include, exclude }) =>
  globSync(include, { cwd: import.meta.dirname, exclude }).filter((path) =>
    /\/(?:runs|engines)\.ts'/.test(readFileSync(`${import.meta.dirname}/${path}`, 'utf8')),
  ),
);

// A shared machine may spoil a moment once: a test is tried a second time, and what needed it is printed (test/tried-again.ts).
export default defineConfig({
  test: {
    testTimeout: 90_000,
    // As `npm start` does it (scripts/run.sh): our processes load what the set-up has stripped of types, which takes half of the CPU of a start.
    env: { NODE_OPTIONS: `--import="${import.meta.dirname}/scripts/types.mjs"` },
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } }, // a second, Vitest's own, may pass on a shared machine before anything happens
    projects: [
      project('unit', UNIT.include, {
        exclude: UNIT.exclude,
        env: { BRIEF_TESTS: '1' },
        setupFiles: ['test/same-cases.ts', 'test/tried-again.ts'],
        retry: 1,
        isolate: false, // no package keeps state in its modules (test/repo/module-state.test.ts), so a worker loads each once: test/mail took 22 s, not 32
        maxWorkers: 3, // on two cores: a third of their time is waiting
      }),
      project('slow', ['test/slow/**/*.test.ts', 'test/**/{agreement,fuzz,model}.test.ts', ...brief]),
      project('lab', ['test/lab/**/*.test.ts'], {
        setupFiles: ['test/tried-again.ts'],
        retry: 1,
        isolate: false, // a worker keeps the lab that its files share (test/lab/opened.ts)
        maxWorkers: 2,
      }),
      project('system', SYSTEM.include, {
        env: { BRIEF_TESTS: '1' },
        globalSetup: ['test/system/prepared.ts'],
        setupFiles: ['test/tried-again.ts'],
        retry: 1,
        maxWorkers: 2,
      }),
    ],
  },
});
