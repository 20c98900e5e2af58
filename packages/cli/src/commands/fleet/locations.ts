import type { KnownLocation } from '@vedette/ledger';
import { Command } from 'commander';
import type { CliContext } from '../../context/context.ts';
import { table } from '../../context/table.ts';

const COLUMNS = ['location', 'last seen', 'known since'];
const row = ({ id, seen_at, known_since }: KnownLocation) => [id, seen_at, known_since];

export function locationsCommand({ admin, show }: CliContext): Command {
  const locations = new Command('locations');
  locations
    .command('list')
    .description('list prepared and seen locations; gateways also know those of VEDETTE_LOCATIONS_FILE')
    .action(async () => {
      show(await admin.call<KnownLocation[]>('GET', ['locations']), (all) =>
        all.length === 0 ? 'No location is known.' : table(COLUMNS, all.map(row)),
      );
    });
  locations
    .command('add')
    .description('add locations before their agents connect')
    .argument('<ids...>', 'ids, as in VEDETTE_LOCATION of the agents')
    .addHelpText('after', '\nExample:\n  $ vedette locations add us-ash')
    .action(async (ids: string[]) => {
      const added: KnownLocation[] = [];
      for (const id of ids) added.push(await admin.call<KnownLocation>('POST', ['locations'], { body: { id } }));
      show(added, (all) => table(COLUMNS, all.map(row)));
    });
  locations
    .command('remove')
    .description('remove locations; a location comes back if an agent there still sends heartbeats')
    .argument('<ids...>', 'ids, as in `vedette locations list`')
    .action(async (ids: string[]) => {
      const removed: Record<string, boolean> = {};
      for (const id of ids) ({ removed: removed[id] } = await admin.call<{ removed: boolean }>('DELETE', ['locations', id]));
      show(removed, (all) =>
        Object.entries(all)
          .map(([id, was]) => (was ? `${id} is forgotten, until an agent there beats.` : `${id} was not known.`))
          .join('\n'),
      );
    });
  return locations;
}
