const TAB = 9;
const NEWLINE = 10;
const NUMBER_SIGN = 35;

/**
 * Many thousand domains in one buffer, found by bisection: 160,000 of them take 2.5 MB here and 16 MB as a `Set`. Lower-case A-labels, one
 * on each line, in the order of their bytes; behind a tab a line may say more of its domain. Lines above them that begin with `#` say where
 * they come from.
 */
export class DomainList {
  readonly #bytes: Buffer;
  readonly #start: number;

  constructor(bytes: Uint8Array) {
    if (bytes.at(-1) !== NEWLINE) throw new RangeError('the last line of a list has an end too');
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    while (this.#bytes[start] === NUMBER_SIGN) start = this.#bytes.indexOf(NEWLINE, start) + 1;
    this.#start = start;
  }

  /** How many domains there are. */
  get rows(): number {
    let rows = 0;
    for (let at = this.#start; at < this.#bytes.length; at = this.#bytes.indexOf(NEWLINE, at) + 1) rows++;
    return rows;
  }

  has(domain: string): boolean {
    return this.#endOf(domain) >= 0;
  }

  /** Returns the list's label for the domain: '' for an entry without one. Undefined for a domain that is not on the list. */
  labelOf(domain: string): string | undefined {
    const end = this.#endOf(domain);
    return end < 0 ? undefined : this.#bytes.toString('utf8', end, this.#bytes.indexOf(NEWLINE, end)).slice(1);
  }

  /** Where the domain ends in its line; -1 for one that is not on the list. */
  #endOf(domain: string): number {
    const bytes = this.#bytes;
    let low = this.#start;
    let high = bytes.length;
    while (low < high) {
      let from = (low + high) >>> 1;
      while (from > low && bytes[from - 1] !== NEWLINE) from--;
      let same = 0;
      while (same < domain.length && bytes[from + same] === domain.charCodeAt(same)) same++;
      const found = bytes[from + same]!;
      const isWhole = found === NEWLINE || found === TAB;
      if (same === domain.length && isWhole) return from + same;
      // A name that ends here comes before the longer ones that begin with it: what ends it comes before every letter.
      if (same === domain.length || (!isWhole && domain.charCodeAt(same) < found)) high = from;
      else low = bytes.indexOf(NEWLINE, from) + 1;
    }
    return -1;
  }
}

/** Whether the list has the domain or one of its ancestors. */
export const isOrIsBelow = (domain: string, list: { has(domain: string): boolean }): boolean =>
  ancestry(domain).some((name) => list.has(name));

/** The domain and all above it, from the longest to its top-level domain. */
export function ancestry(domain: string): string[] {
  const names = [domain];
  for (let dot = domain.indexOf('.'); dot >= 0; dot = domain.indexOf('.', dot + 1)) names.push(domain.slice(dot + 1));
  return names;
}
