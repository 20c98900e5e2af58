import type { Socket } from 'node:net';
import { type Clock, ENDED } from '@vedette/contract';

/** The peer said more than it may before the words that were waited for. */
export class TooMuch extends Error {}

/** So many octets are kept of the beginning. */
export const FIRST_OCTETS = 1024;

/** A conversation over one connection: what came is kept until it is taken, and the socket is read no faster. */
export class Talk {
  readonly socket: Socket;
  /** When the first octet came, on the clock. */
  firstAt: number | undefined;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #heard = Buffer.alloc(0);
  #first = Buffer.alloc(0);
  #octets = 0;
  #error: NodeJS.ErrnoException | undefined;

  /** `socket` is connected, and nothing else reads it. It closes with the signal. */
  constructor(socket: Socket, clock: Clock, signal: AbortSignal) {
    this.socket = socket;
    this.#clock = clock;
    this.#signal = signal;
    this.#error = socket.errored ?? undefined;
    socket.on('error', (error) => (this.#error ??= error));
  }

  /** Octets that came so far. */
  get octets(): number {
    return this.#octets;
  }

  /** The first octets of all that came, whether or not they were taken. */
  get first(): Buffer {
    return this.#first;
  }

  /** The peer has closed its side, or the connection is broken; told once all was read. */
  get ended(): boolean {
    return this.socket.destroyed || this.socket.readableEnded || this.#error !== undefined;
  }

  /** Why the connection broke; undefined where it did not. */
  get error(): NodeJS.ErrnoException | undefined {
    return this.#error;
  }

  /** Received octets that nothing has read yet. */
  get pending(): Buffer {
    this.#read();
    return this.#heard;
  }

  send(octets: Uint8Array | string): void {
    if (this.socket.writable) this.socket.write(octets);
  }

  /** Takes so many octets of what came. */
  take(count: number): Buffer {
    const taken = this.#heard.subarray(0, count);
    this.#heard = this.#heard.subarray(count);
    return taken;
  }

  /** Waits for octets beyond those of `octets`; false at the end. Rejects with the signal's reason. */
  async more(): Promise<boolean> {
    const before = this.#octets;
    for (;;) {
      this.#signal.throwIfAborted();
      this.#read();
      if (this.#octets > before) return true;
      if (this.ended) return false;
      await this.#event();
    }
  }

  /** Waits for more for so long; `late` when nothing came. */
  async moreWithin(ms: number): Promise<'more' | 'end' | 'late'> {
    const over = new AbortController();
    const late = this.#clock.sleep(ms, over.signal).then(
      () => 'late' as const,
      () => 'late' as const, // something came before
    );
    const more = this.more().then((came) => (came ? ('more' as const) : ('end' as const)));
    more.catch(() => {}); // the signal's reason comes again with the next wait
    try {
      return await Promise.race([more, late]);
    } finally {
      over.abort(ENDED);
    }
  }

  /** The next line without its end, or what there is at the end of the stream; undefined without any. Rejects with `TooMuch`. */
  async line(maxOctets: number): Promise<Buffer | undefined> {
    const line = await this.until((heard) => heard.indexOf(0x0a) + 1, maxOctets);
    if (line) return withoutEnd(line);
    return this.#heard.length > 0 ? withoutEnd(this.take(this.#heard.length)) : undefined;
  }

  /** Takes what `endOf` finds complete: the number of octets, 0 as long as it is not. Undefined where the stream ends before. Rejects with `TooMuch`. */
  async until(endOf: (heard: Buffer) => number, maxOctets: number): Promise<Buffer | undefined> {
    for (;;) {
      const end = endOf(this.#heard);
      if (end > 0) return this.take(end);
      if (this.#heard.length > maxOctets) throw new TooMuch(`more than ${maxOctets} octets`);
      if (!(await this.more())) return undefined;
    }
  }

  #read(): void {
    const chunk = this.socket.read() as Buffer | null;
    if (!chunk) return;
    this.firstAt ??= this.#clock.now();
    this.#octets += chunk.length;
    if (this.#first.length < FIRST_OCTETS) this.#first = Buffer.concat([this.#first, chunk]).subarray(0, FIRST_OCTETS);
    this.#heard = Buffer.concat([this.#heard, chunk]);
  }

  #event(): Promise<void> {
    const { socket } = this;
    const signal = this.#signal;
    return new Promise((resolve) => {
      const events = ['readable', 'end', 'close', 'error'];
      const settle = () => {
        for (const event of events) socket.off(event, settle);
        signal.removeEventListener('abort', settle);
        resolve();
      };
      for (const event of events) socket.on(event, settle);
      signal.addEventListener('abort', settle);
    });
  }
}

/** A line as Go's scanner gives it: without the line feed, and without a carriage return before it. */
function withoutEnd(line: Buffer): Buffer {
  const end = line.at(-1) === 0x0a ? line.length - 1 : line.length;
  return line.subarray(0, line[end - 1] === 0x0d ? end - 1 : end);
}

/** A stranger's octets as text without ambiguity: printable ASCII as it is, the rest as in C. */
export const escaped = (octets: Uint8Array): string =>
  Buffer.from(octets)
    .toString('latin1')
    .replace(/[^ -[\]-~]/g, (char) => ESCAPES[char] ?? `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
const ESCAPES: Readonly<Record<string, string>> = { '\r': '\\r', '\n': '\\n', '\t': '\\t', '\\': '\\\\' };
