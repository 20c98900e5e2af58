import type { Lab } from '../lab/lab.ts';
import { region as placeOf } from '../lab/plan.ts';
import { ROUTER, routerPort } from '../lab/topology.ts';

/** Moves the core, with the gateway in it, as far from everything else as the region is. */
export async function moveCore(lab: Lab, region: string): Promise<void> {
  const queue = ['-j', 'NFQUEUE', '--queue-num', String(placeOf(region).index), '--queue-bypass'];
  for (const tables of ['iptables', 'ip6tables'])
    for (const hook of [
      ['PREROUTING', '-i'],
      ['POSTROUTING', '-o'],
    ])
      await lab.world.run(ROUTER, [tables, '-t', 'mangle', '-A', ...hook, routerPort('core'), ...queue]);
}
