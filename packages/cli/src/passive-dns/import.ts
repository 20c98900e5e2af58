import { basename } from 'node:path';
import type { PassiveDnsStatus, WrittenRows } from '@vedette/ledger';
import type { AdminClient } from '../context/admin-client.ts';
import { type Format, formatOf, READERS } from './formats.ts';
import { type LineReader, type ReaderOptions, type Row } from './row.ts';
import { inspectFile, linesOf } from './lines.ts';

/** Rows of one call, which keep a gateway for some milliseconds; and lines, where they say nothing. */
const BATCH_ROWS = 2_000;
const BATCH_LINES = 50_000;
/** A call has room for a batch and one line more, so a line that tells of more is not read. */
const LINE_ROWS = 2_000;
const PROGRESS_MS = 1_000;
const SHOWN_LINES = 5;
const FIRST_WAIT_MS = 500;
const LAST_WAIT_MS = 16_000;
const FATES = ['added', 'updated', 'refused', 'expired', 'unfit'] as const;

export interface ImportOptions extends Partial<ReaderOptions> {
  format?: Format | undefined;
}

/** The result of an import. */
export interface Imported extends WrittenRows {
  lines: number;
  /** Lines that were done by an import before. */
  skipped: number;
  /** Names at addresses that the rest of the file told. */
  rows: number;
  malformed: number;
  /** The first lines that could not be read. */
  malformed_lines: number[];
}

export interface ImportDeps {
  admin: AdminClient;
  sleep(ms: number): Promise<unknown>;
  /** Tells how far it is. */
  progress(text: string): void;
  /** Monotonic ms. */
  now(): number;
}

/**
 * Reads a file into a gateway's passive DNS, a batch at a time. One that was begun before goes on where it was. Throws an Error that
 * says how far it came.
 */
export async function importPassiveDns(
  path: string,
  options: ImportOptions,
  { admin, progress, now, sleep }: ImportDeps,
): Promise<Imported> {
  const file = await inspectFile(path);
  const { lines: skipped } = await admin.call<{ lines: number }>('POST', ['passive-dns', 'imports'], {
    body: { id: file.id, file: basename(path).slice(0, 255) },
  });
  const done: Imported = {
    lines: 0,
    skipped,
    rows: 0,
    added: 0,
    updated: 0,
    refused: 0,
    expired: 0,
    unfit: 0,
    malformed: 0,
    malformed_lines: [],
  };
  const began = now();
  let reportedAt = began;
  let read = 0;
  let taken = skipped;
  let sent = skipped;
  let batch: Row[] = [];
  let sending: Promise<void> = Promise.resolve();

  const send = async (body: Batch, rows: number, malformed: number): Promise<void> => {
    const written = await delivered(file.id, body, { admin, sleep });
    for (const fate of FATES) done[fate] += written[fate] ?? 0;
    done.rows += rows;
    sent = body.lines;
    if (now() - reportedAt < PROGRESS_MS) return;
    reportedAt = now();
    progress(progressOf({ lines: sent, skipped, malformed }, read / Math.max(1, file.bytes), (reportedAt - began) / 1000));
  };

  /** Sends what was read, while the next is read; one batch after the other. */
  const pass = async (last: boolean): Promise<void> => {
    await sending;
    const body = {
      from: taken,
      lines: done.lines,
      done: last,
      names: batch.map(({ name }) => name),
      addresses: batch.map(({ address }) => address),
      seen: batch.map(({ seen }) => seen),
    };
    sending = send(body, batch.length, done.malformed);
    // The next caller that waits for it gets the error.
    sending.catch(() => undefined);
    taken = done.lines;
    batch = [];
  };

  let reader: LineReader | undefined;
  try {
    for await (const line of linesOf(file, (bytes) => (read += bytes))) {
      done.lines++;
      if (!reader && line?.trim()) reader = readerFor(line, options, file.modified);
      // Lines that were sent already are read again but not sent: in a zone file, the meaning of a line depends on those before it.
      const rows = line === undefined || !reader ? (line?.trim() === '' ? [] : undefined) : reader(line);
      if (done.lines <= skipped) continue;
      if (!rows || rows.length > LINE_ROWS) note(done);
      else batch.push(...rows.filter(({ name }) => fits(name)));
      if (batch.length >= BATCH_ROWS || done.lines - taken >= BATCH_LINES) await pass(false);
    }
    await pass(true);
    await sending;
  } catch (cause) {
    // Rows under way are written even when the file ends too early.
    await sending.catch(() => undefined);
    throw new Error(`${path}: stopped after line ${sent} (${(cause as Error).message}); the same command goes on from there`, { cause });
  }
  return done;
}

interface Batch {
  from: number;
  lines: number;
}

/** Sends a batch, again where a gateway was busy, stopped or started anew. The gateway remembers the result of a request whose answer was lost. */
async function delivered(id: string, body: Batch, { admin, sleep }: Pick<ImportDeps, 'admin' | 'sleep'>): Promise<Partial<WrittenRows>> {
  for (let wait = FIRST_WAIT_MS; ; wait *= 2) {
    try {
      return await admin.call<WrittenRows>('POST', ['passive-dns', 'imports', id], { body });
    } catch (error) {
      if (wait > LAST_WAIT_MS) throw error;
      await sleep(wait);
      const status = await admin.call<PassiveDnsStatus>('GET', ['passive-dns']).catch(() => undefined);
      const known = status?.imports.find((begun) => begun.id === id);
      if (known?.lines === body.lines && body.lines > body.from) return known.last;
    }
  }
}

const readerFor = (line: string, { format = formatOf(line), seen, origin }: ImportOptions, modified: Date): LineReader =>
  READERS[format]({ seen: seen ?? Math.floor(modified.getTime() / 1000), origin });

/** No name of the DNS is longer. */
const fits = (name: string): boolean => name.length <= 255;

function note(done: Imported): void {
  done.malformed++;
  if (done.malformed_lines.length < SHOWN_LINES) done.malformed_lines.push(done.lines);
}

const progressOf = (
  { lines, skipped, malformed }: Pick<Imported, 'lines' | 'skipped' | 'malformed'>,
  share: number,
  seconds: number,
): string =>
  [
    `${lines.toLocaleString('en')} lines`,
    `${Math.min(100, Math.floor(share * 100))} %`,
    `${Math.round((lines - skipped) / Math.max(1, seconds)).toLocaleString('en')} lines/s`,
    ...(malformed > 0 ? [`${malformed.toLocaleString('en')} malformed`] : []),
  ].join(', ');
