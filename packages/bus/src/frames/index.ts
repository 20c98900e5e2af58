export * from './jobs.ts';
export * from './renders.ts';
