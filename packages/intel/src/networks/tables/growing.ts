import { type Ranges } from './intervals.ts';
import type { Width, Words } from './address-words.ts';

const START = 1024;

function larger(words: Uint32Array): Uint32Array {
  const copy = new Uint32Array(2 * words.length);
  copy.set(words);
  return copy;
}

/** Numbers of 32 bits, as many as come. */
export class GrowingWords {
  #words: Uint32Array = new Uint32Array(START);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(word: number): void {
    if (this.#length === this.#words.length) this.#words = larger(this.#words);
    this.#words[this.#length++] = word;
  }

  end(): Uint32Array {
    return this.#words.subarray(0, this.#length);
  }
}

/** Ranges of a family, as they come. */
export class GrowingRanges {
  readonly width: Width;
  #bounds: Uint32Array;
  #values: Uint32Array = new Uint32Array(START);
  #rows = 0;

  constructor(width: Width) {
    this.width = width;
    this.#bounds = new Uint32Array(2 * width * START);
  }

  get rows(): number {
    return this.#rows;
  }

  push(first: Words, last: Words, value: number): void {
    const { width } = this;
    if (this.#bounds.length < 2 * width * (this.#rows + 1)) {
      this.#bounds = larger(this.#bounds);
      this.#values = larger(this.#values);
    }
    const at = 2 * width * this.#rows;
    for (let word = 0; word < width; word++) {
      this.#bounds[at + word] = first[word]!;
      this.#bounds[at + width + word] = last[word]!;
    }
    this.#values[this.#rows++] = value;
  }

  end(): Ranges {
    return {
      width: this.width,
      bounds: this.#bounds.subarray(0, 2 * this.width * this.#rows),
      values: this.#values.subarray(0, this.#rows),
    };
  }
}
