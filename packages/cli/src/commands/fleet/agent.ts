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
  const agent = new Command('agent').description('this machine as a vantage point');
  agent
    .command('join')
    .description('join a fleet: write settings and key, and start a unit where systemd runs and we are root')
    .argument(
      '[token]',
      '- reads what fleet add-location printed from the standard input; the token itself would be seen in the list of processes',
    )
    .option('--token-file <file>', 'reads it from a file')
    .option('--folder <folder>', 'where settings and key are written; then no unit is started')
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
  return agent;
}
