export * from './open.ts';
