import { type Clock, ProbeFailure } from '@vedette/contract';
import type { Feed } from './feed.ts';
import type { FeedStatus } from './feeds.ts';
import { entriesOf } from './formats.ts';
import { type Built, type Dataset, FeedRefused, type FetchFile, type Pause, type Refusal, type Validators } from './ports.ts';
import { type FeedStore, type Head, keptValidator } from './store.ts';

const HOUR_MS = 3_600_000;
/** A gateway has other things to do when it starts, and many start at once. */
const FIRST_AFTER_MS = 60_000;
/** What failed is tried again after this share of the time between two fetches. */
const RETRY_SHARE = 1 / 24;
const JITTER = 0.1;
/** One entry of a list in ten may be something else; of an error message all are. */
const UNREADABLE_SHARE = 0.1;

const OK: number = 200;
const NOT_MODIFIED: number = 304;

interface FeedLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface KeeperDeps {
  dataset: Dataset;
  store: FeedStore;
  fetch: FetchFile;
  clock: Clock;
  /** Wall-clock time, epoch ms. */
  today(): number;
  /** A number from 0 to 1. */
  random(): number;
  log: FeedLog;
  /** Told of every file that was not taken. */
  onRefused(feed: string, why: Refusal): void;
}

/** What is used of a feed now. */
interface InUse extends Validators {
  origin: FeedStatus['origin'];
  rows: number;
  confirmedAt: number;
}

const pause: Pause = () => new Promise((resolve) => setImmediate(resolve));

/** Keeps one feed fresh: fetches it when it is due, verifies what came, puts it in place of what was used, and keeps a copy. */
export class FeedKeeper {
  readonly feed: Feed;
  readonly #deps: KeeperDeps;
  readonly #since: number;
  #inUse: InUse;
  #problem = '';
  #takenUp: Promise<void> | undefined;
  /** What is under way. Does not reject. */
  fetching: Promise<boolean> | undefined;

  constructor(feed: Feed, deps: KeeperDeps) {
    this.feed = feed;
    this.#deps = deps;
    this.#since = deps.today();
    const shipped = deps.dataset.shipped(feed.name);
    const nothing = { etag: '', lastModified: '' };
    this.#inUse = shipped
      ? { ...nothing, origin: 'shipped', rows: shipped.rows, confirmedAt: Date.parse(shipped.date) }
      : { ...nothing, origin: 'none', rows: 0, confirmedAt: Number.NaN };
  }

  status(): FeedStatus {
    const { name, dataset, enabled, url, licence, attribution } = this.feed;
    const { origin, rows, confirmedAt } = this.#inUse;
    const known = !Number.isNaN(confirmedAt);
    const age_seconds = Math.max(0, Math.round((this.#deps.today() - (known ? confirmedAt : this.#since)) / 1000));
    const confirmed_at = known ? new Date(confirmedAt).toISOString() : '';
    return { name, dataset, enabled, rows, origin, confirmed_at, age_seconds, problem: this.#problem, url, licence, attribution };
  }

  /** Keeps it fresh until the signal aborts. Does not reject. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#takeUp();
    let due = this.#firstDue();
    try {
      for (;;) {
        await this.#deps.clock.sleep(due, signal);
        const taken = await this.refresh(signal);
        due = this.#jittered(this.feed.every_hours * HOUR_MS * (taken ? 1 : RETRY_SHARE));
      }
    } catch {
      // The signal has ended the sleep.
    }
  }

  /** Fetches the feed, or joins who does; whether what is used is fresh now. Does not reject. */
  refresh(signal: AbortSignal): Promise<boolean> {
    this.fetching ??= this.#refresh(signal).finally(() => (this.fetching = undefined));
    return this.fetching;
  }

  async #refresh(signal: AbortSignal): Promise<boolean> {
    // Made ready later, the kept copy would take the place of what is newer.
    await this.#takeUp();
    try {
      await this.#fetch(signal);
      this.#problem = '';
      return true;
    } catch (error) {
      if (!signal.aborted) this.#refused(error);
      return false;
    }
  }

  async #fetch(signal: AbortSignal): Promise<void> {
    const { fetch, store, log, today } = this.#deps;
    const { name: feed, url, max_bytes: maxBytes } = this.feed;
    const { etag, lastModified } = this.#inUse;
    const { status, body, ...validators } = await fetch({ url, maxBytes, validators: { etag, lastModified }, signal });
    if (status === NOT_MODIFIED && etag + lastModified !== '') {
      this.#inUse.confirmedAt = today();
      await this.#keep(store.confirm(feed, this.#inUse.confirmedAt));
      log.info({ feed, rows: this.#inUse.rows }, 'a feed is what its source has still');
      return;
    }
    if (status !== OK) throw new FeedRefused('status', `its server answered with status ${status}`);
    const built = await this.#build(body);
    this.#assertLikeBefore(built.rows);
    built.use();
    this.#inUse = {
      origin: 'source',
      rows: built.rows,
      confirmedAt: today(),
      etag: keptValidator(validators.etag),
      lastModified: keptValidator(validators.lastModified),
    };
    log.info({ feed, rows: built.rows }, 'a feed was refreshed');
    await this.#keep(store.write(feed, headOf(url, this.#inUse), body));
  }

  /** Reads a file, fetched or kept; throws `FeedRefused` when it is not the list. */
  async #build(body: Uint8Array): Promise<Built> {
    const { min_rows } = this.feed;
    const built = await this.#deps.dataset.build(entriesOf(body, this.feed.format, pause), this.feed, pause);
    const { rows, unreadable, forbidden } = built;
    if (unreadable > (rows + unreadable) * UNREADABLE_SHARE) throw new FeedRefused('format', `${unreadable} entries are none`);
    if (rows < min_rows) throw new FeedRefused('too_few', `${rows} rows, and there are at least ${min_rows}`);
    if (forbidden !== undefined) throw new FeedRefused('poisoned', `it has ${forbidden}`);
    return built;
  }

  #assertLikeBefore(rows: number): void {
    const { rows: before } = this.#inUse;
    const { max_change } = this.feed;
    if (before === 0) return;
    if (rows * max_change < before) throw new FeedRefused('shrunk', `${rows} rows, and there were ${before}`);
    if (rows > before * max_change) throw new FeedRefused('grown', `${rows} rows, and there were ${before}`);
  }

  #takeUp(): Promise<void> {
    return (this.#takenUp ??= this.#takeUpKept());
  }

  /** What was fetched before we were started is used from now on, unless something newer is shipped by now. */
  async #takeUpKept(): Promise<void> {
    const { store, log } = this.#deps;
    const feed = this.feed.name;
    try {
      const kept = await store.read(feed);
      if (!kept || kept.head.url !== this.feed.url || kept.head.confirmed_at <= this.#inUse.confirmedAt) return;
      const built = await this.#build(kept.body);
      built.use();
      const { confirmed_at: confirmedAt, etag, last_modified: lastModified } = kept.head;
      this.#inUse = { origin: 'source', rows: built.rows, confirmedAt, etag, lastModified };
    } catch (err) {
      log.warn({ feed, err }, 'the kept copy of a feed cannot be used: it is fetched anew, and until then what is shipped goes on');
    }
  }

  /** Waits for a copy to be written; without it we go on, since it is for the next start. */
  async #keep(writing: Promise<void>): Promise<void> {
    await writing.catch((err: unknown) => this.#deps.log.warn({ feed: this.feed.name, err }, 'the copy of a feed cannot be written'));
  }

  #refused(error: unknown): void {
    const { log, onRefused } = this.#deps;
    const feed = this.feed.name;
    const why = whyOf(error);
    this.#problem = error instanceof Error ? error.message : String(error);
    onRefused(feed, why);
    if (why === 'internal') log.error({ feed, err: error }, 'a feed could not be refreshed, by a defect of ours');
    else log.warn({ feed, why, problem: this.#problem }, 'a feed was not refreshed: what is there goes on');
  }

  #firstDue(): number {
    const { origin, confirmedAt } = this.#inUse;
    const soon = FIRST_AFTER_MS * (1 + this.#deps.random());
    if (origin !== 'source') return soon;
    return Math.max(soon, confirmedAt + this.#jittered(this.feed.every_hours * HOUR_MS) - this.#deps.today());
  }

  #jittered(ms: number): number {
    return ms * (1 + JITTER * (2 * this.#deps.random() - 1));
  }
}

const headOf = (url: string, { confirmedAt, etag, lastModified }: InUse): Omit<Head, 'digest'> => ({
  url,
  confirmed_at: confirmedAt,
  etag,
  last_modified: lastModified,
});

function whyOf(error: unknown): Refusal {
  if (error instanceof FeedRefused) return error.why;
  if (!(error instanceof ProbeFailure)) return 'internal';
  return error.code === 'too_large' ? 'too_large' : 'fetch_failed';
}
