import type { Clock } from '@vedette/contract';

const LIFE_MS = 10 * 60_000;
/** The reports of one account, and so the longest that is kept. */
const MAX_ACCOUNT_BYTES = 16 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
/** The least that an entry counts. */
const ENTRY_BYTES = 500;

/** A file of a report, in base64. */
export interface ReportFile {
  /** The field of the report that had it. */
  name: string;
  mimeType: string;
  base64: string;
}

/** A report without its files, as it is read, and the files. */
export interface WholeReport {
  json: Buffer;
  files: readonly ReportFile[];
}

interface Kept extends WholeReport {
  keyId: string;
  account: string;
  bytes: number;
  until: number;
}

/** The reports of the last minutes, for the keys that asked for them. The oldest of the account that holds most make room. */
export class KeptReports {
  readonly #clock: Clock;
  /** The oldest first, as in each set of ids. */
  readonly #reports = new Map<string, Kept>();
  readonly #ofAccounts = new Map<string, { ids: Set<string>; bytes: number }>();
  #bytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Keeps a report under this id. Returns whether it is short enough. */
  keep(id: string, { keyId, account }: { keyId: string; account: string }, { json, files }: WholeReport): boolean {
    const bytes = files.reduce((sum, { base64 }) => sum + base64.length, json.byteLength + ENTRY_BYTES);
    if (bytes > MAX_ACCOUNT_BYTES) return false;
    const now = this.#clock.now();
    for (const [oldest, { until }] of this.#reports) {
      if (until > now) break;
      this.#drop(oldest);
    }
    while (this.#held(account) + bytes > MAX_ACCOUNT_BYTES) this.#dropOldestOf(account);
    while (this.#bytes + bytes > MAX_BYTES) this.#dropOldestOf(this.#largest());
    const own = this.#ofAccounts.get(account) ?? { ids: new Set(), bytes: 0 };
    this.#ofAccounts.set(account, own);
    own.ids.add(id);
    own.bytes += bytes;
    this.#bytes += bytes;
    this.#reports.set(id, { keyId, account, json, files, bytes, until: now + LIFE_MS });
    return true;
  }

  /** The report of this id, for the key that asked for it. */
  read(keyId: string, id: string): WholeReport | undefined {
    const kept = this.#reports.get(id);
    return kept?.keyId === keyId && kept.until > this.#clock.now() ? kept : undefined;
  }

  #held(account: string): number {
    return this.#ofAccounts.get(account)?.bytes ?? 0;
  }

  #largest(): string {
    let largest = '';
    let most = -1;
    for (const [account, { bytes }] of this.#ofAccounts) if (bytes > most) [largest, most] = [account, bytes];
    return largest;
  }

  #dropOldestOf(account: string): void {
    const [oldest] = this.#ofAccounts.get(account)!.ids;
    this.#drop(oldest!);
  }

  #drop(id: string): void {
    const { account, bytes } = this.#reports.get(id)!;
    const own = this.#ofAccounts.get(account)!;
    this.#reports.delete(id);
    own.ids.delete(id);
    own.bytes -= bytes;
    this.#bytes -= bytes;
    if (own.ids.size === 0) this.#ofAccounts.delete(account);
  }
}
