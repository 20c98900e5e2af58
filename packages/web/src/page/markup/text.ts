import { BREAKS } from './markup.ts';
import type { OpenElement, PageReader } from './walk.ts';

const TEXT_MAX_CHARS = 500_000;

const CELLS = new Set(['td', 'th']);
/** Elements whose text is not part of the page's text. */
const UNREAD = new Set(['script', 'style', 'head', 'title', 'iframe', 'object', 'datalist', 'audio', 'video', 'canvas']);

/** Text with its white space collapsed, and a line for each block; at most `max` characters. */
export class Lines {
  truncated = false;
  readonly #max: number;
  readonly #parts: string[] = [];
  #chars = 0;
  #pending: '' | ' ' | '\n' = '';

  constructor(max = TEXT_MAX_CHARS) {
    this.#max = max;
  }

  get chars(): number {
    return this.#chars;
  }

  /** Separates the following text by a blank or a new line. */
  apart(by: ' ' | '\n'): void {
    if (this.#pending !== '\n') this.#pending = by;
  }

  add(text: string): void {
    if (this.#chars >= this.#max) {
      this.truncated = true;
      return;
    }
    const collapsed = text.replace(/[\s\p{Cc}]+/gu, ' ');
    if (collapsed.startsWith(' ')) this.apart(' ');
    const said = collapsed.trim();
    if (said === '') return;
    if (this.#parts.length > 0 && this.#pending !== '') this.#push(this.#pending);
    this.#pending = collapsed.endsWith(' ') ? ' ' : '';
    this.#push(said);
  }

  toString(): string {
    return this.#parts.join('').slice(0, this.#max);
  }

  #push(text: string): void {
    this.#parts.push(text);
    this.#chars += text.length;
    if (this.#chars > this.#max) this.truncated = true;
  }
}

/** Everything that a page says: its text without markup, scripts, styles and what stands in `noscript` and `template`. */
export class TextReader implements PageReader {
  readonly #lines = new Lines();
  #dropped: OpenElement | undefined;

  /** Lines, divided by `\n`; at most 500,000 characters. */
  get said(): string {
    return this.#lines.toString();
  }

  get truncated(): boolean {
    return this.#lines.truncated;
  }

  open(element: OpenElement): void {
    if (!this.#dropped && isUnread(element)) this.#dropped = element;
    if (!this.#dropped) breakAt(element, this.#lines);
  }

  text(text: string): void {
    if (!this.#dropped) this.#lines.add(text);
  }

  close(element: OpenElement): void {
    if (this.#dropped === element) this.#dropped = undefined;
    else if (!this.#dropped) breakAt(element, this.#lines);
  }
}

export const isUnread = ({ name, inert, inPicture }: OpenElement): boolean => inert || UNREAD.has(name) || (inPicture && name === 'desc');

export function breakAt({ name }: OpenElement, lines: Lines): void {
  if (BREAKS.has(name)) lines.apart('\n');
  else if (CELLS.has(name)) lines.apart(' ');
}
