export { fetchBytes, type FetchOptions } from './fetch.ts';
export { httpProbe } from './probe.ts';
