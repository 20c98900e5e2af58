export { type Fetched, fetchBytes, type FetchOptions } from './fetch.ts';
export * from './probe.ts';
