import { parseCidr } from '@vedette/contract';
import { OriginsBuilder } from '../../networks/index.ts';
import { ofBuilder, takeAll } from '../rows.ts';
import { defineDataset } from '../define.ts';

/** The origins of well-known addresses: a table that differs does not describe the internet. */
const WELL_KNOWN_ORIGINS: readonly (readonly [address: string, asn: number])[] = [
  ['8.8.8.8', 15_169],
  ['1.1.1.1', 13_335],
];

/** The origin AS of addresses. */
export const origins = defineDataset({
  name: 'origins',
  rules: 2,
  async build(file) {
    const builder = new OriginsBuilder();
    let forbidden: string | undefined;
    const known = WELL_KNOWN_ORIGINS.map(([address, asn]) => ({ address: parseCidr(address)!, asn }));
    const counts = await takeAll(file, ([first = '', last = '', asn = '', org = '']) => {
      const [from, to] = [first, last].map((end) => parseCidr(end));
      const wrong = known.find(
        ({ address, asn: right }) =>
          from?.version === 4 && to && from.base <= address.base && address.base <= to.base && Number(asn) !== right,
      );
      if (wrong) forbidden ??= `an address of AS${wrong.asn} at AS${asn}`;
      return builder.add(`${first}-${last}`, Number(asn), org);
    });
    return ofBuilder(counts, builder, forbidden);
  },
  open: ({ networks, installed, onAnnounced }) => ({
    async use(_feed, snapshot) {
      await installed;
      await networks.setOrigins(snapshot);
      for (const changed of onAnnounced) await changed();
    },
  }),
});
