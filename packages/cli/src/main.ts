#!/usr/bin/env node
import { CommanderError } from 'commander';
import { openDesk } from './measure/open-desk.ts';
import { createProgram } from './program.ts';

/** Exit code of a command line that is wrong. */
const USAGE = 2;

const words = process.argv.slice(2);
// A reader that has seen enough, such as head(1), has not failed.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
try {
  const operator = async () => (await import('./operator.ts')).operatorPorts(process.env);
  const program = await createProgram(words, { operator, desk: openDesk() });
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE;
  else {
    process.stderr.write(`vedette: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
