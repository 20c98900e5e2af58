import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Client } from '@vedette/client';
import type { OperationInfo } from '@vedette/client/catalogue';
import { EXIT } from './exit-codes.ts';
import type { Condition } from './fail-if.ts';
import { isLive, LiveLines, type Terminal } from '../show/live.ts';
import { printableJson } from '../show/printable.ts';

/** One bulk request takes so many items, in a body of 256 KB. */
const MAX_ITEMS = 500;
const MAX_BYTES = 200 * 1024;

/** A line of a bulk answer. */
interface BulkLine {
  index: number;
  status: number;
  cost: number;
  report?: Readonly<Record<string, unknown>>;
}

export interface ListOptions {
  client: Client;
  operation: OperationInfo;
  /** The parameters that count for all items. */
  body: object;
  items: readonly string[];
  condition: Condition | undefined;
  signal: AbortSignal;
  out: Terminal;
  /** Standard error. */
  err: Terminal;
  env: Readonly<Record<string, string | undefined>>;
}

/** The items of a list, one a line: `-` is standard input. Empty lines, and lines that begin with `#`, are no items. */
export async function itemsIn(path: string, input: () => Readable): Promise<string[]> {
  const list = path === '-' ? await text(input()) : await readFile(path, 'utf8');
  const items = list
    .split(/\r?\n|\r/)
    .map((line) => line.replace(/^\ufeff/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (items.length === 0) throw new Error(`--file: ${path} has no items`);
  return items;
}

/** Asks about every item, prints a line of JSON for each as it ends, and tells the sums on standard error; the exit code. */
export async function measureList({ client, operation, body, items, condition, signal, out, err, env }: ListOptions): Promise<number> {
  const statuses = new Map<number, number>();
  let credits = 0;
  let isMet = false;
  // Where the lines scroll by themselves there is nothing to show beside them.
  const live = isLive(err, env) && !out.isTTY ? new LiveLines(err, !env['NO_COLOR']) : undefined;
  const sums = (): string => {
    const failed = [...statuses.values()].filter((status) => status !== 200).length;
    return `${statuses.size} of ${items.length} items: ${statuses.size - failed} reports, ${failed} errors, ${credits} credit${credits === 1 ? '' : 's'}`;
  };
  try {
    for (const { from, part } of partsOf(items)) {
      const lines = client.bulk(operation.name as 'tor-test', { ...body, items: part }, { signal }) as AsyncIterable<BulkLine>;
      for await (const line of lines) {
        const index = from + line.index;
        statuses.set(index, line.status);
        credits += line.cost;
        if (line.report && condition?.(line.report)) isMet = true;
        out.write(`${printableJson({ ...line, index, item: items[index] }, 0)}\n`);
        live?.show([{ text: sums(), style: 'dim' }]);
      }
    }
  } finally {
    live?.close([]);
    err.write(`${sums()}\n`);
  }
  if (isMet) err.write('--fail-if is true\n');
  if (isMet) return EXIT.condition;
  return [...statuses.values()].every((status) => status === 200) ? EXIT.answered : EXIT.partial;
}

/** The list in parts that a request can take, with the position of each. */
function partsOf(items: readonly string[]): { from: number; part: string[] }[] {
  const parts: { from: number; part: string[] }[] = [];
  let bytes = Infinity;
  for (const [index, item] of items.entries()) {
    const length = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (bytes + length > MAX_BYTES || parts.at(-1)!.part.length === MAX_ITEMS) {
      parts.push({ from: index, part: [] });
      bytes = 0;
    }
    parts.at(-1)!.part.push(item);
    bytes += length;
  }
  return parts;
}
