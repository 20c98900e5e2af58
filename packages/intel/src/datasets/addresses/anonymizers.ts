import { accused } from './address-list.ts';
import { defineDataset } from '../define.ts';

/** Addresses behind which their users are not known. */
export const anonymizers = defineDataset({
  name: 'anonymizers',
  rules: 2,
  build: accused,
  open: ({ addressLists }) => addressLists,
});
