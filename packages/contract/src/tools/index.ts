export * from './bounded-map.ts';
export * from './languages.ts';
export * from './list.ts';
export * from './nearest.ts';
export * from './paper.ts';
export * from './shown.ts';
export * from './time.ts';
export * from './token-buckets.ts';
