import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import type { CliContext } from '../context.ts';

/** The agent is a process of its own, which knows how it joins: the same program answers here and in the bundle. */
const AGENT = fileURLToPath(new URL('../../../agent/src/main.ts', import.meta.url));

export function agentCommand({ become }: CliContext): Command {
  const agent = new Command('agent').description('this machine as a vantage point');
  agent
    .command('join')
    .description('join a fleet: write settings and key, and start a unit where systemd runs and we are root')
    .argument('<token>', 'as fleet add-location printed it; - reads it from the standard input')
    .option('--folder <folder>', 'where settings and key are written; then no unit is started')
    .option('--foreground', 'run the agent here instead of a unit')
    .action((token: string, { folder, foreground }: { folder?: string; foreground?: boolean }) =>
      become(AGENT, ['join', token, ...(folder === undefined ? [] : ['--folder', folder]), ...(foreground ? ['--foreground'] : [])]),
    );
  return agent;
}
