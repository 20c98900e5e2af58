import type { FeedForm } from '../feed.ts';
import { type FeedFile } from '../ports.ts';
import { type Row } from './row.ts';
import { FeedRefused } from '../refusal.ts';
import { unpacked } from './packing.ts';
import { picked } from './pick.ts';
import { byteLines } from './byte-lines.ts';
import { rbldnsd } from './rbldnsd.ts';
import { LINE_FORMATS, lines, objects } from './text.ts';

/** Read at once it takes some twenty times as much: longer ones are `json_array`. */
const DOCUMENT_MAX = 25_165_824;
const ROWS_AT_ONCE = 1000;

type Rows = AsyncIterable<readonly Row[]>;
type Chunks = AsyncIterable<Uint8Array>;

/** A feed's file as its format says. */
export function fileOf(body: Uint8Array, feed: FeedForm): FeedFile {
  return {
    async *rows() {
      for await (const file of unpacked(body, feed)) yield* rowsOf(file, feed);
    },
    ...(feed.format === 'lines' && {
      async *lines() {
        for await (const file of unpacked(body, feed)) yield* byteLines(file);
      },
    }),
    async *bytes() {
      for await (const file of unpacked(body, feed)) yield* file;
    },
  };
}

function rowsOf(chunks: Chunks, { format, pick = {} }: FeedForm): Rows {
  if (format === 'whole') return noRows();
  const texts = decoded(chunks);
  if (format === 'json' || format === 'json_first_line') return ofDocument(texts, { format, pick });
  if (format === 'json_array') return ofTexts(arrayOnly(texts), pick);
  if (format === 'rbldnsd') return rbldnsd(lines(texts));
  if (format === 'json_lines') return ofTexts(lines(texts), pick);
  return ofLines(texts, { format, pick });
}

async function* noRows(): Rows {
  // A format without rows is read as bytes.
}

async function* decoded(chunks: Chunks): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let begun = false;
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (!begun && text.trim() !== '') {
      begun = true;
      if (text.trimStart().startsWith('<')) throw new FeedRefused('html', 'a page came instead of data');
    }
    yield text;
  }
  yield decoder.decode();
}

async function* ofLines(
  texts: AsyncIterable<string>,
  { format, pick }: { format: keyof typeof LINE_FORMATS; pick: NonNullable<FeedForm['pick']> },
): Rows {
  for await (const found of lines(texts)) yield LINE_FORMATS[format](found, pick);
}

/** Reads one JSON object at a time; an invalid one is a row without an entry. */
async function* ofTexts(found: AsyncIterable<readonly string[]>, pick: NonNullable<FeedForm['pick']>): Rows {
  for await (const texts of found) yield texts.flatMap((text) => objectRows(text, pick));
}

function objectRows(text: string, pick: NonNullable<FeedForm['pick']>): Row[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [['', '']];
  }
  return [...picked([value], pick)];
}

/** Objects of an array that is one: it begins as one and ends as one. */
async function* arrayOnly(texts: AsyncIterable<string>): AsyncIterable<readonly string[]> {
  let first = '';
  let last = '';
  async function* watched(): AsyncIterable<string> {
    for await (const text of texts) {
      first ||= text.trimStart().slice(0, 1);
      last = text.trimEnd().at(-1) ?? last;
      yield text;
    }
  }
  yield* objects(watched());
  if (first !== '[' || last !== ']') throw new FeedRefused('format', 'no JSON array');
}

async function* ofDocument(
  texts: AsyncIterable<string>,
  { format, pick }: { format: 'json' | 'json_first_line'; pick: NonNullable<FeedForm['pick']> },
): Rows {
  let all = '';
  for await (const part of texts) {
    all += part;
    if (all.length > DOCUMENT_MAX) throw new FeedRefused('too_large', `a JSON document of more than ${DOCUMENT_MAX} characters`);
  }
  all = all.trim();
  const text = format === 'json' ? all : all.slice(0, all.indexOf('\n') < 0 ? undefined : all.indexOf('\n'));
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new FeedRefused('format', 'no JSON document', { cause });
  }
  if (typeof document !== 'object' || document === null) throw new FeedRefused('format', 'no JSON document');
  let rows: Row[] = [];
  for (const row of picked(document, pick)) {
    if (rows.push(row) < ROWS_AT_ONCE) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}
