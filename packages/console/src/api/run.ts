import type { Signal } from '@preact/signals';
import type { VedetteError } from '@vedette/client';
import type { Operation } from './operations.ts';

export type Entry = Readonly<Record<string, unknown>>;

/** One request of this sitting, and what has come of it so far. */
export interface Run {
  id: string;
  operation: Operation;
  request: Readonly<Record<string, unknown>>;
  at: Date;
  /** The idempotency key, and when it was sent first. */
  sending: { key: string; since: number };
  state: Signal<RunState>;
  /** The locations that were chosen, as the gateway tells them before they answer; empty where none is asked, and for a run of before. */
  chosen: Signal<readonly Entry[]>;
  /** Entries of locations in the order in which they came. */
  entries: Signal<readonly Entry[]>;
  stop(): void;
}

export type RunState =
  | { is: 'waiting' }
  | { is: 'running' }
  | { is: 'done'; report: Readonly<Record<string, unknown>> }
  | { is: 'failed'; refusal: VedetteError }
  | { is: 'stopped' }
  /** Asked before this page was loaded: its answer may be kept by the gateway. */
  | { is: 'left' }
  /** The gateway has no answer of it any more. */
  | { is: 'gone' };
