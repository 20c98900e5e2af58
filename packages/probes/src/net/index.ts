export { readCa } from './ca.ts';
export { systemClock } from './clock.ts';
export { createDialler } from './dialler.ts';
export { followServices, ownListener } from './listeners.ts';
export { ownAddresses, ownFamilies } from './own-addresses.ts';
