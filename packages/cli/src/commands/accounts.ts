import { readFile } from 'node:fs/promises';
import type { AccountBrands, AccountSummary } from '@vedette/ledger';
import { Command } from 'commander';
import { integer, onOff } from '../context/arguments.ts';
import type { CliContext } from '../context/context.ts';
import { table } from '../context/table.ts';

const COLUMNS = ['id', 'name', 'plan', 'credits', 'spent', 'held', 'next reset', 'overage', 'suspended'];
const row = (account: AccountSummary) => [
  account.id,
  account.name,
  account.plan,
  account.monthly_credits,
  account.spent,
  account.held,
  account.next_reset,
  account.overage_enabled,
  account.suspended_at && `${account.suspended_at} ${account.suspended_reason ?? ''}`.trim(),
];

interface AccountOptions {
  id?: string;
  name?: string;
  plan?: string;
  overage?: boolean;
  resetDay?: number;
}

const bodyOf = ({ overage, resetDay, ...rest }: AccountOptions): object => ({ ...rest, overage_enabled: overage, reset_day: resetDay });

export function accountsCommand({ admin, show }: CliContext): Command {
  const accounts = new Command('accounts');
  const print = (account: AccountSummary): void => show(account, (one) => table(COLUMNS, [row(one)]));
  accounts
    .command('list')
    .description('list all accounts with their use in the current month')
    .action(async () => {
      show(await admin.call<AccountSummary[]>('GET', ['accounts']), (all) => table(COLUMNS, all.map(row)));
    });
  accounts
    .command('create')
    .description('create an account')
    .requiredOption('--name <name>', 'name of the owner')
    .requiredOption('--plan <id>', 'its plan; see `vedette plans list`')
    .option('--id <id>', 'id of the account (default: random)')
    .option('--reset-day <day>', 'day of the month on which credits are renewed, 1 to 31 (default: 1)', integer)
    .option('--overage <on|off>', 'go on after the monthly credits, where the plan allows it', onOff)
    .addHelpText('after', '\nExample:\n  $ vedette accounts create --name "Example Inc." --plan basic --reset-day 15')
    .action(async (options: AccountOptions) => print(await admin.call('POST', ['accounts'], { body: bodyOf(options) })));
  accounts
    .command('set')
    .description('change an account; options that you leave out stay as they are')
    .argument('<id>', 'id of the account; see `vedette accounts list`')
    .option('--name <name>', 'name of the owner')
    .option('--plan <id>', 'plan of the account')
    .option('--reset-day <day>', 'day of the month on which credits are renewed; takes effect when the current period ends', integer)
    .option('--overage <on|off>', 'go on after the monthly credits, where the plan allows it', onOff)
    .addHelpText('after', '\nExample:\n  $ vedette accounts set acct_0123456789ab --plan pro --overage on')
    .action(async (id: string, options: AccountOptions) => print(await admin.call('PATCH', ['accounts', id], { body: bodyOf(options) })));
  accounts
    .command('suspend')
    .description('refuse all keys of an account, on every gateway, from now on; requests under way finish')
    .argument('<id>', 'its id')
    .option('--reason <text>', 'the reason, for operators; clients do not see it')
    .addHelpText('after', '\nExample:\n  $ vedette accounts suspend acct_0123456789ab --reason "complaint of 21 November"')
    .action(async (id: string, body: { reason?: string }) => print(await admin.call('POST', ['accounts', id, 'suspend'], { body })));
  accounts
    .command('resume')
    .description('end a suspension')
    .argument('<id>', 'its id')
    .action(async (id: string) => print(await admin.call('POST', ['accounts', id, 'resume'], { body: {} })));
  accounts
    .command('brands')
    .description('show the brands that an account protects, or replace them by those of a file; an empty file removes them')
    .argument('<id>', 'its id')
    .argument('[file]', 'one brand a line: `name; own domains; aliases; words; icons` (docs/datasets.md)')
    .addHelpText('after', '\nExample:\n  $ vedette accounts brands acct_0123456789ab brands.txt')
    .action(async (id: string, path: string | undefined) => {
      const options = path === undefined ? {} : { file: new Uint8Array(await readFile(path)) };
      const found = await admin.call<AccountBrands>(path === undefined ? 'GET' : 'PUT', ['accounts', id, 'brands'], options);
      show(found, ({ brands }) => brands.trim() || `${id} has no brands of its own.`);
    });
  return accounts;
}
