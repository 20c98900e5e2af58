import {
  type Announcer,
  type Bus,
  createRenderAsker,
  createRendererPresence,
  type RenderAsker,
  type RendererId,
  type RendererPresence,
} from '@vedette/bus';
import type { Logger } from '@vedette/process/log';
import {
  ApiError,
  type Clock,
  isRenderKind,
  parseHost,
  type RenderContact,
  type Renderers,
  type RenderKind,
  type RenderResult,
} from '@vedette/contract';
import { toApiError } from '../door/error-handler.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Outlet } from './outlet.ts';

/** The renderers as this gateway sees and asks them over the bus. */
export interface RendererFleet {
  asker: Pick<RenderAsker, 'render'>;
  presence: Pick<RendererPresence, 'slots' | 'everSeen'>;
}

export interface RendererDeps extends RendererFleet {
  clock: Clock;
  metrics: Metrics;
}

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

/** About what a browser takes to start. */
const RETRY_AFTER_S = 5;

/**
 * The renderers for one request: what it has rendered leaves through its outlet, with a permit of those that accounts share, and what comes
 * back is held until its answer has left.
 */
export const renderersOf = (
  { asker, presence, clock, metrics }: RendererDeps,
  { outlet, remainingMs }: { outlet: Outlet; remainingMs: () => number },
): Renderers => ({
  async render(kind, job, { input, signal }) {
    const started = clock.now();
    try {
      // Known at once: nobody waits for a permit of renderers that are gone.
      if (presence.everSeen() && presence.slots() === 0) throw new ApiError('no_renderer', '', { retryAfterS: RETRY_AFTER_S });
      const pass = await outlet.page(signal);
      try {
        const rendering = asker.render(kind, job, {
          ...(input && { input }),
          budgetMs: remainingMs(),
          signal,
          admit: (bytes, until) => outlet.result(bytes, until),
          contacted: (contacts) => reachAll(outlet, contacts),
        });
        outlet.rest = rendering.catch(() => undefined);
        const { free, ...rendered } = await rendering;
        outlet.keeps(free);
        const { page }: RenderResult<RenderKind> = rendered.result;
        if (page.ip !== '') outlet.reached(page.ip);
        metrics.renders.inc({ kind, outcome: 'ok' });
        return rendered;
      } finally {
        pass();
        metrics.renderSeconds.observe({ kind }, (clock.now() - started) / 1000);
      }
    } catch (error) {
      metrics.renders.inc({ kind, outcome: toApiError(error).code });
      throw error;
    }
  },
});

/** A renderer says whom it contacted, and may be stolen: what is no host is no row of a log. */
function reachAll(outlet: Outlet, contacts: readonly RenderContact[]): void {
  for (const { host, addresses } of contacts)
    if (parseHost(host)?.host === host) for (const address of addresses) outlet.reached(address, host);
}
