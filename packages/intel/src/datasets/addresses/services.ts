import { addressesBuilder } from './address-list.ts';
import { defineDataset } from '../define.ts';

/** Networks of providers, as they publish them. */
export const services = defineDataset({
  name: 'services',
  rules: 2,
  // Providers also list their private addresses, which all networks use.
  build: addressesBuilder({ forbids: ({ isWide }) => isWide, leavesOut: ({ isInner, isWide }) => isInner && !isWide }),
  open: ({ addressLists }) => addressLists,
});
