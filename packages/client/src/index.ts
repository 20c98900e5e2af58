export { type Client, createClient } from './client.ts';
export { base64Of, blobOf } from './files.ts';
export { VedetteError } from './error.ts';
export { type ClientOptions, newIdempotencyKey, type Quota } from './exchange.ts';
export type * from './calls.d.ts';
export type * from './api.d.ts';
