import { hash } from 'node:crypto';

const DAY_MS = 86_400_000;
const DAY_BITS = 16n;
/** The day of entries that the first copy had: they may be much older. */
const UNKNOWN = 0n;

/** The days that a feed has until now, undefined for a first copy, and today, epoch ms. */
export interface KeptDays {
  days: Uint8Array | undefined;
  today: number;
}

/** The first 48 bits of the SHA-256 of an entry, and room for a day. */
const keyOf = (entry: string): bigint =>
  (hash('sha256', Buffer.from(entry, 'latin1'), 'buffer').readBigUInt64BE(0) >> DAY_BITS) << DAY_BITS;

/** A copy: octets from a file may begin anywhere in their buffer. `slice` of a Buffer would be a view of the same. */
const daysOf = (bytes: Uint8Array): BigUint64Array => new BigUint64Array(new Uint8Array(bytes).buffer);

/**
 * Days on which our copies of a feed first had their entries, eight octets for each: 48 bits of the entry's hash, and the day since 1970. They are
 * sorted, which is also how they are kept. Entries that the first copy had, have no day.
 */
export class FirstDays {
  readonly #days: BigUint64Array;

  /** Takes what `firstDays` made. */
  constructor(bytes: Uint8Array) {
    this.#days = daysOf(bytes);
  }

  /** The day of one of these entries, YYYY-MM-DD, if the feed has it; empty for an unknown day. */
  of(entries: readonly string[]): string | undefined {
    for (const entry of entries) {
      const day = this.#find(keyOf(entry));
      if (day !== undefined) return day === UNKNOWN ? '' : new Date(Number(day) * DAY_MS).toISOString().slice(0, 10);
    }
    return undefined;
  }

  #find(key: bigint): bigint | undefined {
    let low = 0;
    let high = this.#days.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#days[middle]! < key) low = middle + 1;
      else high = middle;
    }
    const found = this.#days[low];
    return found !== undefined && found >> DAY_BITS === key >> DAY_BITS ? found - key : undefined;
  }
}

/** Makes the days of a new copy: those of before for entries that it has still, and today for new ones. */
export function firstDays(entries: Iterable<string>, { days, today }: KeptDays): Uint8Array {
  const before = days === undefined ? new BigUint64Array() : daysOf(days);
  const day = days === undefined ? UNKNOWN : BigInt(Math.floor(today / DAY_MS));
  const made = BigUint64Array.from(new Set(Array.from(entries, keyOf))).sort();
  let at = 0;
  for (let n = 0; n < made.length; n++) {
    const key = made[n]!;
    while (at < before.length && before[at]! < key) at++;
    const known = before[at];
    made[n] = known !== undefined && known >> DAY_BITS === key >> DAY_BITS ? known : key | day;
  }
  return new Uint8Array(made.buffer);
}
