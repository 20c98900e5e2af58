/** Why a feed is not taken: no answer to work with, another status than 200, or something that is not the list. */
export const REFUSALS = [
  'fetch_failed',
  'status',
  'too_large',
  'html',
  'format',
  'too_few',
  'shrunk',
  'grown',
  'poisoned',
  'internal',
] as const;

export type Refusal = (typeof REFUSALS)[number];

/** A file that is not taken; what was there before stays. */
export class FeedRefused extends Error {
  readonly why: Refusal;
  /** The server's, where it is why; else 0. */
  readonly status: number;

  constructor(why: Refusal, message: string, { status = 0, ...options }: ErrorOptions & { status?: number } = {}) {
    super(message, options);
    this.name = 'FeedRefused';
    this.why = why;
    this.status = status;
  }
}
