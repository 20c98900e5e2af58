import type { FeedForm } from '../feed.ts';
import type { KeptDays } from '../first-days.ts';
import type { BuiltFile } from '../ports.ts';
import type { Refusal } from '../refusal.ts';

/** A request to the thread. */
export interface Order {
  feed: FeedForm;
  body: Uint8Array<ArrayBuffer>;
  kept: KeptDays | undefined;
}

/** Bytes in memory of their own, which can be handed over to another thread: small buffers of Node share theirs. */
export const inOwnMemory = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? new Uint8Array(bytes.buffer)
    : new Uint8Array(bytes);

/** The answer of the thread. */
export type Answer = { built: BuiltFile } | { refused: { why: Refusal; message: string } };
