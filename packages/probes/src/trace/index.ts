export { answerText } from './answers.ts';
export { pathHash } from './path-hash.ts';
export { trace } from './probe.ts';
export { MplsStack, STOPS, TRACE_MAX, type TraceResult } from './schema.ts';
