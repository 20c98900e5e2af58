import { defineConfig } from 'vitest/config';

// unit: memory, loopback, real local servers. lab: network namespaces, one world at a time. system: whole processes. slow: not part of `npm test`.
const project = (name: string, include: string[], exclude: string[] = []) => ({
  extends: true as const,
  test: { name, include, exclude: ['**/node_modules/**', ...exclude] },
});

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      project('unit', ['test/**/*.test.ts'], ['test/lab/**', 'test/system/**', 'test/slow/**']),
      project('slow', ['test/slow/**/*.test.ts']),
      { ...project('lab', ['test/lab/**/*.test.ts']), test: { ...project('lab', ['test/lab/**/*.test.ts']).test, fileParallelism: false } },
      {
        ...project('system', ['test/system/**/*.test.ts']),
        test: { ...project('system', ['test/system/**/*.test.ts']).test, fileParallelism: false },
      },
    ],
  },
});
