export { pingConflict, pingJob, PingOptions } from './options.ts';
export { ping, PingMeasured } from './probe.ts';
