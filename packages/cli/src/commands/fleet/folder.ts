import { join } from 'node:path';
import { type Fleet, type FleetPlan, readFleet, writeFleet } from '@vedette/bus';
import { holdingDirectory } from '@vedette/ledger';
import type { CliContext } from '../../context/context.ts';
import { table } from '../../context/table.ts';

/** The option that names a fleet's folder. */
export const DIR = ['--dir <folder>', 'folder of fleet init (default: that of npm start, in VEDETTE_DATA_DIR)'] as const;

export interface Where {
  dir?: string;
}

export const folderOf = ({ dir }: Where, { database }: Pick<CliContext, 'database'>): string => dir ?? join(database.dataDir, 'fleet');

/** Writes a changed plan with all that belongs to it. `change` gets the plan as it is then: no other process changes it meanwhile. */
export const changePlan = (folder: string, change: (plan: FleetPlan) => FleetPlan, { today }: Pick<CliContext, 'today'>): Promise<Fleet> =>
  changing(folder, () => holdingDirectory(folder, () => writeFleet(folder, change(planIn(folder)), { now: today() })));

/** The plan in a fleet's folder. Throws an Error where there is none. */
export function planIn(folder: string): FleetPlan {
  const plan = readFleet(folder);
  if (plan === undefined)
    throw new Error(`there is no fleet in ${folder}: VEDETTE_DATA_DIR names the data directory of npm start, --dir a folder of fleet init`);
  return plan;
}

/** Has what is done to a folder's keys fail in words where they are another user's. */
export async function changing<T>(folder: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!['EACCES', 'EPERM'].includes((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
    throw new Error(`${folder} belongs to another user: run this as that user, or as root`, { cause });
  }
}

/** A written fleet as JSON has it. */
export const shown = ({ keys: { gateways, renderers }, ...written }: Fleet) => ({ ...written, keys: { gateways, renderers } });

/** The written files, and the operator's next step. */
export function tidings(folder: string, { servers, keys, url }: Fleet): string {
  const rows = servers.map(({ name, host, changes }) => [
    `${folder}/${name}`,
    host,
    changes === undefined ? 'new: copy and start' : changes.length === 0 ? 'as it was' : 'changed: copy and reload',
  ]);
  const files = [...keys.gateways, ...keys.renderers].join(', ');
  return `${table(['folder', 'for', 'is'], rows)}

Gateways and renderers: VEDETTE_NATS_URL=${url}
VEDETTE_NATS_CA_FILE is ${folder}/ca.pem, VEDETTE_NATS_CREDS is one of these for each process: ${files}`;
}
