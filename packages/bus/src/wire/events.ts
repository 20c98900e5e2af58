import type { NackFrame } from '../frames/index.ts';

export type HedgeReason = 'no_ack' | 'no_beats' | 'no_responders' | NackFrame['reason'] | 'broken';

/** The counts of the bus. `location` is always one that was asked or has an agent, so it can be a metric's label. */
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
  /** More beats than an agent sends; `agent` is the busiest one, empty where none stands out. Every 10 s at most for each location. */
  beatFlood(location: string, agent: string): void;
  /** An agent failed too many jobs of a kind by its own doing: others get them for so long. */
  ejected(location: string, agent: string, kind: string, ms: number): void;
}

export const countNothing: BusEvents = {
  late() {},
  nack() {},
  noResponders() {},
  invalidFrame() {},
  ackSeconds() {},
  hedge() {},
  beatFlood() {},
  ejected() {},
};
