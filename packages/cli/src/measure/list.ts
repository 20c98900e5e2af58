import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Client, newIdempotencyKey, VedetteError } from '@vedette/client';
import type { OperationInfo } from '@vedette/client/catalogue';
import type { Desk } from './desk.ts';
import { EXIT } from './exit-codes.ts';
import type { Condition } from './fail-if.ts';
import type { BulkLine, BulkRequest, ListFile } from './list-file.ts';
import { isLive, LiveLines } from '../show/live.ts';
import { printableJson } from '../show/printable.ts';

/** One bulk request takes so many items, in a body of 256 KB. */
const MAX_ITEMS = 500;
const MAX_BYTES = 200 * 1024;
/** An earlier request with the same key may still run: its gateway was killed, or has not noticed yet that its client was. */
const CONFLICT_TRIES = 30;
const PAUSE_MS = 1000;
const OK = 200;

export interface ListOptions extends Pick<Desk, 'out' | 'err' | 'env' | 'sleep'> {
  client: Client;
  operation: OperationInfo;
  /** The parameters that count for all items. */
  body: object;
  items: readonly string[];
  condition: Condition | undefined;
  signal: AbortSignal;
  /** Has the lines of earlier commands, and gets those of this one; undefined: standard output gets them. */
  file: ListFile | undefined;
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

/** Whether an item needs no further request: it has its report, or an error that would come again. */
const isAnswer = (status: number | undefined): boolean => status !== undefined && status < 499 && status !== 402 && status !== 429;

/** Asks about every item without an answer, writes a line of JSON for each as it ends, and tells the sums on standard error; the exit code. */
export async function measureList(options: ListOptions): Promise<number> {
  const { client, operation, body, items, condition, signal, out, err, env, file, sleep } = options;
  const statuses = new Map<number, number>();
  let credits = 0;
  let isMet = false;
  let unjudged: Error | undefined;
  const note = ({ index, status, report }: BulkLine): void => {
    statuses.set(index, status);
    try {
      if (report && condition?.(report)) isMet = true;
    } catch (error) {
      unjudged ??= error as Error; // told at the end: reports under way are paid for
    }
  };
  const open = (): number[] => [...items.keys()].filter((index) => !isAnswer(statuses.get(index)));
  if (file) for await (const line of file.open(items, operation.name)) note(line);
  const before = items.length - open().length;
  if (before > 0) err.write(`${before} of ${items.length} items have an answer in ${file!.path}\n`);

  // Where the lines scroll by themselves there is nothing to show beside them.
  const live = isLive(err, env) && (file !== undefined || !out.isTTY) ? new LiveLines(err, !env['NO_COLOR']) : undefined;
  const sums = (): string => {
    const failed = [...statuses.values()].filter((status) => status !== OK).length;
    const paid = `${credits} credit${credits === 1 ? '' : 's'}${before > 0 ? ' now' : ''}`;
    return `${statuses.size} of ${items.length} items: ${statuses.size - failed} reports, ${failed} errors, ${paid}`;
  };
  const bodyOf = (indexes: readonly number[]): object => ({ ...body, items: indexes.map((index) => items[index]!) });

  async function send({ key, indexes }: BulkRequest): Promise<void> {
    const lines = client.bulk(operation.name as 'tor-test', bodyOf(indexes) as { items: string[] }, { signal, idempotencyKey: key });
    for await (const line of lines as AsyncIterable<BulkLine>) {
      const index = indexes[line.index]!;
      credits += line.cost;
      const known = statuses.get(index);
      // Told again: it is in the file.
      if (known === OK || (isAnswer(known) && line.status !== OK)) continue;
      note({ ...line, index });
      const written = printableJson({ ...line, index, item: items[index], operation: operation.name }, 0);
      if (file) file.write(written);
      else out.write(`${written}\n`);
      live?.show([{ text: sums(), style: 'dim' }]);
    }
    file?.end();
  }

  /** Sends a request, and waits while an earlier one with its key still runs. */
  async function sendPatiently(request: BulkRequest): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await send(request);
      } catch (error) {
        if (!stillRuns(error) || tries === CONFLICT_TRIES) throw error;
        if (tries === 1) err.write('the request before is still ending: waiting\n');
        await sleep(PAUSE_MS, signal);
      }
    }
  }

  try {
    const pending = file?.pending(items.length, bodyOf);
    if (pending) await sendPatiently(pending).catch(letGo);
    for (const indexes of partsOf(items, open())) {
      const request = { key: newIdempotencyKey(), indexes };
      file?.begin(request, bodyOf(indexes));
      await sendPatiently(request);
    }
  } finally {
    live?.close([]);
    err.write(`${sums()}\n`);
    const { length: left } = open();
    const how = file ? 'the same command' : '--resume <file>, with these lines in it,';
    if (left > 0) err.write(`${left} item${left === 1 ? ' remains' : 's remain'}: ${how} asks about ${left === 1 ? 'it' : 'them'} alone\n`);
    file?.close();
  }
  if (isMet) err.write('--fail-if is true\n');
  if (isMet) return EXIT.condition;
  if (unjudged) throw unjudged;
  return [...statuses.values()].every((status) => status === OK) ? EXIT.answered : EXIT.partial;
}

const isConflict = (error: unknown): error is VedetteError => error instanceof VedetteError && error.code === 'idempotency_conflict';
const stillRuns = (error: unknown): boolean => isConflict(error) && error.retryAfterMs !== undefined;

/** Lets a key go if it brings nothing more: its items are asked by another key. */
function letGo(error: unknown): void {
  if (!isConflict(error) || stillRuns(error)) throw error;
}

/** The positions of a list's items in parts that a request can take. */
function partsOf(items: readonly string[], indexes: readonly number[]): number[][] {
  const parts: number[][] = [];
  let bytes = Infinity;
  for (const index of indexes) {
    const length = Buffer.byteLength(JSON.stringify(items[index])) + 1;
    if (bytes + length > MAX_BYTES || parts.at(-1)!.length === MAX_ITEMS) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)!.push(index);
    bytes += length;
  }
  return parts;
}
