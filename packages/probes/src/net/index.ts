export { readCa } from './ca.ts';
export { systemClock } from './clock.ts';
export { createDialler } from './dialler.ts';
export { followServices, ownListener } from './listeners.ts';
export { ownAddresses } from './own-addresses.ts';
