import { parseHost } from '@vedette/contract';
import { compileLines, type Pause } from './compile-list.ts';
import { reachOf } from './catalogue.ts';
import { registrable } from '../registrable.ts';

/** Makes the snapshot of a list of names: rows in, compact bytes out, as `NameSetters.setList` takes them. */
export class NameListBuilder {
  readonly #names = new Set<string>();
  readonly #read: (entry: string) => string | undefined;

  constructor(list: string) {
    this.#read = reachOf(list) === 'tenant' ? registrable : nameOf;
  }

  get names(): Iterable<string> {
    return this.#names;
  }

  /** How many names there are. */
  get rows(): number {
    return this.#names.size;
  }

  /** Takes a name: IDN welcome, in any case, with a dot at its end or in front. False for what no such list can have. */
  add(entry: string): boolean {
    const name = this.#read(entry.replace(/^\*?\./, ''));
    if (name !== undefined) this.#names.add(name);
    return name !== undefined;
  }

  build(pause: Pause): Promise<Uint8Array> {
    return compileLines([...this.#names], pause);
  }
}

/** Makes the snapshot of a ranking, as `NameSetters.setRanks` takes it. */
export class RanksBuilder {
  readonly #ranks = new Map<string, number>();

  get rows(): number {
    return this.#ranks.size;
  }

  /** Takes a registrable domain and its place, from 1. The best place of a domain counts. Returns false for an invalid domain or rank. */
  add(entry: string, rank: number): boolean {
    const name = registrable(entry);
    if (name === undefined || !Number.isSafeInteger(rank) || rank < 1) return false;
    this.#ranks.set(name, Math.min(rank, this.#ranks.get(name) ?? rank));
    return true;
  }

  build(pause: Pause): Promise<Uint8Array> {
    return compileLines(
      Array.from(this.#ranks, ([name, rank]) => `${name}\t${rank}`),
      pause,
    );
  }
}

function nameOf(entry: string): string | undefined {
  const parsed = parseHost(entry);
  return parsed?.kind === 'name' ? parsed.host : undefined;
}
