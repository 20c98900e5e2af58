import type { NackFrame } from '@vedette/contract';

export type HedgeReason = 'no_ack' | 'no_beats' | 'busy' | 'draining' | 'no_responders';

/** What the bus counts. `location` is always one that was asked or has an agent, so it can be a metric's label. */
export interface BusEvents {
  /** An answer came after its entry was complete. */
  late(location: string): void;
  nack(location: string, reason: NackFrame['reason']): void;
  noResponders(location: string): void;
  /** Malformed, oversized, forged, or out of order. */
  invalidFrame(location: string): void;
  ackSeconds(location: string, seconds: number): void;
  /** A location was asked a second time; `won` says whether that answer was the one used. */
  hedge(reason: HedgeReason, won: boolean): void;
}

export const countNothing: BusEvents = {
  late() {},
  nack() {},
  noResponders() {},
  invalidFrame() {},
  ackSeconds() {},
  hedge() {},
};
