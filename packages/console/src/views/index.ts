export { endOf, phasesOf } from './phases.ts';
