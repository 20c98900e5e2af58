export { ping, PingMeasured } from './probe.ts';
