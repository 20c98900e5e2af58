import { RanksBuilder } from '../../names/index.ts';
import { noPause, takeAll } from '../rows.ts';
import { defineDataset } from '../define.ts';

/** The best known domains, in order. */
export const ranks = defineDataset({
  name: 'ranks',
  rules: 2,
  async build(file) {
    const builder = new RanksBuilder();
    let best = Number.POSITIVE_INFINITY;
    const counts = await takeAll(file, ([name = '', rank = '']) => {
      if (name === 'google.com') best = Number(rank);
      return builder.add(name, Number(rank));
    });
    const forbidden = best <= 100 ? undefined : 'no google.com among the first hundred';
    return { ...counts, forbidden, bytes: builder.rows === 0 ? new Uint8Array() : await builder.build(noPause) };
  },
  open: ({ names }) => ({
    use: (_feed, snapshot) => names.setRanks(snapshot),
    drop: () => names.setRanks(undefined),
  }),
});
