import { namesBuilder } from './name-list.ts';
import { defineDataset } from '../define.ts';

/** Names that do harm. */
export const maliciousNames = defineDataset({
  name: 'malicious_names',
  rules: 2,
  build: namesBuilder({ accuses: true }),
  open: ({ nameLists }) => nameLists,
});
