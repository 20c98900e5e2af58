import type { CentralContext, Report } from '@vedette/operations/kit';
import type { Outlet } from './outlet.ts';
import type { Prepared } from './prepared.ts';

/** Locations that answered, and that failed. */
export interface Entries {
  answered: number;
  failed: number;
}

/** What a request's work is given. */
export interface WorkRequest {
  context: CentralContext;
  outlet: Outlet;
  /** Nobody may be contacted until it resolves; undefined where that is settled. When it rejects, so does the work. */
  go: Promise<void> | undefined;
  /** Told each location's entry as it finishes. */
  onEntry: ((entry: Report) => void) | undefined;
  /** Counts them, where there are any. */
  entries: Entries | undefined;
}

/** What carries out an operation's requests, once they are read and paid for. */
export interface Work {
  /** The locations to ask; none for central operations. Throws `ApiError`. */
  locations(selection: readonly string[] | undefined): string[];
  run(prepared: Prepared, request: WorkRequest): Promise<Report>;
}
