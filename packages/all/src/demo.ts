import { setTimeout as sleep } from 'node:timers/promises';
import { readFleet, writeFleet } from '@vedette/bus';
import { holdingDirectory } from '@vedette/ledger';
import type { Log } from '@vedette/process/log';
import type { GatewayAdmin } from './gateway-admin.ts';
import { agentAt, exitsOff } from './roles.ts';
import type { Supervisor } from './supervisor.ts';

const LOOK_MS = 1_000;

export interface DemoOptions {
  /** Folder of the fleet. */
  folder: string;
  admin: GatewayAdmin;
  supervisor: Pick<Supervisor, 'end'>;
  log: Log;
  signal: AbortSignal;
  /** VEDETTE_VPN_EXITS. */
  vpnExits: string | undefined;
}

/**
 * Has the agents that only pretend leave once a real one is ready, and their locations with them: `pretends` are those that run. Where none does, what
 * an earlier start left is forgotten. Jobs under way are finished. Resolves when it is done, or `signal` is aborted.
 */
export async function endDemo(
  pretends: readonly string[],
  { folder, admin, supervisor, log, signal, vpnExits }: DemoOptions,
): Promise<void> {
  if (readFleet(folder)?.pretended?.length === 0) return;
  /** A gateway that restarts is asked again. */
  const until = async (isSo: (agents: Awaited<ReturnType<GatewayAdmin['agents']>>) => boolean): Promise<void> => {
    for (;;) {
      const agents = await admin.agents().catch(() => undefined);
      if (agents && isSo(agents.filter(({ state }) => state !== 'draining'))) return;
      await sleep(LOOK_MS, undefined, { signal });
    }
  };
  try {
    if (pretends.length > 0) await until((agents) => agents.some(({ simulated }) => !simulated));
    const ended = Promise.all(pretends.map((location) => supervisor.end(agentAt(location))));
    // From then on they take no jobs, and their locations need no entry.
    await until((agents) => !agents.some(({ simulated }) => simulated));
    const { pretended = [], locations } = readFleet(folder)!;
    for (const location of pretended) if (!Object.hasOwn(locations, location)) await admin.forget(location);
    await ended;
    await holdingDirectory(folder, () => writeFleet(folder, { ...readFleet(folder)!, pretended: [] }, { now: new Date() }));
    if (pretends.length === 0) return;
    log.info({}, 'a real agent has joined: those that pretended to be in three cities have left');
    for (const line of exitsOff(vpnExits, [])) log.warn({}, line);
  } catch (err) {
    if (!signal.aborted) log.error({ err }, 'the pretended locations could not be removed: the next start tries again');
  }
}
