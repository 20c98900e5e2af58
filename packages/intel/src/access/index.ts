export * from './html-info.ts';
export * from './judge-access.ts';
