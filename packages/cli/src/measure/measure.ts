import { type Client, type Quota, VedetteError } from '@vedette/client';
import { type OperationInfo, reasonSources } from '@vedette/client/catalogue';
import { type Entry, type EntryTable, entryTable, type Row, text } from '../show/columns.ts';
import { EXIT } from './exit-codes.ts';
import type { Condition } from './fail-if.ts';
import { isLive, type Line, LiveLines, type Terminal } from '../show/live.ts';
import { printable, printableJson } from '../show/printable.ts';
import { fittingLines, isFields, reportLines } from '../show/report.ts';

type Report = Readonly<Record<string, unknown>>;

export interface MeasureOptions {
  client: Client;
  operation: OperationInfo;
  body: object;
  json: boolean;
  condition: Condition | undefined;
  /** Saves the files of a report, and says where. */
  save: ((report: Report) => Promise<string[]>) | undefined;
  signal: AbortSignal;
  out: Terminal;
  env: Readonly<Record<string, string | undefined>>;
  progress: (text: string) => void;
  quota: () => Quota | undefined;
}

/** A word for the source of a failure, before its reason. */
const FAULTS: ReadonlyMap<string, string> = new Map([
  ['resolver', 'dns'],
  ['vantage', 'ours'],
]);
const WIDE = 1_000_000;

/** Asks once and prints the report; the exit code. */
export async function measure(options: MeasureOptions): Promise<number> {
  const { json, out, operation, condition, save, progress, quota } = options;
  const isStream = operation.stream === 'locations' && !json;
  const report = isStream ? await showEntries(options) : await wholeReport(options);
  if (json) out.write(`${printableJson(report)}\n`);
  else if (!isStream) {
    const columns = out.isTTY ? (out.columns ?? 80) : WIDE;
    for (const line of reportLines(report, columns)) out.write(`${line}\n`);
  }
  for (const line of (await save?.(report)) ?? []) progress(line);
  const { cost, remaining } = quota() ?? {};
  if (!json && out.isTTY && cost !== undefined) progress(`${cost} credit${cost === 1 ? '' : 's'}, ${remaining} left`);
  if (condition?.(report) !== true) return EXIT.answered;
  progress('--fail-if is true');
  return EXIT.condition;
}

/** The report of an operation without entries, with a sign of life on a terminal while it takes long. */
async function wholeReport({ client, operation, body, signal, json, out, env }: MeasureOptions): Promise<Report> {
  const asked = client.ask(operation.name as 'asn-info', body as { asn: string }, { signal }) as Promise<unknown>;
  if (json || !isLive(out, env)) return (await asked) as Report;
  let isOver = false;
  const time = timeOf(operation);
  return await whileShown(
    new LiveLines(out, !env['NO_COLOR']),
    () => (isOver ? [] : time()),
    () => asked.finally(() => (isOver = true)) as Promise<Report>,
  );
}

/** A line with the time that an operation has taken; none in its first second. */
function timeOf({ name, deadline_ms }: OperationInfo): () => Line[] {
  const begun = performance.now();
  return () => {
    const seconds = Math.round((performance.now() - begun) / 1000);
    return seconds < 1 ? [] : [{ text: `${name}: ${seconds} s of at most ${deadline_ms / 1000} s`, style: 'dim' }];
  };
}

/** Keeps lines on a terminal up to date while something is under way, and leaves the last ones there. */
async function whileShown<T>(live: LiveLines | undefined, lines: () => Line[], work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => live?.show(lines()), 1000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    live?.close(lines());
  }
}

/**
 * Shows each location as it finishes: on a terminal in a table that has a row for each from the start, elsewhere as a line. Locations that never answer are named
 * with the reason. A report that says more than its entries follows. Resolves to the report.
 */
async function showEntries({ client, operation, body, signal, out, env }: MeasureOptions): Promise<Report> {
  const sources = Object.fromEntries(Object.entries(reasonSources).map(([reason, source]) => [reason, FAULTS.get(source) ?? source]));
  const table = entryTable(operation.name, sources);
  const live = isLive(out, env) ? new LiveLines(out, !env['NO_COLOR']) : undefined;
  const rows = new Map<string, Row>();
  const time = timeOf(operation);
  let isOver = false;
  const linesOf = (): Line[] => {
    if (rows.size === 0) return isOver ? [] : time();
    const answered = [...rows.values()].filter(({ isPending }) => !isPending).length;
    const last = isOver ? summaryOf(rows) : `${answered} of ${rows.size} answered so far`;
    return [...tableOf(table, [...rows.values()], out.columns ?? 80), { text: last, style: 'dim' }];
  };
  const set = (row: Row): void => void rows.set(row.cells[0]!, row);
  const tell = (row: Row): void => {
    set(row);
    if (live) live.show(linesOf());
    else out.write(`${row.cells.join('  ')}\n`);
  };
  const listen = async (): Promise<Report> => {
    for await (const { event, data } of client.events(operation.name as 'ping-test', body as { host: string }, { signal })) {
      if (event === 'report') {
        const report = data as unknown as Report;
        // A report that is told again after a break comes without its locations.
        for (const entry of entriesOf(report))
          if (rows.get(printable(text(entry['location'])))?.isPending !== false) tell(rowOf(table, entry));
        return report;
      }
      if (event === 'location') {
        tell(rowOf(table, data));
        continue;
      }
      rows.clear();
      for (const { location } of data.locations) set(printableRow(table.without(location, 'waiting')));
      live?.show(linesOf());
    }
    throw new Error('the stream has no report');
  };
  const report = await whileShown(live, linesOf, async () => {
    try {
      return await listen();
    } catch (error) {
      const why = signal.aborted ? 'stopped' : error instanceof VedetteError ? error.code : 'failed';
      for (const { isPending, cells } of rows.values()) if (isPending) tell(printableRow(table.without(cells[0]!, `not answered: ${why}`)));
      throw error;
    } finally {
      isOver = true;
    }
  });
  if (!live && rows.size > 0) out.write(`${summaryOf(rows)}\n`);
  const rest = Object.fromEntries(Object.entries(report).filter(([name]) => !LISTS.includes(name)));
  const columns = out.isTTY ? (out.columns ?? 80) : WIDE;
  if (rows.size === 0 || Object.values(rest).some(isFields)) for (const line of reportLines(rest, columns)) out.write(`${line}\n`);
  return report;
}

const LISTS: readonly string[] = ['locations', 'propagation'];
const entriesOf = (report: Report): Entry[] => LISTS.flatMap((name) => (report[name] ?? []) as Entry[]);

const printableRow = (row: Row): Row => ({ ...row, cells: row.cells.map(printable) });
const rowOf = (table: EntryTable, entry: Entry): Row => printableRow(table.rowOf(entry));

/** A table with as many columns of values as the terminal has room for: the location and its state stay. */
function tableOf({ titles, isNumber }: EntryTable, rows: readonly Row[], columns: number): Line[] {
  const lines = fittingLines(
    titles,
    rows.map(({ cells }) => cells),
    isNumber,
    columns,
  );
  return lines.map((text, i) => ({
    text,
    ...(i === 0 ? { style: 'bold' as const } : styleOf(rows[i - 1]!)),
  }));
}

function styleOf({ isPending, hasFailed, isBad }: Row): Pick<Line, 'style'> {
  if (isPending) return { style: 'dim' };
  if (hasFailed) return { style: 'red' };
  return isBad ? { style: 'yellow' } : {};
}

function summaryOf(rows: ReadonlyMap<string, Row>): string {
  const count = (has: (row: Row) => boolean): number => [...rows.values()].filter(has).length;
  const [failed, bad, left] = [count(({ hasFailed }) => hasFailed), count(({ isBad }) => isBad), count(({ isPending }) => isPending)];
  const warned = bad === 0 ? '' : `, ${bad} with a warning`;
  const missing = left === 0 ? '' : `, ${left} not answered`;
  return `${rows.size} location${rows.size === 1 ? '' : 's'}, ${failed === 0 ? 'none failed' : `${failed} failed`}${warned}${missing}`;
}
