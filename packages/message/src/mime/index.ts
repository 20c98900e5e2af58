export type { HeaderField } from './fields.ts';
export { NESTED_MESSAGES_MAX } from './limits.ts';
export { allAddresses, allFields, firstAddresses, firstField, type Part, rawFields } from './part.ts';
export { type Mime, readMime } from './walk.ts';
export { decodeWords } from './words.ts';
export { parseAddresses, type AddressList, type Mailbox } from './addresses.ts';
export { parseDate, type MailDate } from './date.ts';
