import { type Feed, listOf } from '../feeds/index.ts';

/** Puts a list in place; undefined removes it. */
type PutList = (list: string, snapshot: Uint8Array | undefined) => void | Promise<void>;

/**
 * Lists that several feeds fill. Each feed's part is kept, as text, and the list is made of all of them: once for all parts that came while it
 * was being made, so that a start with twenty of them makes it once or twice.
 */
export class SharedLists {
  readonly #parts = new Map<string, Map<string, Uint8Array>>();
  /** The builds that wait; each uses the parts at the time of its start. */
  readonly #making = new Map<string, Promise<void>>();
  readonly #last = new Map<string, Promise<void>>();
  readonly #make: (list: string, rows: Uint8Array) => Promise<Uint8Array>;
  readonly #put: PutList;

  constructor(make: (list: string, rows: Uint8Array) => Promise<Uint8Array>, put: PutList) {
    this.#make = make;
    this.#put = put;
  }

  /** Sets one feed's part of a list; undefined takes it out. Resolves when the list is in use. */
  set(list: string, feed: string, part: Uint8Array | undefined): Promise<void> {
    const parts = this.#parts.get(list) ?? new Map<string, Uint8Array>();
    this.#parts.set(list, parts);
    if (part) parts.set(feed, part);
    else parts.delete(feed);
    const next = this.#making.get(list) ?? this.#after(this.#last.get(list), list);
    this.#making.set(list, next);
    this.#last.set(list, next);
    return next;
  }

  /** Once the one before is in use, lest it take the place of this one, and what comes in the same moment has come. */
  async #after(before: Promise<void> | undefined, list: string): Promise<void> {
    await before?.catch(() => undefined); // its caller receives the error
    await new Promise((resolve) => setImmediate(resolve));
    this.#making.delete(list);
    const parts = [...this.#parts.get(list)!.values()];
    await this.#put(list, parts.length === 0 ? undefined : await this.#make(list, Buffer.concat(parts)));
  }
}

/** Puts lists of feeds in use: a list of one feed as it was built, a list of several feeds as made of their parts. */
export interface ListFeeds {
  /** Sets one feed's rows of a list, an entry and behind a tab its label on each line. Undefined takes them out. */
  part(feed: Feed, rows: Uint8Array | undefined): Promise<void>;
  use(feed: Feed, snapshot: Uint8Array): void | Promise<void>;
  drop(feed: Feed): void | Promise<void>;
}

export function listFeeds(parts: SharedLists, put: PutList): ListFeeds {
  const set = (feed: Feed, snapshot: Uint8Array | undefined): void | Promise<void> =>
    feed.list === undefined ? put(listOf(feed), snapshot) : parts.set(feed.list, feed.name, snapshot);
  return { part: (feed, rows) => parts.set(listOf(feed), feed.name, rows), use: set, drop: (feed) => set(feed, undefined) };
}
