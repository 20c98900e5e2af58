import { resolve } from 'node:path';
import { RELEASE } from '@vedette/process/release';
import { asProcess } from '@vedette/process/run';

/** Ends the process with the sentence of a `StartError`. */
function refuse(command: string, error: unknown): never {
  if ((error as Error).name !== 'StartError') throw error;
  process.stderr.write(`vedette agent ${command}: ${(error as Error).message}\n`);
  process.exit(1);
}

async function undoJoin(args: readonly string[]): Promise<never> {
  const { systemPorts, undoJoinByArguments } = await import('./join.ts');
  try {
    undoJoinByArguments(args, systemPorts());
    process.exit(0);
  } catch (error) {
    return refuse('leave', error);
  }
}

/** Joining ends there, but for what is to go on as the agent. */
async function join(args: readonly string[]): Promise<void> {
  const { joinByArguments, systemPorts } = await import('./join.ts');
  try {
    if (!(await joinByArguments(args, process.env, systemPorts()))) process.exit(0);
  } catch (error) {
    refuse('join', error);
  }
  // A token among the arguments would stand in the list of processes for as long as the agent lives.
  const [, main = ''] = process.argv;
  // A release may start Node through the loader of a C library, which only its launcher knows. Neither a checkout nor an image has one that runs.
  const launcher = resolve(main, '../vedette');
  try {
    process.execve!(launcher, [launcher, 'agent'], process.env);
  } catch {
    process.execve!(process.execPath, [process.execPath, ...process.execArgv, main], process.env);
  }
}

const [, , command, ...rest] = process.argv;
if (command === 'join') await join(rest);
if (command === 'leave') await undoJoin(rest);
await asProcess({
  name: 'vedette agent',
  log: { name: 'agent', location: process.env['VEDETTE_LOCATION'] },
  command: RELEASE.commit === undefined ? 'npm run agent' : 'vedette agent',
  takes: { '--simulated': 'say in every entry that it only pretends to be at its location' },
  load: async () => (await import('./agent.ts')).runAgent,
});
