import { randomBytes } from 'node:crypto';
import { PROTOCOL } from '@vedette/contract';
import { writeJob } from './frames.ts';

const JOB_BYTES = 12;
const NONCE_BYTES = 16;

/** The job frames of one request: alike but for attempt, nonce and budget, so they are checked and serialised once. */
export interface JobFrames {
  job: string;
  /** One for attempt 1 at each location. */
  nonces: readonly string[];
  /** The frame for one attempt at one location, JSON text. */
  text(attempt: number, nonce: string, budgetMs: number): string;
}

/** Throws `FrameError` when the spec is not a job that fits a frame. */
export function jobFrames(kind: string, spec: Record<string, unknown>, budgetMs: number, locations: number): JobFrames {
  const random = randomBytes(JOB_BYTES + NONCE_BYTES * locations); // one call to the random source
  const job = random.toString('base64url', 0, JOB_BYTES);
  const hex = random.toString('hex', JOB_BYTES);
  const nonces = Array.from({ length: locations }, (_, i) => hex.slice(i * NONCE_BYTES * 2, (i + 1) * NONCE_BYTES * 2));
  const frame = { v: `${PROTOCOL.major}.${PROTOCOL.minor}`, job, kind, spec };
  const whole = writeJob({ ...frame, attempt: 1, nonce: '0'.repeat(NONCE_BYTES * 2), budget_ms: Math.max(1, Math.floor(budgetMs)) });
  const head = whole.slice(0, whole.lastIndexOf(',"attempt":'));
  return { job, nonces, text: (attempt, nonce, budget) => `${head},"attempt":${attempt},"nonce":"${nonce}","budget_ms":${budget}}` };
}

export const createNonce = (): string => randomBytes(NONCE_BYTES).toString('hex');
