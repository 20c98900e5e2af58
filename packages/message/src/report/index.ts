export * from './facts.ts';
export * from './report.ts';
