import type { Usage } from '@vedette/client';
import { Command, InvalidArgumentError } from 'commander';
import { integer } from '../context/arguments.ts';
import type { Desk } from '../measure/desk.ts';
import { printable, printableJson } from '../show/printable.ts';
import { tableLines } from '../show/report.ts';

interface Flags {
  days?: number;
  key?: string;
  account?: string;
  csv?: boolean;
  json?: boolean;
  profile?: string;
}

/** `vedette usage`: the charges of a period, by UTC day, operation and key. */
export function usageCommand(desk: Desk): Command {
  const command = new Command('usage')
    .helpGroup('This command:')
    .description('show the credits that were charged, by day, operation and key')
    .option('--days <n>', 'UTC days, today included, up to 90 (default: 30)', integer)
    .option('--key <id>', 'charges of one key')
    .option('--account <id>', 'charges of one account, for operators (default: all accounts)')
    .option('--csv', 'print CSV: one row for each day, operation and key')
    .option('--profile <name>', 'profile of `vedette login`')
    .addHelpText('after', '\nExample:\n  $ vedette usage --days 7 --csv > usage.csv');
  return command.action(async () => {
    const { days, key, account, csv = false, json = false, profile } = command.optsWithGlobals<Flags>();
    const search = new URLSearchParams({
      ...(days !== undefined && { days: String(days) }),
      ...(key !== undefined && { key }),
      ...(account !== undefined && { account }),
    });
    const [{ createClient }, { EXIT, tellError }] = await Promise.all([import('@vedette/client'), import('../measure/exit-codes.ts')]);
    const { fetch, out, progress } = desk;
    const signal = desk.interrupted();
    try {
      if (csv && json) throw new InvalidArgumentError('--csv and --json exclude each other');
      const client = createClient({ ...desk.profile(profile), fetch });
      const usage = (await client.call(`/v2/usage${search.size === 0 ? '' : `?${search.toString()}`}`, undefined, { signal })) as Usage;
      if (json) out.write(`${printableJson(usage)}\n`);
      else if (csv) out.write(await csvFor(usage));
      else out.write(`${linesOf(usage, out.columns ?? Infinity).join('\n')}\n`);
    } catch (error) {
      desk.exit(signal.aborted ? EXIT.interrupted : tellError(error, 'usage', { json, progress, flagOf: (param) => `--${param}` }));
    }
  });
}

async function csvFor({ days, operations, keys }: Usage): Promise<string> {
  const { csvOf } = await import('@vedette/client/csv');
  return csvOf(
    ['by', 'id', 'name', 'account', 'credits', 'requests'],
    [
      ...days.map(({ day, credits, requests }) => ['day', printable(day), '', '', credits, requests]),
      ...operations.map(({ operation, credits, requests }) => ['operation', printable(operation), '', '', credits, requests]),
      ...keys.map(({ id, name, account, credits, requests }) => [
        'key',
        printable(id),
        printable(name),
        printable(account),
        credits,
        requests,
      ]),
    ],
  );
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The charges as tables. Days without any are left out. */
function linesOf({ since, until, credits, requests, days, operations, keys }: Usage, columns: number): string[] {
  const table = (titles: string[], rows: { texts: string[]; credits: number; requests: number }[]): string[] => {
    const cells = rows.map(({ texts, ...row }) => [
      ...texts.map((text) => printable(text) || '-'),
      String(row.credits),
      String(row.requests),
    ]);
    const isNumber = [...titles.map(() => false), true, true];
    return ['', ...tableLines([...titles, 'credits', 'requests'], cells, isNumber, columns)];
  };
  const head = `${counted(credits, 'credit')} for ${counted(requests, 'request')}, UTC days from ${printable(since)} to ${printable(until)}`;
  if (requests === 0) return [head];
  const charged = days.filter((day) => day.requests > 0).toReversed();
  return [
    head,
    ...table(
      ['day'],
      charged.map((row) => ({ ...row, texts: [row.day] })),
    ),
    ...table(
      ['operation'],
      operations.map((row) => ({ ...row, texts: [row.operation] })),
    ),
    ...table(
      ['key', 'name', 'account'],
      keys.map((row) => ({ ...row, texts: [row.id, row.name, row.account] })),
    ),
  ];
}
