export { type AutonomousSystemRow, AutonomousSystemsBuilder } from './autonomous-systems.ts';
export { totalAddresses } from './cidrs.ts';
export { DelegationsBuilder } from './delegations.ts';
export { useEmbedded } from './embedded.ts';
export { createNetworks, type NetworkSetters } from './networks.ts';
export { OriginsBuilder } from './origins-data.ts';
export { PrefixesBuilder } from './prefixes.ts';
export { RangeListBuilder } from './range-list.ts';
