export { startsAt } from './host.ts';
export type { JobKind, Readings } from './jobs.ts';
export { PARSER_MAIN, type Starter, startsHere } from './launch.ts';
export { ParserPool, type Sandbox } from './pool.ts';
export { type EndReason, MAX_CPU_MS, MAX_RESIDENT_BYTES, ParserEnded } from './process.ts';
export { usageOf } from './usage.ts';
