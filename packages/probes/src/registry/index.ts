export { askRdap } from './rdap.ts';
export { askWhois } from './whois.ts';
