export { fetchBytes, type FetchOptions } from './fetch.ts';
