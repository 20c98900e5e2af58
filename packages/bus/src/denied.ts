import { type Cidr, type Clock, formatCidr, parseCidr } from '@vedette/contract';
import type { Bus } from './connection.ts';
import { readDenied, writeDenied } from './frames.ts';
import { subjects } from './subjects.ts';

/** An agent that starts, or missed a message, does not know the list for so long at most. */
const ANNOUNCE_MS = 5_000;

/** Tells all agents again and again which networks the operator denies. Returns what ends it. */
export function announceDenied(bus: Bus, clock: Clock, networks: () => readonly Cidr[]): () => void {
  const stop = new AbortController();
  const announce = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      bus.publish(subjects.denied, writeDenied({ networks: networks().map(formatCidr) }));
      await clock.sleep(ANNOUNCE_MS, stop.signal).catch(() => undefined);
    }
  };
  void announce();
  return () => stop.abort();
}

/** The networks that the operator denies, as a gateway announced them last. */
export function followDenied(bus: Bus): () => readonly Cidr[] {
  let networks: readonly Cidr[] = [];
  bus.subscribe(subjects.denied, ({ data }) => {
    const frame = readDenied(data);
    if (frame) networks = frame.networks.flatMap((text) => parseCidr(text) ?? []);
  });
  return () => networks;
}
