export * from './target-limits.ts';
