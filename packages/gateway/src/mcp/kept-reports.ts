import type { Clock } from '@vedette/contract';

const LIFE_MS = 10 * 60_000;
const MAX_KEY_CHARS = 4_000_000;
const MAX_CHARS = 32_000_000;
/** The least that an entry counts. */
const ENTRY_CHARS = 500;

interface Kept {
  keyId: string;
  text: string;
  chars: number;
  until: number;
}

/** The reports of the last minutes, for the keys that asked for them. The oldest make room, those of the same key first. */
export class KeptReports {
  readonly #clock: Clock;
  /** The oldest first, as in each set of ids. */
  readonly #reports = new Map<string, Kept>();
  readonly #ofKeys = new Map<string, { ids: Set<string>; chars: number }>();
  #chars = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Keeps a report; its id, or undefined where it is too long. */
  keep(keyId: string, text: string): string | undefined {
    const chars = text.length + ENTRY_CHARS;
    if (chars > MAX_KEY_CHARS) return undefined;
    const now = this.#clock.now();
    for (const [id, { until }] of this.#reports) {
      if (until > now && this.#chars + chars <= MAX_CHARS) break;
      this.#drop(id);
    }
    for (const id of this.#ofKeys.get(keyId)?.ids ?? []) {
      if (this.#ofKeys.get(keyId)!.chars + chars <= MAX_KEY_CHARS) break;
      this.#drop(id);
    }
    const id = crypto.randomUUID();
    const own = this.#ofKeys.get(keyId) ?? { ids: new Set(), chars: 0 };
    this.#ofKeys.set(keyId, own);
    own.ids.add(id);
    own.chars += chars;
    this.#chars += chars;
    this.#reports.set(id, { keyId, text, chars, until: now + LIFE_MS });
    return id;
  }

  /** The report of this id, for the key that asked for it. */
  read(keyId: string, id: string): string | undefined {
    const kept = this.#reports.get(id);
    return kept?.keyId === keyId && kept.until > this.#clock.now() ? kept.text : undefined;
  }

  #drop(id: string): void {
    const { keyId, chars } = this.#reports.get(id)!;
    const own = this.#ofKeys.get(keyId)!;
    this.#reports.delete(id);
    own.ids.delete(id);
    own.chars -= chars;
    this.#chars -= chars;
    if (own.ids.size === 0) this.#ofKeys.delete(keyId);
  }
}
