import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { FileBytes, type Report } from '@vedette/operations/kit';
import { inSlices, PIECE_BYTES } from './pieces.ts';

/** A multiple of 3, so that no piece but the last has padding; in base64 it is a piece. */
const FILE_PIECE_BYTES = (PIECE_BYTES / 4) * 3;
/** Files stand in reports at `<field>` or `<field>.<field>`. */
const MAX_DEPTH = 2;
const MARK_BYTES = 16;

interface Part {
  bytes: Buffer;
  isFile: boolean;
}

/** An answer with files in it, which become base64 only as they leave. */
export class FileAnswer {
  readonly #parts: readonly Part[];
  readonly byteLength: number;

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
    this.byteLength = parts.reduce((sum, { bytes: { length }, isFile }) => sum + (isFile ? Math.ceil(length / 3) * 4 : length), 0);
  }

  /** The whole text, for callers that need it at once. */
  toString(): string {
    return this.#parts.map(({ bytes, isFile }) => bytes.toString(isFile ? 'base64' : 'utf8')).join('');
  }

  /** Handed on as it is read. */
  stream(): Readable {
    return Readable.from(this.#pieces());
  }

  *#pieces(): Generator<Buffer> {
    for (const { bytes, isFile } of this.#parts)
      if (isFile) for (const piece of inSlices(bytes, FILE_PIECE_BYTES)) yield Buffer.from(piece.toString('base64'), 'latin1');
      else yield* inSlices(bytes, PIECE_BYTES);
  }
}

/** Whether reports of this schema have files in them. */
export const hasFiles = (schema: object): boolean => JSON.stringify(schema).includes('"contentEncoding":"base64"');

/** Prints a report with files: an unguessable mark stands for each file until the rest is text. */
export function printFiles(report: Report, print: (report: Report) => string): FileAnswer {
  const files = new Map<string, FileBytes>();
  const marked = (value: object, depth: number): Report =>
    Object.fromEntries(
      Object.entries(value).map(([name, inner]: [string, unknown]) => {
        if (!(inner instanceof FileBytes)) return [name, depth < MAX_DEPTH && isPlain(inner) ? marked(inner, depth + 1) : inner];
        const mark = randomBytes(MARK_BYTES).toString('hex');
        files.set(mark, inner);
        return [name, mark];
      }),
    );
  const text = print(marked(report, 1));
  const parts: Part[] = [];
  const found = [...files].map(([mark, { bytes }]) => ({ mark, bytes, at: text.indexOf(mark) })).toSorted((a, b) => a.at - b.at);
  let from = 0;
  for (const { mark, bytes, at } of found) {
    parts.push({ bytes: Buffer.from(text.slice(from, at)), isFile: false });
    parts.push({ bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), isFile: true });
    from = at + mark.length;
  }
  parts.push({ bytes: Buffer.from(text.slice(from)), isFile: false });
  return new FileAnswer(parts);
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
