import type { Presence } from '@vedette/bus';
import type { Clock } from '@vedette/contract';
import type { Ledger } from '@vedette/ledger';
import type { Log } from '@vedette/process/log';

const TICK_MS = 1_000;
const NOTE_MS = 60_000;
/** How many are kept in memory while the database is away; it keeps no more either. */
const MAX_UNWRITTEN = 1_000;

export interface KnownLocationsOptions {
  /** Ids of VEDETTE_LOCATIONS_FILE. */
  configured: readonly string[];
  /** Ids that had a key on the bus when ours was made. */
  prepared: readonly string[];
  ledger: Ledger;
  clock: Clock;
  log: Log;
}

/**
 * The locations that are shown and asked, whether or not an agent is there: configured, prepared or seen once, at whichever gateway, until an
 * operator removes them. The database keeps them; while it is away those in memory go on, and what is seen meanwhile is written later.
 */
export class KnownLocations {
  #options: KnownLocationsOptions;
  /** Locations that the database does not have yet, and whether an agent was heard there. */
  #unwritten: Map<string, boolean>;
  #ids: readonly string[] = [];
  /** The ids of the database from which `#ids` was made; undefined when it must be made anew. */
  #madeOf: readonly string[] | undefined;
  #beating: () => readonly string[] = () => [];
  #notedAt: number;
  #stopped = new AbortController();
  #running: Promise<void>;

  constructor(options: KnownLocationsOptions) {
    this.#options = options;
    this.#unwritten = new Map(options.prepared.slice(0, MAX_UNWRITTEN).map((id) => [id, false]));
    this.#notedAt = options.clock.now();
    this.#running = this.#run();
  }

  /** All of them, sorted. */
  get ids(): readonly string[] {
    const { configured, ledger } = this.#options;
    const stored = ledger.knownLocations();
    if (stored !== this.#madeOf) {
      this.#madeOf = stored;
      this.#ids = [...new Set([...configured, ...stored, ...this.#unwritten.keys(), ...this.#beating()])].toSorted();
    }
    return this.#ids;
  }

  /** The source of beating agents: presence, which needs the expected locations first, and so is set later. */
  follow(presence: Presence): void {
    this.#beating = () => presence.beating();
    this.#madeOf = undefined;
  }

  /** An agent was heard at a location where none was known. */
  saw(id: string): void {
    if (this.#unwritten.size < MAX_UNWRITTEN) this.#unwritten.set(id, true);
    this.#madeOf = undefined;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stopped;
    let failing = false;
    while (!signal.aborted) {
      await clock.sleep(TICK_MS, signal).catch(() => {}); // stopped: what is left is noted now
      if (this.#unwritten.size === 0 && clock.now() - this.#notedAt < NOTE_MS) continue;
      try {
        await this.#note();
        failing = false;
      } catch (err) {
        if (!failing) log.warn({ err }, 'locations could not be noted: tried again until they are');
        failing = true;
      }
    }
  }

  async #note(): Promise<void> {
    const { ledger, clock, log } = this.#options;
    const noting = new Map([...this.#unwritten, ...this.#beating().map((id): [string, boolean] => [id, true])]);
    this.#notedAt = clock.now();
    if (noting.size === 0) return;
    await ledger.noteLocations(noting);
    const stored = new Set(ledger.knownLocations());
    for (const id of noting.keys())
      if (this.#unwritten.delete(id) && noting.get(id) && !stored.has(id))
        log.warn({ location: id }, 'too many locations are known to remember this one: vedette locations remove');
  }
}
