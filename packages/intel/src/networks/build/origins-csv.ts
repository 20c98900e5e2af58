import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readWords } from '../tables/address-words.ts';
import { isAsn, openOrigins, type OriginsData, OriginsBuilder } from './origins-data.ts';

const [NEWLINE, COMMA, QUOTE, ZERO] = [10, 44, 34, 48];

/** The two tables of a release of ip-location-db: `first,last,asn,"holder"`, IPv4 addresses as numbers (`asn-ipv4-num.csv`) or as text. */
export interface OriginFiles {
  ipv4: string;
  ipv6: string;
}

/**
 * Reads such a release. That takes the better part of a second for half a million rows, so the snapshot is kept in a file that the next
 * start reads in its place; without a folder to write to it is made each time.
 */
export function loadOrigins({ ipv4, ipv6 }: OriginFiles, kept: string): OriginsData {
  try {
    return openOrigins(readFileSync(kept));
  } catch {
    // Not there yet, or not what we wrote.
  }
  const origins = new OriginsBuilder();
  for (const file of [ipv4, ipv6]) readTable(readFileSync(file), origins);
  const snapshot = origins.build();
  try {
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
    // Several gateways may start at once: each writes a file of its own, and the last one's stays.
    writeFileSync(`${kept}.${process.pid}`, snapshot, { mode: 0o600 });
    renameSync(`${kept}.${process.pid}`, kept);
  } catch {
    // The folder may belong to another user, or the disk may be full: the next start takes as long as this one.
  }
  return openOrigins(snapshot);
}

function readTable(bytes: Buffer, origins: OriginsBuilder): void {
  const row = new RowReader(bytes);
  const [first, last] = [new Uint32Array(4), new Uint32Array(4)];
  // Invalid lines are left out.
  while (row.next()) {
    const width = row.address(first);
    const isRange = width !== 0 && row.address(last) === width;
    const asn = row.number();
    if (!isRange || !isAsn(asn)) continue;
    origins.addRange(width, first, last, asn);
    if (!origins.hasHolder(asn)) origins.addHolder(asn, row.text());
  }
}

/** Reads lines field by field, as bytes: most of them need no string. */
class RowReader {
  readonly #bytes: Buffer;
  #at = 0;
  #end = -1;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Goes to the next line. */
  next(): boolean {
    this.#at = this.#end + 1;
    const end = this.#bytes.indexOf(NEWLINE, this.#at);
    this.#end = end < 0 ? this.#bytes.length : end;
    return this.#at < this.#bytes.length;
  }

  /** A field of digits; NaN where it is something else. */
  number(): number {
    let value = 0;
    const from = this.#at;
    for (; this.#at < this.#end; this.#at++) {
      const digit = this.#bytes[this.#at]! - ZERO;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    const isField = this.#at > from && (this.#at === this.#end || this.#bytes[this.#at] === COMMA);
    this.#at++;
    return isField ? value : NaN;
  }

  /** A field with an address, as a number or as text. */
  address(words: Uint32Array): 0 | 1 | 4 {
    const from = this.#at;
    const number = this.number();
    if (number <= 0xffff_ffff) {
      words[0] = number;
      return 1;
    }
    const comma = this.#bytes.indexOf(COMMA, from);
    if (comma < 0 || comma > this.#end) return 0;
    this.#at = comma + 1;
    return readWords(this.#bytes.toString('latin1', from, comma), words);
  }

  /** Returns the rest of the line, without quotes. */
  text(): string {
    if (this.#bytes[this.#at] !== QUOTE) return this.#bytes.toString('utf8', this.#at, this.#end).trimEnd();
    const closing = this.#bytes.lastIndexOf(QUOTE, this.#end - 1);
    return this.#bytes.toString('utf8', this.#at + 1, Math.max(this.#at + 1, closing)).replaceAll('""', '"');
  }
}
