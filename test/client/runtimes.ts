import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../repo/pages.ts';

/** A program that runs JavaScript, and its arguments before a file's name. */
export interface Runtime {
  name: string;
  program: string;
  args: string[];
  isThere: boolean;
}

const fetched = (name: string, args: string[]): Runtime => {
  const program = join(ROOT, 'node_modules/.cache', name, name);
  return { name, program, args, isThere: existsSync(program) };
};

/** The runtimes of others, which `scripts/setup.sh test` fetches. */
export const OTHER_RUNTIMES: readonly Runtime[] = [
  // Without a look at types, a lock file or a newer version.
  fetched('deno', ['run', '--no-check', '--no-lock', '--allow-net', '--allow-env', '--node-modules-dir=manual']),
  fetched('bun', ['run']),
];
