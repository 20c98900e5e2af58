export { addressOf, addressOfRun, requestOf, runKeyOf } from './address.ts';
