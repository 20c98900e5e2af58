export { createMailboxes, DISPOSABLE_EXCHANGERS, DISPOSABLE_SOURCES, type MailboxSetters } from './disposable.ts';
export { OFFICES, POLICE_NAME, RISKY_TLDS } from './domains.ts';
export { EDUCATION_DOMAINS, STUDENT_LABELS } from './education.ts';
export { CHINESE_FREE, FORWARDERS, FREE_PROVIDERS, MISTYPED_PROVIDERS, PAID_PUBLIC, RUSSIAN_FREE } from './providers.ts';
export { readDisposable } from './read-disposable.ts';
export { CELEBRITIES, DOUBTFUL_WORDS, NO_REPLY, NO_REPLY_END, OBSCENE_WORDS, OBSCENITIES } from './usernames.ts';
