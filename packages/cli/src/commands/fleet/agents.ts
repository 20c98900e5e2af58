import { Command } from 'commander';
import type { CliContext } from '../../context/context.ts';
import { table } from '../../context/table.ts';

/** A row of the gateway's /admin/agents. */
interface AgentRow {
  location: string;
  agent: string;
  state: string;
  simulated: boolean;
  version: string;
  jobs: number;
  silent_ms: number;
}

/** The time after its last heartbeat when an agent no longer makes its location known. */
const SILENT_MS = 5_000;
const WITHIN_MS = 10_000;
const LOOK_MS = 250;

export function agentsCommand({ admin, show }: CliContext): Command {
  return new Command('agents').description('list the agents that a gateway has heard within ten minutes').action(async () => {
    show(await admin.call<AgentRow[]>('GET', ['agents']), (all) =>
      all.length === 0
        ? 'No agent was heard.'
        : table(
            ['location', 'agent', 'state', 'pretends', 'version', 'jobs', 'silent for'],
            all
              .toSorted((one, other) => `${one.location} ${one.agent}`.localeCompare(`${other.location} ${other.agent}`))
              .map((row) => [
                row.location,
                row.agent,
                row.state,
                row.simulated,
                row.version,
                row.jobs,
                `${(row.silent_ms / 1_000).toFixed(0)} s`,
              ]),
          ),
    );
  });
}

/** Has the gateway forget a location whose agents were shut out, once it no longer hears them. */
export async function forgetLocation(id: string, { admin, progress, now, sleep }: CliContext): Promise<void> {
  const until = now() + WITHIN_MS;
  const isHeard = async () =>
    (await admin.call<AgentRow[]>('GET', ['agents'])).some(({ location, silent_ms }) => location === id && silent_ms <= SILENT_MS);
  try {
    while (now() < until && (await isHeard())) await sleep(LOOK_MS);
    await admin.call('DELETE', ['locations', id]);
  } catch (error) {
    progress(`Reports still have an entry for ${id}, until you run: vedette locations remove ${id} (${(error as Error).message})`);
  }
}
