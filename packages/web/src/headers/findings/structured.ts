/** A member of a dictionary: its items without quotes. */
export interface Member {
  name: string;
  values: readonly string[];
}

/** A longer field is not read. */
export const DICTIONARY_MAX_CHARS = 8_192;
const KEY = /[a-z*][a-z0-9_.*-]*/y;
const ITEM = /"(?:[^"\\]|\\["\\])*"|[A-Za-z*][\w!#$%&'*+.^`|~:/-]*|-?\d+(?:\.\d+)?|\?[01]/y;
const SPACE = /[ \t]*/y;

/** Reads the dictionary of a field (RFC 8941 §3.2) in linear time; undefined where it is none, so that browsers ignore all of it. One that is too long has no members. */
export function readDictionary(text: string): Member[] | undefined {
  if (text.length > DICTIONARY_MAX_CHARS) return [];
  const scan = new Scan(text.trim());
  const members: Member[] = [];
  while (!scan.isOver) {
    if (members.length > 0 && !scan.skip(',')) return undefined;
    const name = scan.take(KEY);
    const values = name === undefined ? undefined : scan.skip('=') ? valuesAt(scan) : [];
    if (name === undefined || !values || !skipParameters(scan)) return undefined;
    members.push({ name, values });
  }
  return members;
}

/** One item, or a list in parentheses; undefined where there is neither. */
function valuesAt(scan: Scan): string[] | undefined {
  if (!scan.skip('(')) {
    const item = scan.take(ITEM);
    return item === undefined ? undefined : [bare(item)];
  }
  const values: string[] = [];
  while (!scan.skip(')')) {
    const item = scan.take(ITEM);
    if (item === undefined || !skipParameters(scan)) return undefined;
    values.push(bare(item));
  }
  return values;
}

const bare = (item: string): string => item.replaceAll(/^"|"$/g, '');

/** False for a parameter without a name or a value. */
function skipParameters(scan: Scan): boolean {
  while (scan.skip(';')) {
    if (scan.take(KEY) === undefined) return false;
    if (scan.skip('=') && scan.take(ITEM) === undefined) return false;
  }
  return true;
}

/** A position in a text; spaces before what is read are left out. */
class Scan {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isOver(): boolean {
    return this.#at >= this.#text.length;
  }

  take(pattern: RegExp): string | undefined {
    SPACE.lastIndex = this.#at;
    SPACE.test(this.#text);
    pattern.lastIndex = SPACE.lastIndex;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.#at = pattern.lastIndex;
    return found;
  }

  skip(sign: string): boolean {
    SPACE.lastIndex = this.#at;
    SPACE.test(this.#text);
    if (this.#text[SPACE.lastIndex] !== sign) return false;
    this.#at = SPACE.lastIndex + 1;
    return true;
  }
}
