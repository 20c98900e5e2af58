export { answerText } from './answers.ts';
export { TRACE_DEFAULTS, TRACE_PROTOCOLS, traceJob, type TraceOptions } from './job.ts';
export { pathHash } from './path-hash.ts';
export { trace } from './probe.ts';
export { MplsStack, STOPS, TRACE_MAX, type TraceResult } from './schema.ts';
