export { addressRisk } from './address-risk.ts';
export { LISTS_OF } from './data.ts';
export { MAIL_SENDERS, MAIL_SENDERS_LIST } from './mail-senders.ts';
export { reverseDns, type ReverseDns } from './reverse-dns.ts';
export { readSender, type SenderNetworks, senderSnapshot, shippedSenders } from './sender-networks.ts';
export { SERVICE_TYPES } from './services.ts';
export { daysSince, systemFacts } from './system.ts';
export { type AddressTraits, judgeAddress } from './traits.ts';
