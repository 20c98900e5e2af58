import type { Lockout } from '@vedette/ledger';
import { Command } from 'commander';
import type { CliContext } from '../context/context.ts';
import { table } from '../context/table.ts';

export function lockoutsCommand({ admin, show }: CliContext): Command {
  const lockouts = new Command('lockouts');
  lockouts
    .command('list')
    .description('list blocked addresses, and addresses with invalid keys so far')
    .action(async () => {
      show(await admin.call<Lockout[]>('GET', ['lockouts']), (all) =>
        all.length === 0
          ? 'No address is blocked.'
          : table(
              ['address', 'invalid keys', 'blocked until'],
              all.map(({ network, failures, blocked_until }) => [network, failures, blocked_until]),
            ),
      );
    });
  lockouts
    .command('clear')
    .description('unblock an address')
    .argument('<address>', 'the address; an IPv6 address clears its whole /64')
    .addHelpText('after', '\nExample:\n  $ vedette lockouts clear 192.0.2.7')
    .action(async (address: string) => {
      show(await admin.call<{ cleared: boolean }>('DELETE', ['lockouts', address]), ({ cleared }) =>
        cleared ? `${address} may try again.` : `${address} was not blocked.`,
      );
    });
  return lockouts;
}
