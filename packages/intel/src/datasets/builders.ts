import type { Builders } from '../feeds/index.ts';
import { DATASETS } from './catalogue/feeds.ts';

/** How each dataset makes its snapshots: the module that `openBuilder` loads in its thread. */
export const builders: Builders = Object.fromEntries(DATASETS.map(({ name, build }) => [name, build]));
