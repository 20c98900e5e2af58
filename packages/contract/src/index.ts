export * from './net/index.ts';
export * from './ports/index.ts';
export * from './tools/index.ts';
export * from './words/index.ts';
