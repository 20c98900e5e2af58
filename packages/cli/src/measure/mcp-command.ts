import { Command } from 'commander';
import type { Desk } from './desk.ts';

interface Flags {
  maxCredits?: string;
  tools?: string;
  profile?: string;
}

/** `vedette mcp`: the operations as tools for a language model on this machine. */
export const mcpCommand = (desk: Desk): Command =>
  new Command('mcp')
    .helpGroup('This command:')
    .description('serve the operations as tools for a language model, over standard input and output')
    .option('--max-credits <n>', 'credits that tools may spend in an hour')
    .option('--tools <list>', 'tools to list: operations and groups, with commas, such as mail,dns-lookup')
    .option('--profile <name>', 'profile of `vedette login`')
    .action(async ({ maxCredits, tools, profile: named }: Flags) => {
      const { bridge } = await import('./bridge.ts');
      const { fetch, sleep, input, out } = desk;
      const headers = {
        ...(maxCredits !== undefined && { 'vedette-max-credits': maxCredits }),
        ...(tools !== undefined && { 'vedette-tools': tools }),
      };
      await bridge({ profile: desk.profile(named), headers, fetch, sleep, input, write: (line) => void out.write(`${line}\n`) });
    });
