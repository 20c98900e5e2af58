import type { Feed } from './feed.ts';

/** Why a feed is not taken: no answer to work with, another status than 200, or something that is not the list. */
export const REFUSALS = [
  'fetch_failed',
  'status',
  'too_large',
  'html',
  'format',
  'too_few',
  'shrunk',
  'grown',
  'poisoned',
  'internal',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** A file that is not taken; what was there before stays. */
export class FeedRefused extends Error {
  readonly why: Refusal;

  constructor(why: Refusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FeedRefused';
    this.why = why;
  }
}

/** What a server says a file's version is; empty where it does not. */
export interface Validators {
  etag: string;
  lastModified: string;
}

/** Fetches a file through the one door out. Rejects with `ProbeFailure`. */
export type FetchFile = (file: {
  url: string;
  maxBytes: number;
  /** What the copy has that is here: a file that is still the same is answered with 304. */
  validators: Validators;
  signal: AbortSignal;
}) => Promise<{ status: number; body: Uint8Array } & Validators>;

/** A feed's entries made into what those who use them work with. */
export interface Built {
  rows: number;
  /** How many entries were none. */
  unreadable: number;
  /** An entry that such a list never has by right; undefined without one. */
  forbidden: string | undefined;
  /** Puts it in place of what was used before. */
  use(): void;
}

/** Lets others work: to be awaited every few milliseconds, so that nobody waits for a list. */
export type Pause = () => Promise<void>;

/** Who uses feeds of a kind. */
export interface Dataset {
  /** What is shipped in a feed's place, and of which day (YYYY-MM-DD). */
  shipped(feed: string): { rows: number; date: string } | undefined;
  /** `entries` pauses by itself as it is read. */
  build(entries: AsyncIterable<string>, feed: Feed, pause: Pause): Promise<Built>;
}
