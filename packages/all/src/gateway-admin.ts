import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const WITHIN_MS = 2_000;

/** A row of /admin/agents. */
interface AgentRow {
  location: string;
  state: string;
  simulated: boolean;
  /** Jobs that it runs. */
  jobs: number;
}

/** The operators' listener of our gateway. Calls reject while it does not answer within two seconds. */
export interface GatewayAdmin {
  /** The agents that take jobs or finish some. */
  agents(): Promise<AgentRow[]>;
  /** Forgets a location, which has no entry in reports from then on. */
  forget(location: string): Promise<void>;
}

/** `token`: VEDETTE_ADMIN_TOKEN; unset: the one that the gateway makes in its data directory. */
export function createGatewayAdmin(url: string, dataDir: string, token: string | undefined, signal: AbortSignal): GatewayAdmin {
  const call = async (method: string, path: string): Promise<unknown> => {
    const bearer = token || readFileSync(join(dataDir, 'admin-token'), 'utf8').trim();
    const response = await fetch(`${url}/admin/${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}` },
      signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]),
    });
    if (!response.ok) throw new Error(`the gateway answered ${response.status}`);
    return await response.json();
  };
  return {
    agents: async () => ((await call('GET', 'agents')) as AgentRow[]).filter(({ state }) => AT_WORK.has(state)),
    forget: async (location) => void (await call('DELETE', `locations/${location}`)),
  };
}

const AT_WORK = new Set(['ready', 'degraded', 'draining']);
