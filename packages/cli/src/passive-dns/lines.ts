import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { PassThrough } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** The longest line of a valid file; a longer one is refused. */
const MAX_LINE_BYTES = 65_536;
const NEWLINE = 0x0a;
/** The bytes at each end that identify a file. */
const SAMPLE_BYTES = 1_048_576;
const GZIP = Buffer.from([0x1f, 0x8b]);

export interface TextFile {
  path: string;
  bytes: number;
  modified: Date;
  gzipped: boolean;
  /** SHA-256 of its size and of what it begins and ends with: the same wherever it stands. */
  id: string;
}

/** Looks at a file. Throws an Error that says what is wrong with it. */
export async function inspectFile(path: string): Promise<TextFile> {
  const file = await open(path).catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be read: ${cause.code}`, { cause });
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error(`${path} is not a file`);
    const sample = async (from: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, Math.max(0, from));
      return buffer.subarray(0, bytesRead);
    };
    const [head, tail] = [await sample(0), await sample(stats.size - SAMPLE_BYTES)];
    const id = hash('sha256', Buffer.concat([Buffer.from(`${stats.size} `), head, tail]));
    return { path, bytes: stats.size, modified: stats.mtime, gzipped: head.subarray(0, 2).equals(GZIP), id };
  } finally {
    await file.close();
  }
}

/** The lines of a file, unpacked where it is gzipped; undefined for one that is too long. `onRead` hears how many of its bytes were read. */
export async function* linesOf({ path, gzipped }: TextFile, onRead: (bytes: number) => void): AsyncGenerator<string | undefined> {
  const raw = createReadStream(path, { highWaterMark: 262_144 });
  raw.on('data', (chunk) => onRead(chunk.length));
  const text = new PassThrough();
  // Its errors reach the reader at its end.
  const piped = gzipped ? pipeline(raw, createGunzip(), text) : pipeline(raw, text);
  piped.catch(() => undefined);
  let rest: Buffer = Buffer.alloc(0);
  let tooLong = false;
  const chunks: AsyncIterable<Buffer> = text;
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let to = bytes.indexOf(NEWLINE, 0); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
      yield tooLong || to - from > MAX_LINE_BYTES ? undefined : bytes.toString('utf8', from, to);
      tooLong = false;
      from = to + 1;
    }
    tooLong ||= bytes.length - from > MAX_LINE_BYTES;
    rest = tooLong ? Buffer.alloc(0) : Buffer.from(bytes.subarray(from));
  }
  if (rest.length > 0 || tooLong) yield tooLong ? undefined : rest.toString('utf8');
}
