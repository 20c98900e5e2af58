export * from './facts.ts';
export * from './report.ts';
export * from './picture.ts';
