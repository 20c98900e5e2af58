export { ageOf, isRecent, isVeryRecent } from './facts/age.ts';
export { reservedAsn } from './asn.ts';
export type { BootstrapFile } from './rdap/bootstrap.ts';
export { registrarOf } from './facts/registrars.ts';
export { readRdapDomain } from './rdap/rdap-domain.ts';
export { createRegistries } from './registries.ts';
export { readWhoisDomain, readWhoisServer } from './whois/whois-domain.ts';
