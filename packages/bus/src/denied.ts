import {
  BoundedMap,
  type Cidr,
  type Clock,
  type DeniedFrame,
  ENDED,
  formatCidr,
  type Listener,
  MAX_LISTENERS,
  parseCidr,
} from '@vedette/contract';
import type { Bus } from './connection.ts';
import { readDenied, writeDenied } from './frames.ts';
import { subjects } from './subjects.ts';

/** An agent that missed a message does not know what is new in the next for so long at most. */
const ANNOUNCE_MS = 5_000;
/** However many agents join. */
const MIN_INTERVAL_MS = 250;
/** Gateways whose listeners are remembered; the one heard longest ago is forgotten first. */
const MAX_GATEWAYS = 1_000;

/** A gateway that is silent for so long has gone, and its ports are whoever's. */
const FORGET_MS = 10 * 60_000;

/** What the operator contacts for nobody, whatever is allowed. */
export interface Denied {
  networks: () => readonly Cidr[];
  listeners: () => readonly Listener[];
}

export interface Announcer {
  /** Something has changed: tells it before whatever we send next. */
  now(): void;
  /** Somebody may not know yet: tells it at once, or, where that was just done, a moment later. */
  soon(): void;
  stop(): void;
}

/** Tells all agents and gateways again and again what is denied. `gateway` names us. */
export function announceDenied(bus: Bus, clock: Clock, gateway: string, denied: Denied): Announcer {
  const stopped = new AbortController();
  let asked = false;
  let wake = new AbortController();
  const tell = () => bus.publish(subjects.denied, writeDenied(frameOf(gateway, denied)));
  const announce = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      asked = false;
      tell();
      await clock.sleep(MIN_INTERVAL_MS, stopped.signal).catch(() => undefined);
      if (asked) continue;
      wake = new AbortController();
      await clock.sleep(ANNOUNCE_MS - MIN_INTERVAL_MS, AbortSignal.any([stopped.signal, wake.signal])).catch(() => undefined);
    }
  };
  void announce();
  return {
    now: tell,
    soon() {
      asked = true;
      wake.abort(ENDED);
    },
    stop: () => stopped.abort(),
  };
}

const frameOf = (gateway: string, { networks, listeners }: Denied): DeniedFrame => ({
  gateway,
  networks: networks().map(formatCidr),
  listeners: listeners()
    .slice(0, MAX_LISTENERS.count)
    .map(({ addresses, ports }) => ({
      addresses: addresses.slice(0, MAX_LISTENERS.addresses),
      ports: ports.slice(0, MAX_LISTENERS.ports),
    })),
});

/** The networks that the operator denies, as a gateway announced them last; and where all gateways of the last ten minutes say that something listens. */
export function followDenied(bus: Pick<Bus, 'subscribe'>, now = () => performance.now()): Denied {
  let networks: readonly Cidr[] = [];
  let listeners: readonly Listener[] = [];
  const byGateway = new BoundedMap<string, { heardAt: number; of: readonly Listener[] }>(MAX_GATEWAYS);
  bus.subscribe(subjects.denied, ({ data }) => {
    const frame = readDenied(data);
    if (!frame) return;
    networks = frame.networks.flatMap((text) => parseCidr(text) ?? []);
    if (frame.gateway === undefined) return;
    const heardAt = now();
    byGateway.set(frame.gateway, { heardAt, of: frame.listeners ?? [] });
    listeners = [...byGateway].flatMap(([, last]) => (heardAt - last.heardAt > FORGET_MS ? [] : last.of));
  });
  return { networks: () => networks, listeners: () => listeners };
}
