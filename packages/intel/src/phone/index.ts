export { createPhones, NumberList, type PhoneSetters } from './disposable.ts';
export { loadNumbering } from './numbering.ts';
export { LINE_TYPES, PHONE_PROBLEMS, readPhoneNumber } from './read.ts';
