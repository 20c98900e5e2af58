import type { EngineStatus, SourceCheck } from '@vedette/contract';
import { Command } from 'commander';
import type { CliContext } from '../context/context.ts';
import { checkSources, checksTable } from '../context/source-checks.ts';
import { table } from '../context/table.ts';

export function enginesCommand({ admin, show, progress, fail }: CliContext): Command {
  const engines = new Command('engines');
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
  engines
    .command('check')
    .description('try engines from the gateway, and say what is wrong with each; exits with 1 if something is')
    .argument('[ids...]', 'ids of engines; without them all engines that are on and need no key')
    .option('--all', 'include engines that are off: mind their terms (docs/engines.md)')
    .addHelpText('after', '\nExample:\n  $ vedette engines check spamcop psbl')
    .action(async (named: string[], { all: withOff = false }: { all?: boolean }) => {
      const wanted = async () =>
        (await admin.call<EngineStatus[]>('GET', ['engines'])).filter(({ state }) => withOff || !['disabled', 'keyed'].includes(state));
      const ids = named.length > 0 ? named : (await wanted()).map(({ id }) => id);
      const check = (id: string) => admin.call<SourceCheck>('POST', ['engines', id, 'check'], { slow: true });
      const checks = await checkSources(ids, check, progress);
      show(checks, (all) => (all.length === 0 ? 'No engine is on.' : checksTable('engine', all)));
      if (checks.some(({ verdict }) => verdict !== 'ok')) fail();
    });
  return engines;
}
