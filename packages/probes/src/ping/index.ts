export * from './probe.ts';
