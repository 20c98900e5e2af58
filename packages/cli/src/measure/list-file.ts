import { hash } from 'node:crypto';
import { closeSync, createReadStream, fstatSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';

/** A line of a bulk answer. */
export interface BulkLine {
  index: number;
  status: number;
  cost: number;
  report?: Readonly<Record<string, unknown>>;
}

/** A line of the output: `index` is the item's position in the list. */
interface ListLine extends BulkLine {
  item: string;
  operation?: string;
}

/** A bulk request: the positions of its items in the list, and its Idempotency-Key. */
export interface BulkRequest {
  key: string;
  indexes: readonly number[];
}

interface Note extends BulkRequest {
  /** Epoch milliseconds. */
  sentAt: number;
  /** Hash of the request, for which alone the key counts. */
  of: string;
}

/** A gateway keeps answers for ten minutes from the beginning of the request; one minute is for the request's way. */
const KEPT_MS = 9 * 60_000;
const NEWLINE = 10;
/** The beginning of each of our lines. */
const BEGINNING = '{"index":';

/**
 * The file with the lines of a list, to which an interrupted command returns. While a request is under way, `<file>.request` beside it has its Idempotency-Key:
 * reports that were charged and did not arrive are fetched by it.
 */
export class ListFile {
  readonly path: string;
  readonly #notePath: string;
  readonly #identity: readonly unknown[];
  #file: number | undefined;

  /** `identity`: the common parts of all requests of this list. */
  constructor(path: string, identity: readonly unknown[]) {
    this.path = path;
    this.#notePath = `${path}.request`;
    this.#identity = identity;
  }

  /**
   * Yields the lines of earlier commands, then opens the file for more. A line that was cut off is removed. Throws an Error if the file is not the output of this list.
   */
  async *open(items: readonly string[], operation: string): AsyncGenerator<ListLine> {
    this.#file = openSync(this.path, 'a+');
    // A device may be read without end.
    if (!fstatSync(this.#file).isFile()) throw new Error(`--resume: ${this.path} is not a file`);
    let cut: Buffer[] = [];
    let wholeBytes = 0;
    let count = 0;
    for await (const chunk of createReadStream(this.path) as AsyncIterable<Buffer>) {
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      if (end === 0) {
        cut.push(chunk);
        continue;
      }
      const whole = Buffer.concat([...cut, chunk.subarray(0, end)]);
      wholeBytes += whole.length;
      cut = [chunk.subarray(end)];
      for (const text of whole.toString('utf8').split('\n').slice(0, -1)) yield this.#checked(text, ++count, items, operation);
    }
    const rest = Buffer.concat(cut).toString('utf8');
    if (rest === '') return;
    // Another file stays as it is.
    if (!rest.startsWith(BEGINNING) && !BEGINNING.startsWith(rest)) throw this.#foreign(count + 1);
    truncateSync(this.path, wholeBytes);
  }

  #checked(text: string, number: number, items: readonly string[], operation: string): ListLine {
    let line: ListLine | undefined;
    try {
      line = JSON.parse(text) as ListLine;
    } catch {
      // judged below
    }
    if (!Number.isInteger(line?.index) || typeof line?.status !== 'number' || typeof line.item !== 'string') throw this.#foreign(number);
    if (line.operation !== undefined && line.operation !== operation)
      throw new Error(`--resume: line ${number} of ${this.path} is of ${line.operation}`);
    if (items[line.index] !== line.item)
      throw new Error(`--resume: line ${number} of ${this.path} is of another list: item ${line.index} is ${line.item} there`);
    return line;
  }

  readonly #foreign = (number: number): Error => new Error(`--resume: line ${number} of ${this.path} is not the output of a list`);

  /** The whole line is in the file when this returns. */
  write(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    for (let written = 0; written < bytes.length;) written += writeSync(this.#file!, bytes, written);
  }

  /** The request of the command before, if its answers may still be kept. `bodyOf` makes the body of the same request. */
  pending(itemCount: number, bodyOf: (indexes: readonly number[]) => object): BulkRequest | undefined {
    try {
      const { key, indexes, sentAt, of } = JSON.parse(readFileSync(this.#notePath, 'utf8')) as Note;
      const age = Date.now() - sentAt;
      if (!(age >= 0 && age < KEPT_MS) || indexes.some((index) => index >= itemCount)) return undefined;
      return of === this.#hashOf(bodyOf(indexes)) ? { key, indexes } : undefined;
    } catch {
      return undefined;
    }
  }

  begin({ key, indexes }: BulkRequest, body: object): void {
    const note: Note = { key, indexes, sentAt: Date.now(), of: this.#hashOf(body) };
    writeFileSync(this.#notePath, JSON.stringify(note), { mode: 0o600 });
  }

  /** The request has all its lines. */
  end(): void {
    rmSync(this.#notePath, { force: true });
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }

  #hashOf(body: object): string {
    return hash('sha256', JSON.stringify([...this.#identity, body]));
  }
}
