export { budgeted } from './budget.ts';
export { parseEndpoints } from './endpoints.ts';
export { joinText, type PresentedRecord, presentRecord, presentRecords } from './presentation.ts';
export { dns } from './probe.ts';
export { DNS_QUESTIONS, DNS_TYPE_NAMES, type DnsTypeName } from './questions.ts';
export { refusing } from './refusing.ts';
export { createResolver } from './resolver.ts';
export { readResolvConf, searchDomains, systemServers } from './system-servers.ts';
export { reverseName } from './wire/name.ts';
