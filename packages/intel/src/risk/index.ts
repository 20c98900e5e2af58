export * from './risk.ts';
export * from './tables.ts';
