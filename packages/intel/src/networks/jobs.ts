import { openAutonomousSystems } from './autonomous-systems.ts';
import { openDelegations } from './delegations.ts';
import { changeLists } from './mark-table.ts';
import { openOrigins } from './origins.ts';
import { openPrefixes } from './prefixes.ts';

/** What takes too long for the event loop: whatever reads a whole dataset. */
export const JOBS = { changeLists, openOrigins, openAutonomousSystems, openPrefixes, openDelegations };
export type Jobs = typeof JOBS;
