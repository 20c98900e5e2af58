import { accused } from './address-list.ts';
import { defineDataset } from '../define.ts';

/** Addresses that attack others. */
export const attackers = defineDataset({
  name: 'attackers',
  rules: 2,
  build: accused,
  open: ({ addressLists }) => addressLists,
});
