import type { CentralContext, Report } from '@vedette/operations/kit';
import type { OutboundGate } from './outbound-gate.ts';
import type { Prepared } from './prepared.ts';

/** Locations that answered, and that failed. */
export interface Entries {
  answered: number;
  failed: number;
}

/** The input of a request's work. */
export interface WorkRequest {
  context: CentralContext;
  gate: OutboundGate;
  /** No target may be contacted until it resolves; undefined when that is settled. When it rejects, so does the work. */
  go: Promise<void> | undefined;
  /** Told each location's entry as it finishes. */
  onEntry: ((entry: Report) => void) | undefined;
  /** Counts them, where there are any. */
  entries: Entries | undefined;
}

/** Carries out an operation's requests, once they are read and paid for. */
export interface Work {
  /** The locations to ask; none for central operations. Throws `ApiError`. */
  locations(selection: readonly string[] | undefined, query: unknown): string[];
  run(prepared: Prepared, request: WorkRequest): Promise<Report>;
}
