import { fileURLToPath } from 'node:url';

export { ParserPool, type Sandbox } from './pool.ts';
export { type EndReason, MAX_CPU_MS, MAX_RESIDENT_BYTES, ParserEnded } from './process.ts';

/** The script that a parser runs. */
export const PARSER_MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
