import { type FleetPlan, fleetToken } from '@vedette/bus';
import { isId, isLoopback } from '@vedette/contract';
import { Command } from 'commander';
import type { CliContext } from '../../context/context.ts';
import { forgetLocation } from './agents.ts';
import { changePlan, changing, DIR, folderOf, planIn, shown, tidings, type Where } from './folder.ts';
import { runningBus, seedOf } from './running-bus.ts';

export function addLocationCommand(context: CliContext): Command {
  const { show, progress } = context;
  return new Command('add-location')
    .description('add a location, and print its join token as the only line on stdout')
    .argument('<id>', 'id of the location')
    .option(...DIR)
    .option('--region <name>', 'region of the leaf node for its agents (default for a new location: the hubs)')
    .option('--leaf <host>', "name or address of the region's leaf node, if the region is new")
    .action(async (id: string, { region, leaf, ...where }: Where & { region?: string; leaf?: string }) => {
      const folder = folderOf(where, context);
      const was = planIn(folder);
      let isNew = true;
      if (!isId(id)) throw new Error(`${JSON.stringify(id)} is not an id of a location: it has at most 64 letters, digits, - and _`);
      if (leaf !== undefined && region === undefined) throw new Error('--leaf needs a --region');
      if (was.listen !== undefined && isLoopback(was.listen))
        throw new Error(
          'no other machine reaches the bus of npm start: start it again with VEDETTE_BUS_HOST=<name or address of this machine>',
        );
      if (was.listen !== undefined && region !== undefined)
        throw new Error(`this fleet has one server and no regions: add hubs first, vedette fleet init ${folder} --hub <host>`);
      const bus = await runningBus(folder, was, context);
      const adding = (plan: FleetPlan): FleetPlan => {
        isNew = !Object.hasOwn(plan.locations, id);
        const regions = { ...plan.regions, ...(region !== undefined && leaf !== undefined && { [region]: { host: leaf } }) };
        // One that is there stays where it is: its agents have a token for that, and would be shut out of the other.
        const location = region === undefined ? (plan.locations[id] ?? {}) : { region };
        return { ...plan, regions, locations: { ...plan.locations, [id]: location } };
      };
      const written = await changePlan(folder, adding, context);
      const joining = await changing(folder, () => fleetToken(folder, id));
      await bus?.takesOver(seedOf(folder, `agent-${id}`), true);
      const state = isNew ? `${id} is a location now.` : `${id} was a location already, with this token.`;
      progress(bus ? `${state} ${invitation(id, where)}` : `${tidings(folder, written)}\n\n${state} ${invitation(id, where)}`);
      show({ ...shown(written), token: joining }, () => joining);
    });
}

export function removeCommand(context: CliContext): Command {
  const { show } = context;
  return new Command('remove')
    .description(
      "delete a location's key, which shuts its agents out, and under npm start its entry in reports; added again, it gets a new key",
    )
    .argument('<id>', 'id of the location')
    .option(...DIR)
    .action(async (id: string, where: Where) => {
      const folder = folderOf(where, context);
      const was = planIn(folder);
      if (!Object.hasOwn(was.locations, id)) throw new Error(`there is no location ${id} in ${folder}`);
      if (was.here === id)
        throw new Error(`${id} is the location of this machine: start npm start again without VEDETTE_LOCATION=${id}, then remove it`);
      const bus = await runningBus(folder, was, context);
      const seed = await changing(folder, () => seedOf(folder, `agent-${id}`));
      const removing = ({ locations: { [id]: _gone, ...locations }, ...plan }: FleetPlan): FleetPlan => ({ ...plan, locations });
      const written = await changePlan(folder, removing, context);
      await bus?.takesOver(seed, false);
      if (bus && was.pretended?.includes(id) !== true) await forgetLocation(id, context);
      const rest = `${id} has an entry in reports, until its agents are shut out and you run: vedette locations remove ${id}`;
      show(shown(written), () => (bus ? `${id} is gone: its key is shut out.` : `${tidings(folder, written)}\n\n${rest}`));
    });
}

/** Where install.sh of a release puts root's agent, which is on no PATH. */
const RELEASED = '/opt/vedette-agent/vedette';

/** How to use a token, which is a secret: no argument, since every user of a machine sees those of its processes. */
const invitation = (id: string, { dir }: Where): string =>
  `Run this on each machine there, and paste the token below:

${RELEASED} agent join -  # root's agent of a release
./vedette agent join -                   # in a checkout

or from here: vedette fleet token ${id}${dir === undefined ? '' : ` --dir ${dir}`} | ssh <machine> ${RELEASED} agent join -`;
