export { fetchBytes, type FetchOptions } from './fetch.ts';
export { requestOnce } from './request.ts';
