import type { AccountSummary, KeySummary, NewKey } from '@vedette/ledger';
import { Command } from 'commander';
import type { AdminClient } from '../context/admin-client.ts';
import { integer, list } from '../context/arguments.ts';
import type { CliContext } from '../context/context.ts';
import { table } from '../context/table.ts';

const COLUMNS = ['id', 'account', 'name', 'state', 'created', 'expires', 'last used', 'operations', 'networks'];
const row = (key: KeySummary) => [
  key.id,
  key.account,
  key.name,
  key.state,
  key.created_at,
  key.expires_at,
  key.last_used_at,
  key.allowed_operations ?? 'all',
  key.allowed_cidrs ?? 'any',
];

/** Beside the key, which stands alone on stdout: a script takes that. */
const ONCE = 'This is the only time that the key is shown: keep it now.';

const keyAlone = ({ key }: NewKey): string => key;

/** An account without keys is told from one that there is not. */
async function assertAccount(admin: AdminClient, id: string): Promise<void> {
  const accounts = await admin.call<AccountSummary[]>('GET', ['accounts']);
  if (accounts.every((account) => account.id !== id)) throw new Error(`there is no account ${id}; see \`vedette accounts list\``);
}

export function keysCommand({ admin, show, progress }: CliContext): Command {
  const keys = new Command('keys');
  keys
    .command('list')
    .description('list all keys, without their secrets, which are not stored')
    .option('--account <id>', 'only keys of this account')
    .action(async ({ account }: { account?: string }) => {
      const all = await admin.call<KeySummary[]>('GET', ['keys']);
      if (account !== undefined && all.every((key) => key.account !== account)) await assertAccount(admin, account);
      show(
        all.filter((key) => account === undefined || key.account === account),
        (listed) => table(COLUMNS, listed.map(row)),
      );
    });
  keys
    .command('create')
    .description('create a key and show it once')
    .requiredOption('--account <id>', 'the account that pays; see `vedette accounts list`')
    .requiredOption('--name <name>', 'purpose of the key')
    .option('--expires-in-days <days>', 'days until the key expires (default: never)', integer)
    .option('--operations <names>', 'only these operations, separated by commas', list)
    .option('--networks <cidrs>', 'only from these client networks, separated by commas', list)
    .addHelpText(
      'after',
      '\nExamples:\n  $ vedette keys create --account acct_0123456789ab --name website\n  $ vedette keys create --account acct_0123456789ab --name monitoring --operations ping-test,dns-lookup --networks 203.0.113.0/24',
    )
    .action(async (options: { account: string; name: string; expiresInDays?: number; operations?: string[]; networks?: string[] }) => {
      const key = await admin.call<NewKey>('POST', ['keys'], {
        body: {
          account: options.account,
          name: options.name,
          expires_in_days: options.expiresInDays,
          allowed_operations: options.operations,
          allowed_cidrs: options.networks,
        },
      });
      show(key, keyAlone);
      progress(ONCE);
    });
  keys
    .command('rotate')
    .description('create a new key with the same rights and lifetime; the old key works until the overlap ends')
    .argument('<id>', 'the middle part of the key: vdt_<id>_…')
    .option('--overlap-hours <hours>', 'hours for which the old key still works (default: 24)', integer)
    .addHelpText('after', '\nExample:\n  $ vedette keys rotate abcdefghijklmnop --overlap-hours 48')
    .action(async (id: string, { overlapHours }: { overlapHours?: number }) => {
      show(await admin.call<NewKey>('POST', ['keys', id, 'rotate'], { body: { overlap_hours: overlapHours } }), keyAlone);
      progress(ONCE);
    });
  keys
    .command('revoke')
    .description('end a key now, on every gateway')
    .argument('<id>', 'the middle part of the key: vdt_<id>_…')
    .addHelpText('after', '\nExample:\n  $ vedette keys revoke abcdefghijklmnop')
    .action(async (id: string) => {
      show(await admin.call<KeySummary>('DELETE', ['keys', id]), (key) => `${key.id} (${key.name}) is revoked.`);
    });
  return keys;
}
