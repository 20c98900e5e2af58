import type { EngineStatus } from '@vedette/contract';
import { Command } from 'commander';
import type { CliContext } from '../context/context.ts';
import { table } from '../context/table.ts';

export function enginesCommand({ admin, show }: CliContext): Command {
  const engines = new Command('engines').description('blacklists that this gateway queries about addresses and names');
  engines
    .command('list')
    .description('list engines, their subjects, and whether they pass their tests')
    .option('--all', 'include engines that are off')
    .action(async ({ all = false }: { all?: boolean }) => {
      const engines = await admin.call<EngineStatus[]>('GET', ['engines']);
      const wanted = engines.filter(({ state }) => all || state !== 'disabled');
      show(wanted, (list) =>
        list.length === 0
          ? 'No engine is on.'
          : table(
              ['engine', 'about', 'source', 'state', 'asked at', 'problem', 'terms'],
              list.map(({ id, subject, source, state, servers, problem, terms }) => [
                id,
                subject,
                source,
                state,
                servers.join(', '),
                problem,
                terms,
              ]),
            ),
      );
    });
  return engines;
}
