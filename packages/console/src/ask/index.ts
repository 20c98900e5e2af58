export { addressOf, requestOf } from './address.ts';
