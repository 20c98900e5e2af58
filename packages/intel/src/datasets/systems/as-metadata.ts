import { AutonomousSystemsBuilder } from '../../networks/index.ts';
import { ofBuilder, takeAll } from '../rows.ts';
import { defineDataset } from '../define.ts';

/** Names and kinds of autonomous systems. */
export const asMetadata = defineDataset({
  name: 'as_metadata',
  rules: 2,
  async build(file) {
    const builder = new AutonomousSystemsBuilder();
    const counts = await takeAll(file, ([asn = '', asname = '', org = '', country = '', category = '']) =>
      builder.add({ asn: Number(asn), asname, org, country_code: country === 'XX' ? '' : country, category, domain: '' }),
    );
    return ofBuilder(counts, builder);
  },
  open: ({ networks }) => ({ use: (_feed, snapshot) => networks.setAutonomousSystems(snapshot) }),
});
