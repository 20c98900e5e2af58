import { Command, InvalidArgumentError, Option } from 'commander';
import type { PassiveDnsStatus } from '@vedette/ledger';
import type { CliContext } from '../context/context.ts';
import { FORMATS, type Format } from '../passive-dns/formats.ts';
import { importPassiveDns, type Imported } from '../passive-dns/import.ts';
import { table } from '../context/table.ts';

export function pdnsCommand({ admin, show, progress, now, sleep }: CliContext): Command {
  const pdns = new Command('pdns');
  pdns
    .command('list')
    .description('show the size of the data, and imported files')
    .action(async () => {
      show(await admin.call<PassiveDnsStatus>('GET', ['passive-dns']), ({ rows, max_rows, months, imports }) =>
        [
          `${counted(rows, 'name')} at addresses, of ${number(max_rows)} at most, for ${months} months after they were last seen.`,
          ...(imports.length === 0
            ? []
            : [
                table(
                  ['file', 'lines', 'began', 'finished'],
                  imports.map((one) => [one.file, one.lines, one.began_at, one.finished_at ?? 'no']),
                ),
              ]),
        ].join('\n'),
      );
    });
  pdns
    .command('import')
    .description('read a file of names and IPv4 addresses, gzipped or not; a stopped import continues where it was')
    .argument('<file>', 'JSON lines of the Common Output Format, CSV, or a zone file')
    .addOption(new Option('--format <format>', 'what the file is; else its first line tells').choices(FORMATS))
    .option('--seen <date>', 'day for names without one in the file, YYYY-MM-DD (default: when the file was last written)', day)
    .option('--origin <name>', 'origin of a zone file without $ORIGIN')
    .addHelpText('after', '\nExample:\n  $ vedette pdns import ./passive-dns.json.gz')
    .action(async (file: string, options: { format?: Format; seen?: number; origin?: string }) => {
      show(await importPassiveDns(file, options, { admin, progress, now, sleep }), summary);
    });
  return pdns;
}

/** Reads a date: the epoch seconds at which it begins. */
function day(value: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw new InvalidArgumentError('It is not a date, as YYYY-MM-DD.');
  return ms / 1000;
}

const number = (value: number): string => value.toLocaleString('en');
const counted = (value: number, one: string): string => `${number(value)} ${one}${value === 1 ? '' : 's'}`;

function summary(done: Imported): string {
  const known = done.rows - done.added - done.updated - done.refused - done.expired - done.unfit;
  const parts: [number, string][] = [
    [done.skipped, 'of the lines were done before'],
    [done.added, 'new'],
    [done.updated, 'seen later than was known'],
    [known, 'known'],
    [done.expired, 'last seen too long ago'],
    [done.refused, 'without room: the table is full, or has 200 names below their domain at the address'],
    [done.unfit, 'inner names, special addresses, or no names of hosts'],
    [done.malformed, `malformed (line ${done.malformed_lines.join(', ')}${done.malformed > done.malformed_lines.length ? ' …' : ''})`],
  ];
  const rest = parts.filter(([count]) => count > 0).map(([count, what]) => `  ${number(count)} ${what}`);
  return [`${counted(done.lines, 'line')}, ${counted(done.rows, 'name')} at addresses:`, ...rest].join('\n');
}
