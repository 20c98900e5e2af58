import type { Client, Quota } from '@vedette/client';
import { type OperationInfo, reasonSources } from '@vedette/client/catalogue';
import { type Entry, entryTable, type Row, text } from '../show/columns.ts';
import { EXIT } from './exit-codes.ts';
import type { Condition } from './fail-if.ts';
import { isLive, type Line, LiveLines, type Terminal } from '../show/live.ts';
import { printable, printableJson, widthOf } from '../show/printable.ts';
import { reportLines, tableLines } from '../show/report.ts';

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
  const live = new LiveLines(out, !env['NO_COLOR']);
  const begun = performance.now();
  const tell = (): void =>
    live.show([
      {
        text: `${operation.name}: ${Math.round((performance.now() - begun) / 1000)} s of at most ${operation.deadline_ms / 1000} s`,
        style: 'dim',
      },
    ]);
  const timer = setInterval(tell, 1000);
  try {
    return (await asked) as Report;
  } finally {
    clearInterval(timer);
    live.close([]);
  }
}

/** Shows each location as it finishes: in a table that grows on a terminal, as a line each elsewhere. Resolves to the report. */
async function showEntries({ client, operation, body, signal, out, env }: MeasureOptions): Promise<Report> {
  const sources = Object.fromEntries(Object.entries(reasonSources).map(([reason, source]) => [reason, FAULTS.get(source) ?? source]));
  const table = entryTable(operation.name, sources);
  const live = isLive(out, env) ? new LiveLines(out, !env['NO_COLOR']) : undefined;
  const rows = new Map<string, Row>();
  const add = (entry: Entry): void => {
    const row = rowOf(table, entry);
    rows.set(row.cells[0]!, row);
    if (live) live.show(linesOf());
    else out.write(`${row.cells.join('  ')}\n`);
  };
  let report: Report | undefined;
  const linesOf = (): Line[] => [
    ...tableOf(table, [...rows.values()], out.columns ?? 80),
    { text: report ? summaryOf(rows) : `${rows.size} answered so far`, style: 'dim' },
  ];
  try {
    live?.show(linesOf());
    for await (const { event, data } of client.events(operation.name as 'ping-test', body as { host: string }, { signal })) {
      if (event === 'report') {
        report = data as unknown as Report;
        // A report that is told again after a break comes without its locations.
        for (const entry of (report['locations'] ?? report['propagation'] ?? []) as Entry[])
          if (!rows.has(printable(text(entry['location'])))) add(entry);
        break;
      }
      add(data);
    }
  } finally {
    // A refusal leaves no empty table behind.
    live?.close(rows.size > 0 ? linesOf() : []);
  }
  if (!live) out.write(`${summaryOf(rows)}\n`);
  return report!;
}

const rowOf = (table: ReturnType<typeof entryTable>, entry: Entry): Row => {
  const row = table.rowOf(entry);
  return { ...row, cells: row.cells.map(printable) };
};

/** A table with as many columns of values as the terminal has room for: the location and its state stay. */
function tableOf({ titles, isNumber }: ReturnType<typeof entryTable>, rows: readonly Row[], columns: number): Line[] {
  const last = titles.length - 1;
  let lines: string[];
  let values = last - 1;
  do {
    const shown = <T>(all: readonly T[]): T[] => [...all.slice(0, values + 1), all[last]!];
    lines = tableLines(
      shown(titles),
      rows.map(({ cells }) => shown(cells)),
      shown(isNumber),
      WIDE,
    );
  } while (Math.max(...lines.map(widthOf)) > columns && --values >= 0);
  return lines.map((text, i) => ({
    text,
    ...(i === 0
      ? { style: 'bold' as const }
      : rows[i - 1]!.hasFailed
        ? { style: 'red' as const }
        : rows[i - 1]!.isBad && { style: 'yellow' as const }),
  }));
}

function summaryOf(rows: ReadonlyMap<string, Row>): string {
  const failed = [...rows.values()].filter(({ hasFailed }) => hasFailed).length;
  const bad = [...rows.values()].filter(({ isBad }) => isBad).length;
  const warned = bad === 0 ? '' : `, ${bad} with a warning`;
  return `${rows.size} location${rows.size === 1 ? '' : 's'}, ${failed === 0 ? 'none failed' : `${failed} failed`}${warned}`;
}
