import { ApiError, shown } from '@vedette/contract';

const WHY_MAX_CHARS = 400;

/**
 * The error when no registry answered: a request to retry later when our own pacing stopped the question, a failed upstream when the
 * registry is silent.
 */
export const unheard = ({ problem, retry_after_s }: { problem: string; retry_after_s: number }): ApiError => {
  const why = shown(problem, WHY_MAX_CHARS);
  return retry_after_s > 0
    ? new ApiError('target_limited', why, { retryAfterS: retry_after_s })
    : new ApiError('upstream_failed', `no registry answered: ${why}`);
};
