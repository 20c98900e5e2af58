export { openIcmpEngine } from './open.ts';
