import { DelegationsBuilder } from '../../networks/index.ts';
import { ofBuilder, takeAll } from '../rows.ts';
import { defineDataset } from '../define.ts';

/** The delegations of the regional registries. */
export const delegations = defineDataset({
  name: 'delegations',
  rules: 2,
  async build(file) {
    const builder = new DelegationsBuilder();
    const counts = await takeAll(file, (fields) => builder.add(fields.join('|')));
    return ofBuilder(counts, builder);
  },
  open: ({ networks }) => ({ use: (_feed, snapshot) => networks.setDelegations(snapshot) }),
});
