import { hash } from 'node:crypto';
import { BoundedMap, type Cidr, type Clock, ENDED, formatCidr, type Listener, parseCidr, someAtOrAbove } from '@vedette/contract';
import { type DeniedFrame, MAX_LISTENERS } from '../frames/index.ts';
import type { Bus } from '../wire/connection.ts';
import { readDenied, writeDenied } from '../wire/frames.ts';
import { subjects } from '../wire/subjects.ts';

/** An agent that missed a message does not know what is new in the next for so long at most. */
const ANNOUNCE_MS = 5_000;
/** However many agents join. */
const MIN_INTERVAL_MS = 250;
/** Gateways whose listeners are remembered; the one heard longest ago is forgotten first. */
const MAX_GATEWAYS = 1_000;

/** A gateway that is silent for so long has gone, and other programs may use its ports. */
const FORGET_MS = 10 * 60_000;

/** A gateway's time is taken from its last three messages. */
const CLOCK_FOR_MS = 3 * ANNOUNCE_MS + 1_000;

/** The hosts that the operator never contacts, whatever is allowed. */
export interface Denied {
  networks: () => readonly Cidr[];
  listeners: () => readonly Listener[];
}

/** A gateway's part of it. */
export interface ToldDenied extends Denied {
  /** Each stands for everything below it too. Another list where they have changed, the same where not. */
  names: () => readonly string[];
}

/** A gateway's last message about it. */
export interface HeardDenied extends Denied {
  /** Whether a name (lower-case A-labels), or one above it, is denied. */
  isDenied(name: string): boolean;
  /** How far our wall clock is ahead of the gateways', ms: by the one that it is nearest to. Undefined while none has told its time. */
  clockSkewMs(): number | undefined;
}

export interface Announcer {
  /** Something has changed: tells it before whatever we send next. */
  now(): void;
  /** A new subscriber may not know it yet: sends it at once, or a moment later if it was just sent. */
  soon(): void;
  stop(): void;
}

/** Tells all agents and gateways again and again what is denied. `gateway` names us. */
export function announceDenied(bus: Bus, clock: Clock, gateway: string, denied: ToldDenied, today = Date.now): Announcer {
  const stopped = new AbortController();
  let requested = false;
  let wake = new AbortController();
  let last: { names: readonly string[]; digests: string[] } = { names: [], digests: [] };
  const digests = (): string[] => {
    const names = denied.names();
    if (names !== last.names) last = { names, digests: names.map(digestOf) };
    return last.digests;
  };
  const tell = () => bus.publish(subjects.denied, writeDenied({ ...frameOf(gateway, denied, digests()), clock_ms: today() }));
  const announce = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      requested = false;
      tell();
      await clock.sleep(MIN_INTERVAL_MS, stopped.signal).catch(() => undefined);
      if (requested) continue;
      wake = new AbortController();
      await clock.sleep(ANNOUNCE_MS - MIN_INTERVAL_MS, AbortSignal.any([stopped.signal, wake.signal])).catch(() => undefined);
    }
  };
  void announce();
  return {
    now: tell,
    soon() {
      requested = true;
      wake.abort(ENDED);
    },
    stop: () => stopped.abort(),
  };
}

/** A name in a frame: the first 132 bits of its SHA-256, so that the longest names take no more room than networks do. */
const digestOf = (name: string): string => hash('sha256', name, 'base64url').slice(0, 22);

const frameOf = (gateway: string, { networks, listeners }: Denied, names: string[]): DeniedFrame => ({
  gateway,
  networks: networks().map(formatCidr),
  names,
  listeners: listeners()
    .slice(0, MAX_LISTENERS.count)
    .map(({ addresses, ports }) => ({
      addresses: addresses.slice(0, MAX_LISTENERS.addresses),
      ports: ports.slice(0, MAX_LISTENERS.ports),
    })),
});

/** The networks and names that the operator denies, as a gateway announced them last; and where all gateways of the last ten minutes say that something listens. */
export function followDenied(bus: Pick<Bus, 'subscribe'>, now = () => performance.now(), today = Date.now): HeardDenied {
  let networks: readonly Cidr[] = [];
  let names: ReadonlySet<string> = new Set();
  let listeners: readonly Listener[] = [];
  const byGateway = new BoundedMap<string, { heardAt: number; of: readonly Listener[]; skewMs: number | undefined }>(MAX_GATEWAYS);
  bus.subscribe(subjects.denied, ({ data }) => {
    const frame = readDenied(data);
    if (!frame) return;
    networks = frame.networks.flatMap((text) => parseCidr(text) ?? []);
    if (frame.names) names = new Set(frame.names);
    if (frame.gateway === undefined) return;
    const heardAt = now();
    const skewMs = frame.clock_ms === undefined ? undefined : today() - frame.clock_ms;
    byGateway.set(frame.gateway, { heardAt, of: frame.listeners ?? [], skewMs });
    listeners = [...byGateway].flatMap(([, last]) => (heardAt - last.heardAt > FORGET_MS ? [] : last.of));
  });
  return {
    networks: () => networks,
    listeners: () => listeners,
    clockSkewMs() {
      const skews = [...byGateway].flatMap(([, { heardAt, skewMs }]) => (now() - heardAt > CLOCK_FOR_MS ? [] : (skewMs ?? [])));
      return skews.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0];
    },
    isDenied: (name) => names.size > 0 && someAtOrAbove(name, (each) => names.has(digestOf(each))),
  };
}
