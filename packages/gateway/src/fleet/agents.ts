import type { Presence } from '@vedette/bus';
import type { AdminRoute } from '@vedette/ledger';
import { Type } from 'typebox';

/** The handlers of /admin for agents: every one that was heard within ten minutes. */
export const agentRoutes = (presence: Presence): AdminRoute[] => [
  {
    method: 'GET',
    path: '/admin/agents',
    param: Type.String({ maxLength: 0 }),
    handle: async () =>
      presence.agents().map(({ location, agent, state, silent_ms, beat: { version, simulated, jobs } }) => ({
        location,
        agent,
        state,
        simulated,
        version,
        jobs,
        silent_ms: Math.round(silent_ms),
      })),
  },
];
