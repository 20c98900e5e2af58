import type { AdminAct, LoggedMeasurement } from '@vedette/ledger';
import { Command } from 'commander';
import { integer } from '../context/arguments.ts';
import type { CliContext } from '../context/context.ts';
import { table } from '../context/table.ts';

const MEASUREMENT_COLUMNS = ['time', 'account', 'key', 'client', 'operation', 'target', 'address', 'locations', 'status'];
const measurementRow = (one: LoggedMeasurement) => [
  one.started_at,
  one.account,
  one.key,
  one.client,
  one.operation,
  one.target,
  one.address,
  one.locations,
  one.status,
];

const ACT_COLUMNS = ['time', 'who', 'from', 'act', 'on', 'details'];
const actRow = ({ done_at, actor, address, act, subject, detail }: AdminAct) => [
  done_at,
  actor,
  address,
  act,
  subject,
  Object.keys(detail).length === 0 ? '' : JSON.stringify(detail),
];

interface SpanOptions {
  since?: string;
  until?: string;
  limit?: number;
}

const span = (command: Command): Command =>
  command
    .option('--since <time>', 'start of the time range, as 2026-11-21T21:30Z or 2026-11-21')
    .option('--until <time>', 'end of the time range, exclusive')
    .option('--limit <number>', 'number of newest entries, up to 1000 (default: 100)', integer);

export function auditCommand({ admin, show }: CliContext): Command {
  const audit = new Command('audit');
  span(audit.command('measurements', { isDefault: true }))
    .description('measurements by target and account, newest first: the answer to "who probed us at 21:34?"')
    .option('--target <host>', 'the requested or contacted target: a name, an address or a CIDR')
    .option('--subdomains', 'with a name: include names below it')
    .option('--account <id>', 'for one account only')
    .addHelpText(
      'after',
      '\nExamples:\n  $ vedette audit --target 192.0.2.7 --since 2026-11-21T21:30Z --until 2026-11-21T21:40Z\n  $ vedette audit --target example.org --subdomains\n  $ vedette audit --account acct_0123456789ab',
    )
    .action(async (options: SpanOptions & { target?: string; subdomains?: boolean; account?: string }) => {
      show(await admin.call<LoggedMeasurement[]>('GET', ['measurements'], { query: { ...options } }), (all) =>
        all.length === 0 ? 'The measurement log has no such entries.' : table(MEASUREMENT_COLUMNS, all.map(measurementRow)),
      );
    });
  span(audit.command('acts'))
    .description('acts of operators, newest first')
    .option('--subject <id>', 'only acts on this account, key, plan, target or address')
    .addHelpText('after', '\nExample:\n  $ vedette audit acts --subject acct_0123456789ab')
    .action(async (options: SpanOptions & { subject?: string }) => {
      show(await admin.call<AdminAct[]>('GET', ['audit'], { query: { ...options } }), (all) =>
        all.length === 0 ? 'The log of operators has no such entries.' : table(ACT_COLUMNS, all.map(actRow)),
      );
    });
  return audit;
}
