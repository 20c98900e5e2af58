import { HSTS_PRELOAD, PreloadedBuilder } from '../../names/index.ts';
import { noPause, takeAll } from '../rows.ts';
import { defineDataset } from '../define.ts';

/** Names that browsers ship as https alone. */
export const preloadedNames = defineDataset({
  name: 'preloaded_names',
  rules: 1,
  async build(file) {
    const builder = new PreloadedBuilder();
    const counts = await takeAll(file, ([name = '', flag = '']) => builder.add(name, flag.trim()));
    return { ...counts, forbidden: undefined, bytes: builder.rows === 0 ? new Uint8Array() : await builder.build(noPause) };
  },
  open: ({ names }) => ({
    use: (_feed, snapshot) => names.setList(HSTS_PRELOAD, snapshot),
    drop: () => names.setList(HSTS_PRELOAD, undefined),
  }),
});
