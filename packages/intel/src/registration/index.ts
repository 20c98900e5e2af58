export { ageOf, isRecent, isVeryRecent } from './age.ts';
export { reservedAsn } from './asn.ts';
export type { BootstrapFile } from './bootstrap.ts';
export { registrarOf } from './registrars.ts';
export { createRegistries } from './registries.ts';
export { readWhoisServer } from './whois-domain.ts';
