import { addressesBuilder } from './address-list.ts';
import { defineDataset } from '../define.ts';

/** Address space that no registry has given out. */
export const bogons = defineDataset({
  name: 'bogons',
  rules: 2,
  build: addressesBuilder({ forbids: ({ isCanary }) => isCanary, leavesOut: () => false, isAnnounced: false }),
  open: ({ addressLists }) => addressLists,
});
