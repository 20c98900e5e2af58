import type { OpenElement } from './walk.ts';

const MARKUP_MAX_CHARS = 2 * 1024 * 1024;
const ATTRIBUTE_MAX_CHARS = 8_192;
/** HTML §13.1.2: without an end tag. */
const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr']);
/** Nothing that runs, looks or identifies. */
const ATTRIBUTES = ['href', 'src', 'alt', 'title', 'lang', 'dir', 'rel', 'colspan', 'rowspan', 'datetime', 'cite', 'start'];

// oxlint-disable-next-line no-control-regex -- what URL parsers leave out (WHATWG URL §4.1)
const RUNS = /^[\u0000-\u0020]*j\s*a\s*v\s*a\s*s\s*c\s*r\s*i\s*p\s*t\s*:/i;

/** Writes elements with the attributes that say something, and text. */
export class Markup {
  readonly #parts: string[] = [];
  #chars = 0;

  open({ name, attributes }: OpenElement): void {
    const written = ATTRIBUTES.flatMap((attribute) => {
      const value = attributes[attribute]?.slice(0, ATTRIBUTE_MAX_CHARS);
      return value === undefined || RUNS.test(value) ? [] : [` ${attribute}="${escaped(value).replaceAll('"', '&quot;')}"`];
    });
    this.#add(`<${name}${written.join('')}>`);
  }

  text(text: string): void {
    this.#add(escaped(text));
  }

  close({ name }: OpenElement): void {
    if (!VOID.has(name)) this.#add(`</${name}>`);
  }

  toString(): string {
    return this.#parts.join('');
  }

  /** A page of which the end is missing is one still. */
  #add(text: string): void {
    if (this.#chars >= MARKUP_MAX_CHARS) return;
    this.#parts.push(text);
    this.#chars += text.length;
  }
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
