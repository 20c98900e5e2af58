import type { BrowserLimits } from './pool.ts';

export interface Machine {
  cores: number;
  /** Memory of the machine, or of the container that we are in. */
  memoryBytes: number;
}

const GB = 1024 ** 3;
/** The memory of this process and of a browser without a page. */
const BASE_BYTES = 0.75 * GB;
/** The memory of an ordinary page; a picture of 15,000 px at the scale of a telephone takes 2.5 GB. */
const JOB_BYTES = 0.5 * GB;
const LARGEST_JOB_BYTES = 2.5 * GB;
const BROWSER_SHARE = 0.75;

/**
 * Jobs at a time, and what the browser may take. Drawing keeps a core busy, so that more jobs than cores only make each other wait: on two
 * cores two jobs at a time make as many pictures a second as four, each in half the time.
 */
export function sizing({ cores, memoryBytes }: Machine): { slots: number; limits: Pick<BrowserLimits, 'maxBytes'> } {
  const slots = Math.max(1, Math.min(cores, Math.floor((memoryBytes - BASE_BYTES) / JOB_BYTES)));
  const wanted = BASE_BYTES + LARGEST_JOB_BYTES + (slots - 1) * JOB_BYTES;
  return { slots, limits: { maxBytes: Math.min(wanted, BROWSER_SHARE * memoryBytes) } };
}
