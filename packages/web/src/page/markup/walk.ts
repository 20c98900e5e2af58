import { setImmediate } from 'node:timers/promises';
import { Parser } from 'htmlparser2';

/**
 * Limits on what is read of a page; what is beyond is left out. Pages are the work of strangers: without the first two an end tag may search a
 * long stack for each of a million elements (a page of 1 MB then takes minutes).
 */
const DEPTH_MAX = 256;
const ELEMENTS_MAX = 100_000;
const CHARS_MAX = 2 * 1024 * 1024;
/** Characters that are parsed between two checks of the limits, and between two pauses for other work: some milliseconds. */
const STEP_CHARS = 8 * 1024;
const PAUSE_CHARS = 4 * STEP_CHARS;

/** An element that is open. */
export interface OpenElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** It is not part of the document that a browser shows: within `noscript`, `template` and the like. */
  readonly inert: boolean;
  /** Within a picture (SVG) or a formula. */
  readonly inPicture: boolean;
}

/** Reads one thing of a page as it is parsed. */
export interface PageReader {
  open?(element: OpenElement, above: OpenElement | undefined): void;
  text?(text: string): void;
  comment?(text: string): void;
  close?(element: OpenElement): void;
}

const INERT = new Set(['noscript', 'template', 'noembed', 'noframes', 'iframe', 'xmp', 'plaintext']);
const FOREIGN = new Set(['svg', 'math']);

/** Parses a page for several readers at once, within the limits. Accepts any text: text other than HTML has no elements. */
export class PageWalk {
  readonly #readers: readonly PageReader[];
  readonly #stack: OpenElement[] = [];
  readonly #parser: Parser;
  #elements = 0;
  /** Open elements that the readers were not told of. */
  #untold = 0;
  #stopped = false;

  constructor(readers: readonly PageReader[]) {
    this.#readers = readers;
    this.#parser = new Parser({
      onopentag: (name, attributes) => this.#open(name, attributes),
      ontext: (text) => this.#text(text),
      oncomment: (text) => this.#comment(text),
      onclosetag: () => this.#close(),
    });
  }

  /** No more is read: a limit was reached, or `stop` was called. */
  get stopped(): boolean {
    return this.#stopped;
  }

  stop(): void {
    this.#stopped = true;
  }

  write(html: string): void {
    this.#parser.write(html);
  }

  /** Closes what is open. */
  end(): void {
    this.#parser.end();
  }

  #open(name: string, attributes: Record<string, string>): void {
    const above = this.#stack.at(-1);
    const element = {
      name,
      attributes,
      inert: above?.inert === true || INERT.has(name),
      inPicture: above?.inPicture === true || FOREIGN.has(name),
    };
    this.#stack.push(element);
    if (this.#stopped) {
      this.#untold++;
      return;
    }
    if (++this.#elements > ELEMENTS_MAX || this.#stack.length > DEPTH_MAX) this.#stopped = true;
    for (const reader of this.#readers) reader.open?.(element, above);
  }

  #text(text: string): void {
    if (!this.#stopped) for (const reader of this.#readers) reader.text?.(text);
  }

  #comment(text: string): void {
    if (!this.#stopped) for (const reader of this.#readers) reader.comment?.(text);
  }

  #close(): void {
    const element = this.#stack.pop();
    if (this.#untold > 0) this.#untold--;
    else if (element) for (const reader of this.#readers) reader.close?.(element);
  }
}

/**
 * Walks through a page in steps, so that a long page does not block other work, in time linear in the characters read. Returns whether all
 * of it was read. Rejects with the signal's reason.
 */
export async function walkPage(walk: PageWalk, html: string, signal?: AbortSignal): Promise<boolean> {
  const end = Math.min(html.length, CHARS_MAX);
  for (let at = 0; at < end && !walk.stopped; at += STEP_CHARS) {
    if (at > 0 && at % PAUSE_CHARS === 0) await setImmediate();
    signal?.throwIfAborted();
    walk.write(html.slice(at, Math.min(end, at + STEP_CHARS)));
  }
  const whole = !walk.stopped && html.length <= CHARS_MAX;
  walk.stop(); // what `end` closes says nothing new, but for a title and a script that were left open
  walk.end();
  return whole;
}
