import { type Ranges } from './intervals.ts';
import type { Width, Words } from './address-words.ts';

/** Numbers of 32 bits, as many as come. */
export class GrowingWords {
  #words = new Uint32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(word: number): void {
    if (this.#length === this.#words.length) {
      const larger = new Uint32Array(2 * this.#length);
      larger.set(this.#words);
      this.#words = larger;
    }
    this.#words[this.#length++] = word;
  }

  end(): Uint32Array {
    return this.#words.subarray(0, this.#length);
  }
}

/** Ranges of a family, as they come. */
export class GrowingRanges {
  readonly width: Width;
  readonly #bounds = new GrowingWords();
  readonly #values = new GrowingWords();

  constructor(width: Width) {
    this.width = width;
  }

  get rows(): number {
    return this.#values.length;
  }

  push(first: Words, last: Words, value: number): void {
    for (let word = 0; word < this.width; word++) this.#bounds.push(first[word]!);
    for (let word = 0; word < this.width; word++) this.#bounds.push(last[word]!);
    this.#values.push(value);
  }

  end(): Ranges {
    return { width: this.width, bounds: this.#bounds.end(), values: this.#values.end() };
  }
}
