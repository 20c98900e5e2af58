import {
  type Announcer,
  type Bus,
  createRenderAsker,
  createRendererPresence,
  type RenderAsker,
  type RendererId,
  type RendererPresence,
} from '@vedette/bus';
import { type Clock, isRenderKind, type RenderKind } from '@vedette/contract';
import type { Logger } from '@vedette/process/log';
import type { Metrics } from '../metrics/metrics.ts';

/** The renderers as this gateway sees and asks them over the bus. */
export interface JoinedRenderers {
  asker: RenderAsker;
  presence: RendererPresence;
}

interface Joining {
  /** Jobs and replies; beats; inputs and results: nothing waits behind what is larger, or what strangers send. */
  bus: Bus;
  beats: Bus;
  chunks: Bus;
  gatewayId: string;
  announcer: Announcer;
  metrics: Metrics;
  clock: Clock;
  log: Logger;
  /** Takes what ends all of it. */
  opened: AsyncDisposableStack;
}

/** Hears the renderers, and is able to ask them. */
export function joinRenderers({ bus, beats, chunks, gatewayId, announcer, metrics, clock, log, opened }: Joining): JoinedRenderers {
  const invalidFrame = () => metrics.invalidFrames.inc({ location: '' });
  const onJoining = () => announcer.soon();
  const onFlood = (key: string, renderer: string) => {
    metrics.beatFloods.inc({ location: '' });
    log.warn({ key, renderer }, 'more beats than a renderer sends: is its key in other hands?');
  };
  const onEjected = ({ key, renderer }: RendererId, kind: string, ms: number) => {
    metrics.rendererEjections.inc({ kind: isRenderKind(kind) ? kind : 'other' });
    log.warn({ key, renderer, kind, ejected_ms: ms }, 'a renderer fails at what others can do, again and again: they get its jobs');
  };
  const presence = createRendererPresence({ bus: beats, clock, onInvalid: invalidFrame, onJoining, onFlood, onEjected });
  opened.defer(() => presence.close());
  const retried = (kind: RenderKind) => {
    metrics.renderRetries.inc({ kind });
    log.warn({ kind }, 'a renderer was lost with a page, or could not render it: another gets it');
  };
  const asker = createRenderAsker({ bus, chunks, gatewayId, presence, clock, events: { invalidFrame, retried } });
  opened.defer(() => asker.close());
  return { asker, presence };
}
