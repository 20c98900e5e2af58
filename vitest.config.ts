import { defineConfig } from 'vitest/config';

// unit: memory, loopback, real local servers. lab: network namespaces, one world at a time. system: whole processes. slow: not part of `npm test`.
const project = (
  name: string,
  include: string[],
  options: { exclude?: string[]; setupFiles?: string[]; fileParallelism?: boolean; maxWorkers?: number; retry?: number } = {},
) => ({
  extends: true as const,
  test: { name, include, ...options, exclude: ['**/node_modules/**', ...(options.exclude ?? [])] },
});

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      project('unit', ['test/**/*.test.ts'], {
        exclude: ['test/lab/**', 'test/system/**', 'test/slow/**'],
        setupFiles: ['test/same-cases.ts'],
        maxWorkers: 2, // they wait more than they compute; Vitest would leave one of two cores alone
      }),
      project('slow', ['test/slow/**/*.test.ts', 'test/**/{agreement,fuzz,model}.test.ts']),
      // The lab measures milliseconds, which a shared machine may spoil once. What was tried again is printed (test/lab/tried-again.ts).
      project('lab', ['test/lab/**/*.test.ts'], { fileParallelism: false, retry: 1, setupFiles: ['test/lab/tried-again.ts'] }),
      project('system', ['test/system/**/*.test.ts'], { fileParallelism: false }),
    ],
  },
});
