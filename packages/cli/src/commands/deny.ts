import type { DeniedTarget } from '@vedette/ledger';
import { Command } from 'commander';
import type { CliContext } from '../context/context.ts';
import { table } from '../context/table.ts';

const COLUMNS = ['target', 'reason', 'since'];
const row = ({ target, reason, created_at }: DeniedTarget) => [target, reason, created_at];

export function denyCommand({ admin, show }: CliContext): Command {
  const deny = new Command('deny');
  deny
    .command('list')
    .description('list all denied targets')
    .action(async () => {
      show(await admin.call<DeniedTarget[]>('GET', ['deny']), (all) =>
        all.length === 0 ? 'No target is denied.' : table(COLUMNS, all.map(row)),
      );
    });
  deny
    .command('add')
    .description('never contact a target')
    .argument('<target>', 'a domain, with all names below it, or a CIDR')
    .requiredOption('--reason <text>', 'the reason, for operators')
    .addHelpText(
      'after',
      '\nExamples:\n  $ vedette deny add example.org --reason "asked by its owner"\n  $ vedette deny add 203.0.113.0/24 --reason "our own"',
    )
    .action(async (target: string, { reason }: { reason: string }) => {
      show(await admin.call<DeniedTarget>('POST', ['deny'], { body: { target, reason } }), (one) => table(COLUMNS, [row(one)]));
    });
  deny
    .command('remove')
    .description('allow a target again')
    .argument('<target>', 'the target, as in `vedette deny list`')
    .action(async (target: string) => {
      show(await admin.call<{ removed: boolean }>('DELETE', ['deny', target]), ({ removed }) =>
        removed ? `${target} is no longer denied.` : `${target} was not on the list.`,
      );
    });
  return deny;
}
