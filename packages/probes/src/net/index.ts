export { readCa } from './ca.ts';
export { systemClock } from './clock.ts';
export { createDialler } from './dialler.ts';
export { followServices, ownListener } from './listeners.ts';
export { ownAddresses, ownFamilies } from './own-addresses.ts';
export type { Http3Client, Http3Outcome, Http3Request } from './http3/port.ts';
