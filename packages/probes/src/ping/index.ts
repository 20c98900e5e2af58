export { ping } from './probe.ts';
