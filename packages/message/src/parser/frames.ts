import { readSync, writeSync } from 'node:fs';

/** Messages to a parser and its replies are frames: the length in four bytes, big-endian, then the payload. */
const HEAD_BYTES = 4;

export function headOf(payload: Uint8Array): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(payload.length);
  return head;
}

/** Waits for the next frame, with all of this process standing still; undefined once there will be none. */
export function readFrame(fd: number): Buffer | undefined {
  const head = readBytes(fd, HEAD_BYTES);
  return head && readBytes(fd, head.readUInt32BE());
}

/** Gives a frame, with all of this process standing still until it was taken. */
export function writeFrame(fd: number, payload: Uint8Array): void {
  for (const bytes of [headOf(payload), payload]) for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
}

function readBytes(fd: number, length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length;) {
    const read = readSync(fd, bytes, at, length - at, null);
    if (read === 0) return undefined;
    at += read;
  }
  return bytes;
}

/** Puts one frame together from the chunks that it comes in, however small, and has room for no more than that. */
export class FrameInbox {
  readonly #maxBytes: number;
  readonly #head = Buffer.alloc(HEAD_BYTES);
  #payload: Buffer | undefined;
  #received = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The frame's payload, once it is whole. Throws a RangeError where it is longer than it may be, and where something follows it. */
  add(chunk: Buffer): Buffer | undefined {
    const ofHead = chunk.copy(this.#head, Math.min(this.#received, HEAD_BYTES));
    this.#received += ofHead;
    if (this.#received < HEAD_BYTES) return undefined;
    this.#payload ??= this.#room(this.#head.readUInt32BE());
    const rest = chunk.subarray(ofHead);
    if (this.#received + rest.length > HEAD_BYTES + this.#payload.length) throw new Error('more than one frame');
    rest.copy(this.#payload, this.#received - HEAD_BYTES);
    this.#received += rest.length;
    return this.#received === HEAD_BYTES + this.#payload.length ? this.#payload : undefined;
  }

  #room(bytes: number): Buffer {
    if (bytes > this.#maxBytes) throw new RangeError(`a frame of ${bytes} bytes`);
    return Buffer.allocUnsafe(bytes);
  }
}
