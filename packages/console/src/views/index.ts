export { agreementsOf } from './agreement.ts';
export { failedTests, fixOf } from './fixes.ts';
export { endInWords, layOut, pathOf } from './paths.ts';
export { endOf, phasesOf } from './phases.ts';
export { chainOf } from './steps.ts';
