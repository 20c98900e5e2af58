import { AddressMap } from './tables/address-map.ts';
import { bigOf, type Width, type Words } from './tables/address-words.ts';
import { networkAround, networksIn } from './tables/cidrs.ts';
import { type OriginsData, rowOf } from './build/origins-data.ts';
import { Strings } from './tables/strings.ts';

/** The origin AS of ranges: neighbouring networks of one AS are merged, so the reported networks are approximate. */
export class Origins {
  readonly #data: OriginsData;
  readonly #map: AddressMap;
  readonly #strings: Strings;

  constructor(data: OriginsData) {
    this.#data = data;
    this.#map = new AddressMap(data.map);
    this.#strings = new Strings(data.bytes, data.ends);
  }

  /** 0 for an unannounced address. */
  asnAt(words: Words, width: Width): number {
    return this.#map.valueAt(words, width);
  }

  networkAt(words: Words, width: Width): string {
    return networkAround(words, width, this.#map.boundsAt(words, width));
  }

  /** The holder's name; empty where it is not told. */
  holder(asn: number): string {
    const at = rowOf(asn, this.#data.asns);
    return at < 0 ? '' : this.#strings.at(this.#data.holders[at]!);
  }

  /** The ranges of one AS, as networks. Looks through all of them, which takes less than a millisecond, instead of keeping a second index. */
  networksOf(asn: number): { ipv4: string[]; ipv6: string[] } {
    return { ipv4: this.#networks(asn, 1), ipv6: this.#networks(asn, 4) };
  }

  #networks(asn: number, width: Width): string[] {
    return this.#map.boundsOf(asn, width).flatMap((bounds) => networksIn(bigOf(bounds, 0, width), bigOf(bounds, 1, width), width));
  }
}
