export { openIcmpEngine, type OpenedIcmpEngine } from './open.ts';
