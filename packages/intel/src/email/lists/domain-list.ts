const NEWLINE = 10;
const NUMBER_SIGN = 35;

/**
 * Many thousand domains in one buffer, found by bisection: 160,000 of them take 2.5 MB here and 16 MB as a `Set`. Lower-case A-labels, one
 * on each line, in the order of their bytes; lines above them that begin with `#` say where they come from.
 */
export class DomainList {
  readonly #bytes: Buffer;
  readonly #start: number;

  constructor(bytes: Buffer) {
    if (bytes.at(-1) !== NEWLINE) throw new RangeError('the last line of a list has an end too');
    this.#bytes = bytes;
    let start = 0;
    while (bytes[start] === NUMBER_SIGN) start = bytes.indexOf(NEWLINE, start) + 1;
    this.#start = start;
  }

  /** How many domains there are. */
  get rows(): number {
    let rows = 0;
    for (let at = this.#start; at < this.#bytes.length; at = this.#bytes.indexOf(NEWLINE, at) + 1) rows++;
    return rows;
  }

  has(domain: string): boolean {
    const bytes = this.#bytes;
    let low = this.#start;
    let high = bytes.length;
    while (low < high) {
      let from = (low + high) >>> 1;
      while (from > low && bytes[from - 1] !== NEWLINE) from--;
      let same = 0;
      while (same < domain.length && bytes[from + same] === domain.charCodeAt(same)) same++;
      // A name that ends here comes before the longer ones that begin with it, as the end of its line comes before every letter.
      const wanted = same < domain.length ? domain.charCodeAt(same) : NEWLINE;
      const found = bytes[from + same]!;
      if (wanted === found) return true;
      if (wanted < found) high = from;
      else low = bytes.indexOf(NEWLINE, from) + 1;
    }
    return false;
  }
}

/** Whether the list has the domain or one of its ancestors. */
export function isOrIsBelow(domain: string, list: { has(domain: string): boolean }): boolean {
  for (let at = 0; ;) {
    if (list.has(domain.slice(at))) return true;
    const dot = domain.indexOf('.', at);
    if (dot < 0) return false;
    at = dot + 1;
  }
}
