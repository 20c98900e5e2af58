import { randomBytes } from 'node:crypto';
import { PROTOCOL } from '../frames/index.ts';
import { checkJob } from './frames.ts';

const JOB_BYTES = 12;
const NONCE_BYTES = 16;
export const VERSION = `${PROTOCOL.major}.${PROTOCOL.minor}`;

export const createJobId = (): string => randomBytes(JOB_BYTES).toString('base64url');
export const createNonce = (): string => randomBytes(NONCE_BYTES).toString('hex');

/** The job frames of one request: alike but for attempt, nonce and budget, so they are checked and serialised once. */
export interface JobFrames {
  job: string;
  createNonce(): string;
  /** The frame of one attempt at one location, JSON text. `nonce` is one of ours; parked, the job awaits its go. */
  text(attempt: number, nonce: string, budgetMs: number, parked?: boolean): string;
}

/** `attempts` are those foreseen: one for each location. Throws `FrameError` when the spec is not a job that fits a frame. */
export function jobFrames(kind: string, spec: Record<string, unknown>, budgetMs: number, attempts: number): JobFrames {
  const random = randomBytes(JOB_BYTES + NONCE_BYTES * attempts); // one call to the random source
  const job = random.toString('base64url', 0, JOB_BYTES);
  let used = JOB_BYTES;
  const nextNonce = () => (used === random.length ? createNonce() : random.toString('hex', used, (used += NONCE_BYTES)));
  const common = `"v":"${VERSION}","job":"${job}","kind":${JSON.stringify(kind)},"spec":${JSON.stringify(spec)}`;
  const text = (attempt: number, nonce: string, budget: number, parked = false) =>
    `{${common},"attempt":${attempt},"nonce":"${nonce}","budget_ms":${budget}${parked ? ',"parked":true' : ''}}`;
  const sample = {
    v: VERSION,
    job,
    kind,
    spec,
    attempt: 1,
    nonce: '0'.repeat(NONCE_BYTES * 2),
    budget_ms: Math.max(1, Math.floor(budgetMs)),
  };
  checkJob(sample, text(sample.attempt, sample.nonce, sample.budget_ms));
  return { job, createNonce: nextNonce, text };
}
