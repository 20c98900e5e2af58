import type { Row } from './formats/row.ts';
import { type Static, Type } from 'typebox';
import type { Feed, FeedForm } from './feed.ts';
import type { KeptDays } from './first-days.ts';

/** The version of a file by its server; empty fields if the server sends none. */
export interface Validators {
  etag: string;
  lastModified: string;
}

/** Fetches a file through the one door out. Rejects with `ProbeFailure`. */
export type FetchFile = (file: {
  url: string;
  maxBytes: number;
  /** The version of the local copy: the server answers 304 for an unchanged file. */
  validators: Validators;
  /** Sent to the URL's own origin alone. */
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
}) => Promise<{ status: number; body: Uint8Array } & Validators>;

/** A line's bytes: from, and to before. */
export interface Line {
  bytes: Uint8Array;
  from: number;
  to: number;
}

/** A feed's file, unpacked as it is read; each call reads it from its beginning. Reading throws `FeedRefused` for a file of another format. */
export interface FeedFile {
  /** Its rows, as many at a time as come at once. */
  rows(): AsyncIterable<readonly Row[]>;
  /**
   * The same entries without a text of each, where rows are `lines`; undefined for other formats. For entries in ASCII: other white space around a
   * line is a part of it.
   */
  lines?(): AsyncIterable<readonly Line[]>;
  bytes(): AsyncIterable<Uint8Array>;
}

/** A feed's file as it is used. */
export interface Snapshot {
  /** The bytes to keep and load. */
  bytes: Uint8Array;
  rows: number;
  /** How many entries were invalid. */
  unreadable: number;
  /** An entry that such a list never has by right; undefined without one. */
  forbidden: string | undefined;
  /** The share of the announced space that it covers; undefined for other lists. */
  coverage?: Coverage;
  /** Its entries as `Feeds.firstDay` is asked for them; undefined for lists whose entries need no day. */
  entries?: Iterable<string>;
}

/** Shares of the announced address space, in percent. */
export const Coverage = Type.Object({ ipv4: Type.Number({ minimum: 0 }), ipv6: Type.Number({ minimum: 0 }) });
export type Coverage = Static<typeof Coverage>;

/** Makes snapshots of a dataset's feeds, in a thread of its own: it may take its time, since requests do not wait for it. */
export type BuildSnapshot = (file: FeedFile, feed: FeedForm) => Promise<Snapshot>;

/** Bytes, and their SHA-256 in hex. */
export interface Digested {
  bytes: Uint8Array;
  digest: string;
}

/** The snapshot of a file, and the file itself. */
export interface BuiltFile extends Omit<Snapshot, 'bytes' | 'entries'> {
  snapshot: Digested;
  raw: Digested;
  /** Days of its entries, by `firstDays`. */
  days?: Digested;
}

/** Makes a file into a snapshot. The body is handed over: it is not to be used until it comes back. Without `kept` no days are made. Rejects with `FeedRefused`. */
export type BuildFile = (feed: FeedForm, body: Uint8Array, signal: AbortSignal, kept?: KeptDays) => Promise<BuiltFile>;

/** Data shipped in a feed's place: in use from the start, or a file that is made into a snapshot at the start. */
type Shipped = { date: string } & ({ rows: number } | { file(): Promise<Uint8Array> });

/** The user of feeds of one kind. */
export interface Dataset {
  /** Raised with every change of what is made of a file: kept snapshots of other rules are made anew. */
  readonly rules: number;
  /** Returns the day (YYYY-MM-DD) of the data shipped in a feed's place, and their size, or the file as its source had it. */
  shipped(feed: Feed): Shipped | undefined;
  /** Puts a snapshot in place of what was used before. Takes no more than a few milliseconds of the event loop at once. */
  use(feed: Feed, snapshot: Uint8Array): void | Promise<void>;
  /** Drops fetched data that is too old to be used. */
  drop(feed: Feed): void | Promise<void>;
}
