import { ApiError, type Clock, isId } from '@vedette/contract';
import type { Bus, BusMessage } from '../wire/connection.ts';
import { countNothing, type BusEvents } from '../wire/events.ts';
import { createHedgeBudget } from '../presence/hedge-budget.ts';
import { readReply } from '../wire/frames.ts';
import type { Flight } from './flight.ts';
import { Inbox } from './inbox.ts';
import type { LocationReply } from './location-reply.ts';
import type { Presence } from '../presence/presence.ts';
import { Request, type AskOptions } from './request.ts';
import { subjects } from '../wire/subjects.ts';

export interface Asker {
  /** Asks every location at once; exactly one reply each, whatever happens. Rejects with `ApiError` bus_unavailable at once when not connected. */
  ask(options: AskOptions): Promise<LocationReply[]>;
  /** Age of the oldest job in flight, ms; 0 without one. */
  oldestAgeMs(): number;
  close(): void;
}

export interface AskerOptions {
  bus: Bus;
  /** Names the inbox. Where the server knows its clients it must be the public key of our credentials (`publicKeyOf`): no other inbox is ours. */
  gatewayId: string;
  presence: Presence;
  clock: Clock;
  events?: BusEvents;
}

const SWEEP_MS = 20;
const STALL_MS = 100;

/** Asks agents: one inbox for all requests, one publish per location. */
export function createAsker({ bus, gatewayId, presence, clock, events = countNothing }: AskerOptions): Asker {
  if (!isId(gatewayId)) throw new TypeError('gatewayId must be a subject token');
  const subject = subjects.inbox(gatewayId);
  const onMessage = (message: BusMessage, flights: ReadonlyMap<string, Flight> | undefined, address: string) => {
    const dot = address.lastIndexOf('.');
    const location = address.slice(0, dot);
    const flight = flights?.get(location);
    if (flight !== undefined) flight.onMessage(message, Number(address.slice(dot + 1)));
    else if (readReply(message.data)?.type === 'final') events.late(presence.knows(location) ? location : '');
  };
  const onStall = (ms: number) => presence.stalled(ms);
  const inbox = new Inbox({ bus, subject, tokens: 2, clock, sweepMs: SWEEP_MS, stallMs: STALL_MS, onStall, onMessage });
  const hedges = createHedgeBudget();
  const context = { bus, inbox: subject, presence, clock, events, hedges };
  return {
    async ask(options) {
      if (!bus.connected()) throw new ApiError('bus_unavailable', '', { retryAfterS: 1 });
      const request = new Request(options, context);
      hedges.add(options.locations.length);
      const { job } = request.frames;
      inbox.add(job, request.flights);
      try {
        return await request.run();
      } finally {
        inbox.remove(job);
      }
    },
    oldestAgeMs: () => inbox.oldestAgeMs(),
    close: () => inbox.close(),
  };
}
