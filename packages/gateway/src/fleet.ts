import { randomBytes } from 'node:crypto';
import {
  announceDenied,
  createAsker,
  createPresence,
  openBus,
  publicKeyOf,
  type Asker,
  type Bus,
  type BusWarning,
  type Presence,
} from '@vedette/bus';
import type { Clock } from '@vedette/contract';
import type { Ledger } from '@vedette/ledger';
import type { Logger } from '@vedette/process/log';
import { busEvents } from './bus-metrics.ts';
import type { GatewayConfig } from './config.ts';
import { shareInvalidations } from './invalidations.ts';
import type { Metrics } from './metrics.ts';

/** The agents, as this gateway sees and asks them over the bus. */
export interface Fleet {
  /** Names this gateway on the bus. */
  id: string;
  bus: Bus;
  presence: Presence;
  asker: Asker;
}

export interface FleetParts {
  ledger: Ledger;
  metrics: Metrics;
  clock: Clock;
  log: Logger;
  /** Takes what ends all of it. */
  opened: AsyncDisposableStack;
}

/** Joins the bus, waiting for a server that is not there yet, and shares with the other gateways what the ledger tells. */
export async function joinFleet(
  { settings, credentials }: GatewayConfig,
  { ledger, metrics, clock, log, opened }: FleetParts,
): Promise<Fleet> {
  // The public key names the inbox that the server lets us read; without keys any name will do.
  const id = credentials === undefined ? `gw-${randomBytes(6).toString('hex')}` : publicKeyOf(credentials);
  const onWarning = (warning: BusWarning, detail: string): void => {
    log.warn({ warning, detail }, 'bus');
    if (warning === 'server_outdated') metrics.busOutdated.set(1);
    else metrics.busErrors.inc();
  };
  const bus = await openBus({
    url: settings.VEDETTE_NATS_URL,
    name: id,
    clock,
    ...(credentials !== undefined && { credentials }),
    onWarning,
  }).catch((cause: unknown) => Promise.reject(busRefused(cause)));
  opened.defer(() => bus.close());
  const events = busEvents(metrics);
  const presence = createPresence({ bus, clock, events });
  opened.defer(() => presence.close());
  const asker = createAsker({ bus, gatewayId: id, presence, clock, events });
  opened.defer(() => asker.close());
  shareInvalidations(ledger, bus, log);
  opened.defer(announceDenied(bus, clock, ledger.deniedNetworks));
  return { id, bus, presence, asker };
}

/** The bus will not have us, now or any more: there is nothing to wait for. */
export const busRefused = (cause: unknown): Error => new Error('the message bus refused us', { cause });
