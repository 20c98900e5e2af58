import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import type { CliContext } from '../../context/context.ts';

/** The agent is a process of its own, which knows how it joins: the same program answers here and in the bundle. */
const AGENT = fileURLToPath(new URL('../../../../agent/src/main.ts', import.meta.url));

interface JoinFlags {
  tokenFile?: string;
  folder?: string;
  foreground?: boolean;
}

export function agentCommand({ become }: CliContext): Command {
  const agent = new Command('agent');
  agent
    .command('join')
    .description('join a fleet: write settings and key, and start a unit if run as root under systemd')
    .argument('[token]', 'the token of fleet add-location; - reads it from the standard input, which keeps it out of the list of processes')
    .option('--token-file <file>', 'read the token from a file')
    .option('--folder <folder>', 'folder for settings and key; no unit is started then')
    .option('--foreground', 'run the agent here instead of a unit')
    .action((token: string | undefined, { tokenFile, folder, foreground }: JoinFlags) =>
      become(AGENT, [
        'join',
        ...(token === undefined ? [] : [token]),
        ...(tokenFile === undefined ? [] : ['--token-file', tokenFile]),
        ...(folder === undefined ? [] : ['--folder', folder]),
        ...(foreground ? ['--foreground'] : []),
      ]),
    );
  agent
    .command('leave')
    .description('undo join: end the unit, and delete its settings and key')
    .option('--folder <folder>', 'folder of settings and key')
    .action(({ folder }: { folder?: string }) => become(AGENT, ['leave', ...(folder === undefined ? [] : ['--folder', folder])]));
  return agent;
}
