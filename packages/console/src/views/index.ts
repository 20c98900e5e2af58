export { agreementsOf } from './agreement.ts';
export { endOf, phasesOf } from './phases.ts';
export { endInWords, layOut, pathOf } from './paths.ts';
