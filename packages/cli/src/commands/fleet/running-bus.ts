import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FleetPlan, localUrl, openBus } from '@vedette/bus';
import { systemClock } from '@vedette/probes/net';
import { changing } from './folder.ts';

/** The bus of an `npm start` that runs: it reads each change of its fleet's folder by itself. */
export interface RunningBus {
  /** Resolves once it lets the key's holder in, or no longer does. Throws an Error when that takes too long. */
  takesOver(seed: string, admits: boolean): Promise<void>;
}

/** It waits up to 10 s for a moment without jobs. */
const WITHIN_MS = 15_000;
const LOOK_MS = 200;

/** The key of a role or location in a fleet's folder. */
export const seedOf = (folder: string, name: string): string => readFileSync(join(folder, 'keys', `${name}.nkey`), 'utf8');

/** The bus of the fleet in this folder, where `npm start` runs it: undefined for other fleets. Throws an Error when it does not answer. */
export async function runningBus(
  folder: string,
  plan: FleetPlan,
  { now, sleep }: { now: () => number; sleep: (ms: number) => Promise<unknown> },
): Promise<RunningBus | undefined> {
  const url = localUrl(plan);
  if (url === undefined) return undefined;
  const roots = [readFileSync(join(folder, 'ca.pem'), 'utf8')];
  const admits = async (credentials: string): Promise<boolean> => {
    const options = { url, roots, credentials, name: 'vedette fleet', clock: systemClock, waitOnFirstConnect: false };
    try {
      await (await openBus(options)).close();
      return true;
    } catch (cause) {
      if (/authori[sz]ation/i.test((cause as Error).message)) return false;
      throw new Error(`the bus of ${folder} does not answer at ${url}: does npm start run?`, { cause });
    }
  };
  await admits(await changing(folder, () => seedOf(folder, 'gateway-1')));
  return {
    async takesOver(seed, wanted) {
      const until = now() + WITHIN_MS;
      while ((await admits(seed)) !== wanted) {
        if (now() > until) throw new Error(`the bus has not read its new configuration: ${join(folder, 'nats-server.log')} may say why`);
        await sleep(LOOK_MS);
      }
    },
  };
}
