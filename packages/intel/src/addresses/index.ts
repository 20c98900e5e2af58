export { addressRisk } from './address-risk.ts';
export { isFront } from './clouds.ts';
export { LISTS_OF } from './data.ts';
export { MAIL_SENDERS, MAIL_SENDERS_LIST, type MailSender } from './mail-senders.ts';
export { reverseDns, type ReverseDns } from './reverse-dns.ts';
export { SERVICE_TYPES } from './services.ts';
export { daysSince, systemFacts } from './system.ts';
export { type AddressTraits, judgeAddress } from './traits.ts';
export { PUBLIC_RESOLVERS, ROOT_NAME_SERVERS } from './well-known.ts';
