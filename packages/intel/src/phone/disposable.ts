import type { Phones } from '../ports/index.ts';

/** E.164 has at most fifteen digits, and so fits a number exactly. */
const NUMBER = /^\+?([1-9]\d{6,14})$/;
const BYTES = 8;

/** Numbers with public inboxes, as one source lists them: sorted, eight bytes each, which is also how a snapshot is kept. */
export class NumberList {
  readonly #numbers: Float64Array;

  /** Takes what `compile` made. */
  constructor(bytes: Uint8Array) {
    // A copy: what comes from a file may begin anywhere in its buffer.
    this.#numbers = new Float64Array(bytes.slice(0, bytes.length - (bytes.length % BYTES)).buffer);
  }

  /** The bytes of a list, and how many entries are not numbers. */
  static compile(entries: Iterable<string>): { bytes: Uint8Array; unreadable: number } {
    const numbers = new Set<number>();
    let unreadable = 0;
    for (const entry of entries) {
      const digits = NUMBER.exec(entry.trim())?.[1];
      if (digits === undefined) unreadable++;
      else numbers.add(Number(digits));
    }
    return { bytes: new Uint8Array(Float64Array.from(numbers).sort().buffer), unreadable };
  }

  get rows(): number {
    return this.#numbers.length;
  }

  has(number: number): boolean {
    let low = 0;
    let high = this.#numbers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#numbers[middle]! < number) low = middle + 1;
      else high = middle;
    }
    return this.#numbers[low] === number;
  }
}

export interface PhoneSetters {
  /** Sets a source's list, in place of the one that was there; undefined takes it out. */
  setDisposable(source: string, list: NumberList | undefined): void;
}

class DisposableNumbers implements Phones, PhoneSetters {
  readonly #lists = new Map<string, NumberList>();

  /** Sets a source's list, in place of the one that was there. No list is shipped: such numbers are returned and reassigned after some weeks. */
  setDisposable(source: string, list: NumberList | undefined): void {
    if (list) this.#lists.set(source, list);
    else this.#lists.delete(source);
  }

  /** Whether a list has the number, in E.164. */
  isDisposable(e164: string): boolean {
    const number = Number(e164.slice(1));
    return this.#lists.values().some((list) => list.has(number));
  }
}

export const createPhones = (): Phones & PhoneSetters => new DisposableNumbers();
