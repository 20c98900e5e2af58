export * from './data-ports.ts';
