import { randomBytes } from 'node:crypto';
import {
  announceDenied,
  createAsker,
  createPresence,
  locationsOf,
  openBus,
  publicKeyOf,
  subjects,
  type Announcer,
  type Asker,
  type Bus,
  type BusWarning,
  type Presence,
} from '@vedette/bus';
import type { Clock, Listener } from '@vedette/contract';
import type { Ledger } from '@vedette/ledger';
import { busRefused } from '@vedette/process/bus-refused';
import type { Logger } from '@vedette/process/log';
import { StartError } from '@vedette/process/start-error';
import { busEvents, busWarnings } from './bus-events.ts';
import type { GatewayConfig } from '../config/config.ts';
import { KnownLocations } from '../locations/known-locations.ts';
import { type JoinedRenderers, joinRenderers } from './renderers.ts';
import { shareInvalidations } from './invalidations.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** The agents, as this gateway sees and asks them over the bus. */
export interface Fleet {
  /** Names this gateway on the bus. */
  id: string;
  bus: Bus;
  /** Whether agents are heard and can be asked: no connection is away. */
  connected(): boolean;
  /** When a connection is gone for good, or the bus lets us hear neither agents nor replies. */
  lost: Promise<StartError>;
  presence: Presence;
  known: KnownLocations;
  asker: Asker;
  renderers: JoinedRenderers;
  /** Tells agents and other gateways what is never contacted. */
  announcer: Announcer;
}

export interface FleetParts {
  ledger: Ledger;
  /** Where this gateway, the bus and the database listen. */
  listeners: () => readonly Listener[];
  metrics: Metrics;
  clock: Clock;
  log: Logger;
  /** Takes what ends all of it. */
  opened: AsyncDisposableStack;
}

/** The server should be near, and each request waits for it: of a frozen one we know within a second. */
const PATIENCE_MS = 500;

const noGateway = (keyFile: string | undefined): StartError =>
  new StartError(
    `${keyFile === undefined ? 'this gateway, which has no key' : `the key in ${keyFile}`} is no gateway's to the message bus: give VEDETTE_NATS_CREDS a gateway's file of those that \`vedette bus prepare\` wrote`,
  );

/** Joins the bus, waiting for a server that is not there yet, and shares with the other gateways what the ledger tells. */
export async function joinFleet(
  { settings, credentials, busRoots, catalogue }: GatewayConfig,
  { ledger, listeners, metrics, clock, log, opened }: FleetParts,
): Promise<Fleet> {
  // The public key names the inbox that the server lets us read; without keys any name will do.
  const id = credentials === undefined ? `gw-${randomBytes(6).toString('hex')}` : publicKeyOf(credentials);
  const { promise: refused, resolve: refuse } = Promise.withResolvers<StartError>();
  /** The parts that a gateway cannot run without. */
  const vital = [`${subjects.inbox(id)}.*.*.*`, subjects.beat('*', '*')];
  const warn = busWarnings(metrics, log);
  const onWarning = (code: BusWarning, detail: string): void => {
    if (code === 'forbidden_subscribe' && vital.includes(detail)) refuse(noGateway(settings.VEDETTE_NATS_CREDS));
    warn(code, detail);
  };
  const connect = async (name: string, carries: string): Promise<Bus> => {
    const bus = await openBus({
      url: settings.VEDETTE_NATS_URL,
      name,
      clock,
      patienceMs: PATIENCE_MS,
      roots: busRoots,
      ...(credentials !== undefined && { credentials }),
      onWarning,
    }).catch((cause: unknown) => Promise.reject(busRefused(cause, settings.VEDETTE_NATS_CREDS)));
    opened.defer(() => bus.close());
    opened.defer(
      bus.onChange((connected) => log.warn({ carries }, connected ? 'the message bus is back' : 'the message bus cannot be reached')),
    );
    return bus;
  };
  const bus = await connect(id, 'jobs and replies');
  // Any holder of an agent's key may fill this connection; replies do not wait behind it.
  const beats = await connect(`${id} beats`, 'beats');
  // Inputs and results of renders: nothing waits behind fifty megabytes.
  const chunks = await connect(`${id} chunks`, 'inputs and results of renders');
  const events = busEvents(metrics, log);
  const known = new KnownLocations({
    configured: catalogue.ids,
    prepared: credentials === undefined ? [] : locationsOf(credentials),
    ledger,
    clock,
    log,
  });
  opened.defer(() => known.stop());
  const presence = createPresence({
    bus: beats,
    clock,
    events,
    expected: () => known.ids,
    onLocation: (location) => known.saw(location),
    onJoining: () => announcer.soon(),
  });
  known.follow(presence);
  opened.defer(() => presence.close());
  const today = () => Date.now() - (presence.ownSkewMs() ?? 0);
  const announcer = announceDenied(bus, clock, id, { ...ledger.denied, listeners }, today);
  opened.defer(() => announcer.stop());
  const asker = createAsker({ bus, gatewayId: id, presence, clock, events });
  opened.defer(() => asker.close());
  const renderers = joinRenderers({ bus, beats, chunks, gatewayId: id, announcer, metrics, clock, log, opened });
  shareInvalidations(ledger, bus, log);
  return {
    id,
    bus,
    connected: () => bus.connected() && beats.connected() && chunks.connected(),
    lost: Promise.race([
      refused,
      Promise.race([bus.closed, beats.closed, chunks.closed]).then((cause) => busRefused(cause, settings.VEDETTE_NATS_CREDS)),
    ]),
    presence,
    known,
    asker,
    renderers,
    announcer,
  };
}
