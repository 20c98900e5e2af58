export * from './exits.ts';
export * from './probe.ts';
