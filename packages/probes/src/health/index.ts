export { CAPABILITIES, type CapabilityVerdict, type NetworkCapability } from './capability.ts';
export { CapabilityTest } from './capability-test.ts';
export { corrected, type Health, NetworkHealth, type NetworkState, type VerdictChange } from './network-health.ts';
export type { NameAnswer } from './names.ts';
export { rootProblem, type WitnessLists } from './witnesses.ts';
