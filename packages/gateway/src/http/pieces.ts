import { Readable } from 'node:stream';

/** The bytes on their way to one reader: TLS keeps a copy of it, plain TCP none. A write is seen to go on only when it is over. */
export const PIECE_BYTES = 64 * 1024;

/** A long answer, handed on as it is read. */
export const inPieces = (body: Buffer): Readable => Readable.from(inSlices(body, PIECE_BYTES));

/** Views, not copies. */
export function* inSlices(body: Buffer, bytes: number): Generator<Buffer> {
  for (let at = 0; at < body.length; at += bytes) yield body.subarray(at, at + bytes);
}
