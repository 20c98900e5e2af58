import { decodeText } from './charset.ts';
import { decodeWords, unfolded } from './words.ts';

export interface Parameterized {
  /** The text before the parameters, in lower case: `text/plain`, `attachment`. */
  value: string;
  /** Each by its name in lower case, decoded (RFC 2231, and RFC 2047 as many write it). `boundary` is as it stands, one character for each byte. */
  parameters: Map<string, string>;
}

/** One piece of a value that RFC 2231 §3 lets be continued. */
interface Piece {
  text: string;
  /** It has percent signs, §4. */
  percent: boolean;
}

const NAME = /^([^*]+)(?:\*(\d{1,6}))?(\*)?$/;

/** A field with parameters (RFC 2045 §5.1): Content-Type, Content-Disposition. The first of two equal parameters counts. Linear, never throws. */
export function parseParameters(raw: string): Parameterized {
  const scanner = new Scanner(unfolded(raw));
  const value = scanner.value().toLowerCase();
  const pieces = new Map<string, Map<string, Piece>>();
  for (let found = scanner.parameter(); found; found = scanner.parameter()) {
    const [, base, index, star] = NAME.exec(found.name.toLowerCase()) ?? [];
    if (base === undefined) continue;
    const key = index === undefined ? (star ?? '') : String(Number(index));
    const of = pieces.get(base) ?? new Map<string, Piece>();
    pieces.set(base, of);
    if (!of.has(key)) of.set(key, { text: found.value, percent: star !== undefined });
  }
  const parameters = new Map<string, string>();
  for (const [name, of] of pieces) {
    const said = decodePieces(inOrder(of), name === 'boundary');
    if (said !== undefined) parameters.set(name, said);
  }
  return { value, parameters };
}

/** The pieces of the preferred form: `name*`, else `name*0`, `name*1` … without a gap, else `name`. */
function inOrder(of: ReadonlyMap<string, Piece>): Piece[] {
  const whole = of.get('*');
  if (whole) return [whole];
  const pieces: Piece[] = [];
  for (let piece = of.get('0'); piece; piece = of.get(String(pieces.length))) pieces.push(piece);
  const plain = of.get('');
  return pieces.length === 0 && plain ? [plain] : pieces;
}

function decodePieces(pieces: readonly Piece[], asIs: boolean): string | undefined {
  const [first] = pieces;
  if (!first) return undefined;
  const extended = first.percent ? /^([^']*)'[^']*'/.exec(first.text) : null;
  const bytes = pieces
    .map(({ text, percent }, index) => {
      const said = index === 0 && extended ? text.slice(extended[0].length) : text;
      return percent ? percentDecoded(said) : said;
    })
    .join('');
  if (asIs) return bytes;
  if (!first.percent) return decodeWords(bytes);
  const text = decodeText(Buffer.from(bytes, 'latin1'), extended?.[1]);
  return text.includes('=?') ? decodeWords(Buffer.from(text).toString('latin1')) : text;
}

const percentDecoded = (text: string): string =>
  text.replaceAll(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Reads along a value, one parameter after the other. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Up to white space or a semicolon; nothing where a parameter stands in its place. */
  value(): string {
    this.#skip();
    const value = this.#until(/[;\s(]/g);
    if (!value.includes('=')) return value;
    this.#at -= value.length;
    return '';
  }

  parameter(): { name: string; value: string } | undefined {
    for (;;) {
      this.#skip();
      if (this.#at >= this.#text.length) return undefined;
      const name = this.#until(/[=;]/g).trim();
      if (this.#text[this.#at] !== '=') continue; // A word without a value says nothing.
      this.#at++;
      this.#skipSpace();
      const value = this.#text[this.#at] === '"' ? this.#quoted() : this.#bare();
      if (name !== '') return { name, value };
    }
  }

  #until(stop: RegExp): string {
    stop.lastIndex = this.#at;
    const end = stop.exec(this.#text)?.index ?? this.#text.length;
    const found = this.#text.slice(this.#at, end);
    this.#at = end;
    return found;
  }

  #skipSpace(): void {
    while (this.#text[this.#at] === ' ' || this.#text[this.#at] === '\t') this.#at++;
  }

  /** White space, semicolons and comments. */
  #skip(): void {
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]!;
      if (char === '(') depth++;
      else if (depth > 0 && char === ')') depth--;
      else if (depth > 0 && char === '\\') this.#at++;
      else if (depth === 0 && char !== ';' && char !== ' ' && char !== '\t') return;
    }
  }

  /** Only quotes and backslashes are unescaped, since not all programs escape other characters: a path of Windows stays intact. */
  #quoted(): string {
    const from = ++this.#at;
    for (; this.#at < this.#text.length && this.#text[this.#at] !== '"'; this.#at++) if (this.#text[this.#at] === '\\') this.#at++;
    const said = this.#text.slice(from, this.#at);
    this.#until(/;/g);
    return said.replaceAll(/\\(["\\])/g, '$1');
  }

  /** Up to the semicolon, as names of files with spaces stand there without quotes; a comment at its end goes. */
  #bare(): string {
    const said = this.#until(/;/g).trimEnd();
    const comment = said.endsWith(')') ? said.lastIndexOf(' (') : -1;
    return comment < 0 ? said : said.slice(0, comment).trimEnd();
  }
}
