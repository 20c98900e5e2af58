import { PrefixesBuilder, readRange } from '../../networks/index.ts';
import { judgeRange } from '../addresses/canaries.ts';
import { ofBuilder, takeAll } from '../rows.ts';
import { defineDataset } from '../define.ts';

/** The networks that each autonomous system announces. */
export const prefixes = defineDataset({
  name: 'prefixes',
  rules: 2,
  async build(file) {
    const builder = new PrefixesBuilder();
    let forbidden: string | undefined;
    const counts = await takeAll(file, ([prefix = '', asn = '']) => {
      const range = readRange(prefix);
      if (range && judgeRange(range).isWide) forbidden ??= prefix;
      return builder.add(Number(asn), prefix);
    });
    return ofBuilder(counts, builder, forbidden);
  },
  open: ({ networks, onAnnounced }) => ({
    async use(_feed, snapshot) {
      await networks.setPrefixes(snapshot);
      for (const changed of onAnnounced) await changed();
    },
  }),
});
