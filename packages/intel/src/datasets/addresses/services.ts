import { addressesBuilder } from './address-list.ts';
import { defineDataset } from '../define.ts';

/** Networks of providers, as they publish them. */
export const services = defineDataset({
  name: 'services',
  rules: 2,
  // Providers list inner addresses of theirs too, which belong to everybody.
  build: addressesBuilder({ forbids: ({ isWide }) => isWide, leavesOut: ({ isInner, isWide }) => isInner && !isWide }),
  open: ({ addressLists }) => addressLists,
});
