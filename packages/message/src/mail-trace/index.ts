export { readSignatures } from './signatures.ts';
export { readTrace, type Trace } from './trace.ts';
