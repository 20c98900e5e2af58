import { basename, resolve } from 'node:path';
import { RELEASE } from '@vedette/process/release';
import { asProcess } from '@vedette/process/run';

/** Joining ends there, but for what is to go on as the agent. */
async function join(args: readonly string[]): Promise<void> {
  const { joinByArguments, systemPorts } = await import('./join.ts');
  try {
    if (!(await joinByArguments(args, process.env, systemPorts()))) process.exit(0);
  } catch (error) {
    if ((error as Error).name !== 'StartError') throw error;
    process.stderr.write(`vedette agent join: ${(error as Error).message}\n`);
    process.exit(1);
  }
  // A token among the arguments would stand in the list of processes for as long as the agent lives.
  const [, main = ''] = process.argv;
  // Where Node is started through a C library beside it, that library's loader is what runs: the launcher knows how to start it.
  const launcher = resolve(main, '../vedette');
  if (basename(process.execPath).startsWith('ld-')) process.execve!(launcher, [launcher, 'agent'], process.env);
  process.execve!(process.execPath, [process.execPath, ...process.execArgv, main], process.env);
}

if (process.argv[2] === 'join') await join(process.argv.slice(3));
await asProcess({
  name: 'vedette agent',
  log: { name: 'agent', location: process.env['VEDETTE_LOCATION'] },
  command: RELEASE.commit === undefined ? 'npm run agent' : 'vedette agent',
  takes: { '--simulated': 'say in every entry that it only pretends to be at its location' },
  load: async () => (await import('./agent.ts')).runAgent,
});
