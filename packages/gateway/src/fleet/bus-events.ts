import type { BusEvents, BusWarning } from '@vedette/bus';
import { PROBE_KINDS } from '@vedette/contract';
import type { Logger } from '@vedette/process/log';
import type { Metrics } from '../metrics/metrics.ts';

/** Counts what the bus tells, and says who must be looked after. */
export const busEvents = (metrics: Metrics, log: Logger): BusEvents => ({
  late: (location) => metrics.late.inc({ location }),
  nack: (location, reason) => metrics.nacks.inc({ location, reason }),
  noResponders: (location) => metrics.noResponders.inc({ location }),
  invalidFrame: (location) => metrics.invalidFrames.inc({ location }),
  ackSeconds: (location, seconds) => metrics.ack.observe({ location }, seconds),
  hedge: (reason, won) => metrics.hedges.inc({ reason, won: String(won) }),
  beatFlood(location, agent) {
    metrics.beatFloods.inc({ location });
    log.warn({ location, agent }, 'more beats than an agent sends: is its key in other hands?');
  },
  ejected(location, agent, kind, ms) {
    metrics.ejections.inc({ location, kind: PROBE_KINDS.find((name) => name === kind) ?? 'other' });
    log.warn({ location, agent, kind, ejected_ms: ms }, 'an agent fails again and again: others get its jobs');
  },
});

/** Logs and counts warnings of the bus. An old server is named once, and not for each connection; agents and renderers leave that to us. */
export function busWarnings(metrics: Metrics, log: Logger): (code: BusWarning, detail: string) => void {
  const outdated = new Set<string>();
  return (code, detail) => {
    if (!outdated.has(detail)) log.warn({ code, detail }, 'message bus');
    if (code !== 'server_outdated') return metrics.busErrors.inc();
    outdated.add(detail);
    metrics.busOutdated.set(1);
  };
}
