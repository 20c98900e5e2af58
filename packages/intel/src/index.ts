export * from './access/index.ts';
export * from './bimi/index.ts';
export * from './dkim/index.ts';
export * from './dmarc/index.ts';
export * from './dnssec/index.ts';
export * from './email/index.ts';
export * from './mail-shared/index.ts';
export * from './spf/index.ts';
