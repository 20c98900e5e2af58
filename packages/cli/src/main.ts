#!/usr/bin/env node
import { CommanderError } from 'commander';
import { openDesk } from './measure/open-desk.ts';
import { createProgram } from './program.ts';
import { printable } from './show/printable.ts';

/** Exit code of a command line that is wrong. */
const USAGE = 2;

const words = process.argv.slice(2);
const has = (option: string): boolean => words.some((word) => word.startsWith(option));
// A reader that has seen enough, such as head(1), has not failed. A condition is judged all the same, but nothing is asked again.
const guards = has('--fail-if') && !has('--watch');
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE' && code !== 'ERR_STREAM_DESTROYED') {
    process.stderr.write(`vedette: standard output cannot be written: ${message}\n`);
    process.exit(USAGE);
  }
  if (!guards) process.exit(0);
});
try {
  const operator = async () => (await import('./operator.ts')).operatorPorts(process.env);
  const program = await createProgram(words, { operator, desk: openDesk() });
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE;
  else {
    const lines = (error as Error).message.split('\n').map(printable);
    process.stderr.write(`vedette: ${lines.join('\n')}\n`);
    process.exitCode = 1;
  }
}
