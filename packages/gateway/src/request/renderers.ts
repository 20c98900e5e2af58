import { ApiError, parseHost, type RenderKind, type RenderResult } from '@vedette/contract';
import type { RenderContact } from '@vedette/bus/frames';
import type { Renderers } from '@vedette/operations/kit';
import { toApiError } from '../door/error-handler.ts';
import type { OutboundGate } from './outbound-gate.ts';
import type { Parts } from './parts.ts';

/** About what a browser takes to start. */
const RETRY_AFTER_S = 5;

/**
 * The renderers for one request: what it has rendered leaves through its gate, with a permit of those that accounts share, and what comes
 * back is held until its answer has left.
 */
export const renderersOf = (parts: Parts, { gate, remainingMs }: { gate: OutboundGate; remainingMs: () => number }): Renderers => ({
  async render(kind, job, { input, signal }) {
    const { fleet, intel, metrics } = parts;
    const { asker, presence } = fleet.renderers;
    const { clock } = intel.ports;
    const started = clock.now();
    try {
      // Known at once: no request waits for a permit of lost renderers.
      const missing = missingRenderer(parts);
      if (missing !== undefined || (presence.everSeen() && presence.slots() === 0))
        throw new ApiError('no_renderer', missing, { retryAfterS: RETRY_AFTER_S });
      const pass = await gate.page(signal);
      try {
        const rendering = asker.render(kind, job, {
          ...(input && { input }),
          budgetMs: remainingMs(),
          signal,
          admit: (bytes, until) => gate.result(bytes, until),
          contacted: (contacts) => addContacts(gate, contacts),
        });
        gate.rest = rendering.catch(() => undefined);
        const { free, ...rendered } = await rendering;
        gate.retain(free);
        const { page }: RenderResult<RenderKind> = rendered.result;
        if (page.ip !== '') gate.addContact(page.ip);
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

/** Why nothing can be rendered, by the renderer that said it last; undefined where something can, or soon. */
export function missingRenderer({ config, fleet }: Parts): string | undefined {
  if (config.settings.VEDETTE_RENDERER === 'off') return 'VEDETTE_RENDERER is off';
  const { presence } = fleet.renderers;
  const all = presence.renderers();
  // One that joins is there in a moment.
  if (!presence.everSeen() || all.some(({ state }) => state === 'joining' || state === 'ready' || state === 'degraded')) return undefined;
  const [last] = all.filter(({ beat }) => beat.problem !== undefined).toSorted((one, other) => one.silent_ms - other.silent_ms);
  return last?.beat.problem ?? 'none is left of those that were here';
}

/** A renderer reports its contacts, and may be stolen: only valid hosts get a row in the log. */
function addContacts(gate: OutboundGate, contacts: readonly RenderContact[]): void {
  for (const { host, addresses } of contacts)
    if (parseHost(host)?.host === host) for (const address of addresses) gate.addContact(address, host);
}
