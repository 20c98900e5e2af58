export { type RestrictionLevel, restrictionLevel } from './scripts.ts';
export { skeleton } from './skeleton.ts';
