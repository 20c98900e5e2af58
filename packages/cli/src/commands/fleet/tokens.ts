import { fleetToken, publicKeyOf } from '@vedette/bus';
import { Command } from 'commander';
import type { CliContext } from '../../context/context.ts';
import { table } from '../../context/table.ts';
import { changing, DIR, folderOf, planIn, type Where } from './folder.ts';
import { seedOf } from './running-bus.ts';

export function tokensCommand(context: CliContext): Command {
  const { show } = context;
  return new Command('tokens')
    .description('list the locations that have a token')
    .option(...DIR)
    .action(async (where: Where) => {
      const folder = folderOf(where, context);
      const { locations, regions, hubs } = planIn(folder);
      const rows = await changing(folder, () =>
        Object.entries(locations).map(([location, { region }]) => ({
          location,
          region: region ?? null,
          joins_at: region === undefined ? hubs : [regions[region]!.host],
          key: publicKeyOf(seedOf(folder, `agent-${location}`)),
        })),
      );
      show(rows, (all) =>
        all.length === 0
          ? 'No location has a token: vedette fleet add-location <id>'
          : table(
              ['location', 'region', 'joins at', 'key'],
              all.map((row) => [row.location, row.region, row.joins_at, row.key]),
            ),
      );
    });
}

export function tokenCommand(context: CliContext): Command {
  const { show } = context;
  return new Command('token')
    .description('print only the token of a location')
    .argument('<id>', 'id of the location')
    .option(...DIR)
    .action(async (id: string, where: Where) => {
      const folder = folderOf(where, context);
      planIn(folder);
      const joining = await changing(folder, () => fleetToken(folder, id));
      show({ token: joining }, () => joining);
    });
}
