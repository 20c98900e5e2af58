import type { Clock, FeedStatus, SourceCheck } from '@vedette/contract';
import { type Feed, listOf } from './feed.ts';
import { FirstDays, type KeptDays } from './first-days.ts';
import { type BuildFile, type BuiltFile, type Coverage, type Dataset, type FetchFile, type Validators } from './ports.ts';
import { FeedRefused, type Refusal } from './refusal.ts';
import { fetchMs, locate } from './locate.ts';
import { assertLikeBefore, assertWhole, wasUnreached, whyOf } from './checks.ts';
import { rulesOf } from './rules.ts';
import { sourceVerdict } from './source-verdict.ts';
import { type FeedStore, type Head, keptValidator } from './store.ts';
import type { Queue } from './queue.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;
/** How soon after a start a feed is fetched, and up to twice as late: one without any data, an urgent one, and one that has data by then. */
const FIRST_AFTER_MS = { none: 10_000, urgent: 1_000, some: 60_000 };
/** A source that we could not connect to is tried again after so long, twice as long each time: a machine's network may come up after us. */
const UNREACHED_MS = 60_000;
/** A failed fetch is repeated after this share of the time between two fetches. */
const RETRY_SHARE = 1 / 24;
const JITTER = 0.1;

const OK: number = 200;
const NOT_MODIFIED: number = 304;
/** A list is called old once its source should have confirmed it so many days ago. */
const STALE_DAYS = 7;
const NEWLINE = Uint8Array.of(10);

interface FeedLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface KeeperDeps {
  dataset: Dataset;
  store: FeedStore;
  queue: Queue;
  fetch: FetchFile;
  build: BuildFile;
  clock: Clock;
  /** Wall-clock time, epoch ms. */
  today(): number;
  /** A number from 0 to 1. */
  random(): number;
  log: FeedLog;
  /** Told of every file that was not taken. */
  onRefused(feed: string, why: Refusal): void;
}

/** The data of a feed now in use. */
interface InUse extends Validators {
  origin: FeedStatus['origin'];
  rows: number;
  /** Undefined where it is not known. */
  coverage: Coverage | undefined;
  confirmedAt: number;
  /** SHA-256 of the file as it came; empty for what was shipped. */
  digest: string;
}

const NOTHING: InUse = { origin: 'none', rows: 0, coverage: undefined, confirmedAt: Number.NaN, etag: '', lastModified: '', digest: '' };

/** Keeps one feed fresh: fetches it when it is due, verifies what came, puts it in place of what was used, and keeps a copy. */
export class FeedKeeper {
  readonly feed: Feed;
  readonly #deps: KeeperDeps;
  readonly #since: number;
  readonly #rules: string;
  #inUse: InUse;
  /** The days of the entries in use. */
  #days: FirstDays | undefined;
  #problem = '';
  #lastTry: Omit<SourceCheck, 'name'> = { verdict: 'ok', detail: '' };
  #triedAt = Number.NEGATIVE_INFINITY;
  /** How often in a row no connection was made to the source. */
  #unreached = 0;
  #takenUp: Promise<void> | undefined;
  /** The fetch that is running. Does not reject. */
  fetching: Promise<boolean> | undefined;

  constructor(feed: Feed, deps: KeeperDeps) {
    this.feed = feed;
    this.#deps = deps;
    this.#since = deps.today();
    this.#rules = rulesOf(feed, deps.dataset.rules);
    this.#inUse = this.#shipped();
  }

  status(): FeedStatus {
    const { name, dataset, enabled, every_hours, url, licence, attribution, tells, note = '' } = this.feed;
    const { origin, rows, confirmedAt } = this.#inUse;
    const known = !Number.isNaN(confirmedAt);
    const age_seconds = Math.max(0, Math.round((this.#deps.today() - (known ? confirmedAt : this.#since)) / 1000));
    const confirmed_at = known ? new Date(confirmedAt).toISOString() : '';
    const problem = this.#problem;
    return {
      name,
      dataset,
      list: listOf(this.feed),
      enabled,
      rows,
      origin,
      confirmed_at,
      age_seconds,
      every_hours,
      problem,
      url,
      tells,
      licence,
      attribution,
      note,
    };
  }

  /** Keeps it fresh until the signal aborts. Does not reject. */
  async run(signal: AbortSignal): Promise<void> {
    await this.takeUp();
    let due = this.#firstDue();
    try {
      for (;;) {
        await this.#deps.clock.sleep(due, signal);
        const taken = await this.refresh(signal, { unlessFresh: this.#deps.queue.shared });
        due = Math.max(this.#restMs, this.#jittered(this.feed.every_hours * HOUR_MS * (taken ? 1 : RETRY_SHARE)));
        if (this.#unreached > 0) due = Math.min(due, this.#jittered(UNREACHED_MS * 2 ** (this.#unreached - 1)));
      }
    } catch {
      // The signal has ended the sleep.
    }
  }

  /** Days since the second fetch in a row should have confirmed what is used; undefined where nothing is. An import is as old as its operator wants. */
  get overdueDays(): number | undefined {
    const { origin, confirmedAt } = this.#inUse;
    if (origin === 'none') return undefined;
    if (origin === 'imported' || Number.isNaN(confirmedAt)) return 0;
    return Math.max(0, Math.floor((this.#deps.today() - confirmedAt - 2 * this.feed.every_hours * HOUR_MS) / DAY_MS));
  }

  /** Whether nothing is used of it yet, and its source was not tried since the start. */
  get isAwaited(): boolean {
    return this.feed.enabled && this.#inUse.origin === 'none' && this.#problem === '';
  }

  /** The day on which its source last confirmed what is used, where that is over a week later than it should be; empty otherwise. */
  get staleSince(): string {
    return (this.overdueDays ?? 0) > STALE_DAYS ? new Date(this.#inUse.confirmedAt).toISOString().slice(0, 10) : '';
  }

  /** The day on which our copies first had one of these entries, YYYY-MM-DD; empty if it is not known, and undefined if the feed has none of them. */
  firstDay(entries: readonly string[]): string | undefined {
    return this.#days?.of(entries);
  }

  /** Whether its source is to be left alone for now. */
  get isResting(): boolean {
    return Math.abs(this.#deps.today() - this.#triedAt) < this.#restMs;
  }

  get #restMs(): number {
    return this.feed.rest_minutes * MINUTE_MS;
  }

  /** Fetches the feed, or joins who does; whether what is used is fresh now. Does not reject. `unlessFresh`: not when another gateway has. */
  refresh(signal: AbortSignal, { unlessFresh = false } = {}): Promise<boolean> {
    this.fetching ??= this.#attempt(signal, async (isOurs) => {
      if (unlessFresh && (await this.#isFresh())) return;
      await this.#fetch(isOurs, signal);
    }).finally(() => (this.fetching = undefined));
    return this.fetching;
  }

  /** Tries the source, and uses nothing of what comes; of a source that was tried a moment ago, tells what came of it. Does not reject. */
  async check(signal: AbortSignal): Promise<SourceCheck> {
    await this.fetching;
    if (!this.isResting)
      await this.#deps.queue
        .run({ ...this.feed, urgent: true }, fetchMs(this.feed), signal, async () => {
          const { built } = await this.#whole({ etag: '', lastModified: '' }, signal);
          this.#lastTry = { verdict: 'ok', detail: `${built!.rows} rows` };
        })
        .catch((error: unknown) => (this.#lastTry = sourceVerdict(error)));
    return { name: this.feed.name, ...this.#lastTry };
  }

  /** Takes an operator's file in place of the source's, by the same rules. Throws `FeedRefused` for one that is not the list. */
  async import(body: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.takeUp();
    await this.#deps.queue.run({ ...this.feed, urgent: true }, 0, signal, async (isOurs) => {
      const built = await this.#deps.build(this.feed, body, signal, await this.#keptDays());
      assertWhole(built, this.feed);
      await this.#put(built, { origin: 'imported', etag: '', lastModified: '' }, isOurs);
    });
    this.#problem = '';
  }

  /** Uses what another gateway has fetched since, from the folder that both have. Does not reject. */
  async look(): Promise<void> {
    if (this.fetching) return;
    await this.takeUp();
    await this.#useKept();
    await this.#dropWhatIsTooOld();
  }

  async #attempt(signal: AbortSignal, work: (isOurs: () => Promise<boolean>) => Promise<void>): Promise<boolean> {
    // Made ready later, the kept copy would take the place of what is newer.
    await this.takeUp();
    try {
      await this.#deps.queue.run(this.feed, fetchMs(this.feed), signal, work);
      this.#problem = '';
      this.#unreached = 0;
      this.#lastTry = { verdict: 'ok', detail: `${this.#inUse.rows} rows` };
      return true;
    } catch (error) {
      if (!signal.aborted) this.#refused(error);
      await this.#dropWhatIsTooOld();
      return false;
    }
  }

  /** Another gateway may have fetched it while we waited for it. */
  async #isFresh(): Promise<boolean> {
    await this.#useKept();
    const { origin, confirmedAt } = this.#inUse;
    return origin === 'source' && this.#deps.today() - confirmedAt < this.feed.every_hours * HOUR_MS * (1 - 2 * JITTER);
  }

  async #fetch(isOurs: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
    const { store, log, today } = this.#deps;
    const { name: feed } = this.feed;
    const { built, validators } = await this.#whole(this.#inUse, signal, await this.#keptDays());
    if (!built) {
      this.#inUse.confirmedAt = today();
      if (await isOurs()) await this.#keep(store.confirm(feed, this.#inUse.confirmedAt));
      log.info({ feed, rows: this.#inUse.rows }, 'a feed is what its source has still');
      return;
    }
    await this.#put(
      built,
      { origin: 'source', etag: keptValidator(validators.etag), lastModified: keptValidator(validators.lastModified) },
      isOurs,
    );
  }

  /** What the source has, read and checked; nothing where it has still what these validators are of. Throws `FeedRefused` for another thing. */
  async #whole(
    { etag, lastModified }: Validators,
    signal: AbortSignal,
    kept?: KeptDays,
  ): Promise<{ built?: BuiltFile; validators: Validators }> {
    const { fetch, today, build } = this.#deps;
    const { max_bytes: maxBytes, headers = {} } = this.feed;
    this.#triedAt = today();
    const url = await locate(this.feed, { fetch, today, signal });
    const { status, body: first, ...validators } = await fetch({ url, maxBytes, validators: { etag, lastModified }, headers, signal });
    if (status === NOT_MODIFIED && etag + lastModified !== '') return { validators };
    if (status !== OK) throw new FeedRefused('status', `its server answered with status ${status}`, { status });
    const body = await this.#withFurtherFiles(first, signal);
    const built = await build(this.feed, body, signal, kept);
    assertWhole(built, this.feed);
    assertLikeBefore(built, this.#inUse, this.feed);
    return { built, validators };
  }

  /** Files published with the first file are fetched with it whenever it has changed. */
  async #withFurtherFiles(first: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    const { more = [], max_bytes, headers = {} } = this.feed;
    const files = [first];
    for (const url of more) {
      const maxBytes = max_bytes - files.reduce((sum, file) => sum + file.length, 0);
      const validators = { etag: '', lastModified: '' };
      const { status, body } = await this.#deps.fetch({ url, maxBytes: Math.max(1, maxBytes), validators, headers, signal });
      if (status !== OK) throw new FeedRefused('status', `the server of a further file answered with status ${status}`, { status });
      files.push(NEWLINE, body);
    }
    return files.length === 1 ? first : Buffer.concat(files);
  }

  /** Puts a file in place of what was used, and keeps a copy of it unless another gateway took us for dead meanwhile. */
  async #put(built: BuiltFile, from: Validators & { origin: 'source' | 'imported' }, isOurs: () => Promise<boolean>): Promise<void> {
    await this.#deps.dataset.use(this.feed, built.snapshot.bytes);
    this.#days = built.days && new FirstDays(built.days.bytes);
    this.#inUse = { ...from, rows: built.rows, coverage: built.coverage, confirmedAt: this.#deps.today(), digest: built.raw.digest };
    this.#deps.log.info({ feed: this.feed.name, rows: built.rows }, 'a feed was refreshed');
    if (await isOurs()) await this.#keep(this.#deps.store.write(this.feed.name, this.#head(), built));
  }

  /** Files fetched before the start are used from now on, unless the shipped data is newer. Does not reject. */
  takeUp(): Promise<void> {
    return (this.#takenUp ??= this.#useKept().then(() => this.#useCopy()));
  }

  /** The file that is shipped is used where no other one is there. Does not reject. */
  async #useCopy(): Promise<void> {
    const { dataset, build, log } = this.#deps;
    const shipped = dataset.shipped(this.feed);
    if (this.#inUse.origin !== 'none' || !shipped || !('file' in shipped)) return;
    const confirmedAt = Date.parse(shipped.date);
    if (this.#isTooOld(confirmedAt)) return;
    try {
      const built = await build(this.feed, await shipped.file(), new AbortController().signal);
      assertWhole(built, this.feed);
      await dataset.use(this.feed, built.snapshot.bytes);
      this.#inUse = { ...NOTHING, origin: 'shipped', rows: built.rows, coverage: built.coverage, confirmedAt };
    } catch (err) {
      log.warn({ feed: this.feed.name, err }, 'the shipped copy of a feed cannot be used: it is used once it is fetched');
    }
  }

  async #useKept(): Promise<void> {
    const { store, log } = this.#deps;
    const feed = this.feed.name;
    try {
      const kept = await store.head(feed);
      const head = kept && { ...kept, confirmed_at: this.#believable(kept.confirmed_at) };
      if (!head || !this.#isWanted(head)) return;
      if (head.raw.digest === this.#inUse.digest) {
        this.#inUse.confirmedAt = head.confirmed_at;
        return;
      }
      const loaded = await this.#load(head);
      if (!loaded) return;
      const { origin, confirmed_at: confirmedAt, etag, last_modified: lastModified, raw } = head;
      this.#inUse = { ...loaded, origin, confirmedAt, etag, lastModified, digest: raw.digest };
    } catch (err) {
      log.warn({ feed, err }, 'the kept copy of a feed cannot be used: it is fetched anew, and until then what is shipped goes on');
    }
  }

  /** A day that is to come was written by a wrong clock: what it says is due now, or it would be fresh for years. */
  #believable(confirmedAt: number): number {
    const now = this.#deps.today();
    return confirmedAt > now + DAY_MS ? now - this.feed.every_hours * HOUR_MS : confirmedAt;
  }

  #isWanted({ url, origin, confirmed_at }: Head): boolean {
    if (url !== this.feed.url || (!this.feed.enabled && origin === 'source')) return false;
    // An import is what an operator wants, whatever its day.
    if (confirmed_at <= this.#inUse.confirmedAt) return false;
    return !this.#isTooOld(confirmed_at);
  }

  /** Uses a kept snapshot as it is, or makes it anew where it was made by other rules. Undefined when a newer one has taken its place. */
  async #load(head: Head): Promise<Pick<InUse, 'rows' | 'coverage'> | undefined> {
    const { store, dataset, build, log } = this.#deps;
    const { name } = this.feed;
    if (head.rules === this.#rules) {
      const snapshot = await store.read(name, 'snapshot', head);
      if (snapshot) await dataset.use(this.feed, snapshot);
      const days = snapshot && (await store.read(name, 'days', head));
      this.#days = days && new FirstDays(days);
      return snapshot && { rows: head.rows, coverage: head.coverage };
    }
    const raw = await store.read(name, 'raw', head);
    if (!raw) return undefined;
    const built = await build(this.feed, raw, new AbortController().signal, await this.#keptDays());
    assertWhole(built, this.feed);
    await dataset.use(this.feed, built.snapshot.bytes);
    this.#days = built.days && new FirstDays(built.days.bytes);
    log.info({ feed: name, rows: built.rows }, 'the kept copy of a feed was read anew, by the rules of this release');
    const { rows, coverage } = built;
    await this.#keep(store.write(name, { ...head, rules: this.#rules, rows, ...(coverage && { coverage }) }, built));
    return { rows, coverage };
  }

  /** The days that the kept copy has, for the next one. Without a copy that can be read all entries are those of a first one. */
  async #keptDays(): Promise<KeptDays> {
    const { store, today } = this.#deps;
    const { name, url } = this.feed;
    const days = await store
      .head(name)
      .then((head) => (head?.url === url ? store.read(name, 'days', head) : undefined))
      .catch(() => undefined);
    return { days, today: today() };
  }

  #isTooOld(confirmedAt: number): boolean {
    const { max_age_days } = this.feed;
    return max_age_days !== undefined && this.#deps.today() - confirmedAt > max_age_days * DAY_MS;
  }

  /** A list of attackers that was not confirmed for weeks accuses the present holders of the addresses. */
  async #dropWhatIsTooOld(): Promise<void> {
    const { origin, confirmedAt } = this.#inUse;
    if (origin === 'none' || origin === 'imported' || !this.#isTooOld(confirmedAt)) return;
    await this.#deps.dataset.drop(this.feed);
    this.#days = undefined;
    this.#inUse = this.#shipped();
    this.#deps.log.warn({ feed: this.feed.name }, 'a feed is too old to be used any longer');
  }

  #shipped(): InUse {
    const shipped = this.#deps.dataset.shipped(this.feed);
    return shipped && 'rows' in shipped
      ? { ...NOTHING, origin: 'shipped', rows: shipped.rows, confirmedAt: Date.parse(shipped.date) }
      : { ...NOTHING };
  }

  #head(): Omit<Head, 'raw' | 'snapshot'> {
    const { origin, rows, coverage, confirmedAt: confirmed_at, etag, lastModified: last_modified } = this.#inUse;
    return {
      url: this.feed.url,
      origin: origin === 'imported' ? 'imported' : 'source',
      rows,
      ...(coverage && { coverage }),
      confirmed_at,
      etag,
      last_modified,
      rules: this.#rules,
    };
  }

  /** Waits for a copy to be written; without it we go on, since it is for the next start. */
  async #keep(writing: Promise<void>): Promise<void> {
    await writing.catch((err: unknown) => this.#deps.log.warn({ feed: this.feed.name, err }, 'the copy of a feed cannot be written'));
  }

  #refused(error: unknown): void {
    const { log, onRefused } = this.#deps;
    const feed = this.feed.name;
    const why = whyOf(error);
    this.#unreached = wasUnreached(error) ? this.#unreached + 1 : 0;
    // It was not contacted.
    if (this.#unreached > 0) this.#triedAt = Number.NEGATIVE_INFINITY;
    this.#lastTry = sourceVerdict(error);
    // Never empty: a feed without data or a problem counts as awaited.
    this.#problem = (error instanceof Error ? error.message : String(error)) || why;
    onRefused(feed, why);
    if (why === 'internal') log.error({ feed, err: error }, 'a feed could not be refreshed, by a defect of ours');
    else log.warn({ feed, why, problem: this.#problem }, 'a feed was not refreshed: what is there goes on');
  }

  #firstDue(): number {
    const { origin, confirmedAt } = this.#inUse;
    const kind = origin !== 'none' ? 'some' : this.feed.urgent ? 'urgent' : 'none';
    const soon = FIRST_AFTER_MS[kind] * (1 + this.#deps.random());
    if (origin === 'shipped' || origin === 'none') return soon;
    return Math.max(soon, confirmedAt + this.#jittered(this.feed.every_hours * HOUR_MS) - this.#deps.today());
  }

  #jittered(ms: number): number {
    return ms * (1 + JITTER * (2 * this.#deps.random() - 1));
  }
}
