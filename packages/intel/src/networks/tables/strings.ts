/** Texts, each kept once as UTF-8 and read when it is asked for: a hundred thousand names are a hundred thousand objects less. */
export class Strings {
  readonly #bytes: Buffer;
  readonly #ends: Uint32Array;

  constructor(bytes: Uint8Array, ends: Uint32Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#ends = ends;
  }

  at(id: number): string {
    return this.#bytes.toString('utf8', this.#ends[id - 1] ?? 0, this.#ends[id]);
  }
}

/** Whether the columns are texts, the first of them empty. */
export const areStrings = (bytes: Uint8Array, ends: Uint32Array): boolean =>
  ends.length > 0 && ends[0] === 0 && ends.at(-1) === bytes.length && ends.every((end, at) => at === 0 || end >= ends[at - 1]!);

/** Collects texts; text 0 is the empty one. */
export class StringsBuilder {
  readonly #ids = new Map<string, number>([['', 0]]);

  id(written: string): number {
    const known = this.#ids.get(written);
    if (known !== undefined) return known;
    // Halves of a pair would join with those of a neighbour.
    const text = written.toWellFormed();
    if (text !== written) return this.id(text);
    this.#ids.set(text, this.#ids.size);
    return this.#ids.size - 1;
  }

  columns(): { bytes: Uint8Array; ends: Uint32Array } {
    const texts = [...this.#ids.keys()];
    let end = 0;
    return { bytes: Buffer.from(texts.join('')), ends: Uint32Array.from(texts, (text) => (end += Buffer.byteLength(text))) };
  }
}
