import { namesBuilder } from './name-list.ts';
import { defineDataset } from '../define.ts';

/** Names of services of a kind. */
export const namedServices = defineDataset({
  name: 'named_services',
  rules: 2,
  build: namesBuilder({ accuses: false }),
  open: ({ nameLists }) => nameLists,
});
