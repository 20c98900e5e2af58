import { ApiError, shown } from '@vedette/contract';

const WHY_MAX_CHARS = 400;

/** What to throw where no registry answered: later, where it is we who asked too much of it; a fault of others where it is silent. */
export const unheard = ({ problem, retry_after_s }: { problem: string; retry_after_s: number }): ApiError => {
  const why = shown(problem, WHY_MAX_CHARS);
  return retry_after_s > 0
    ? new ApiError('target_limited', why, { retryAfterS: retry_after_s })
    : new ApiError('upstream_failed', `no registry answered: ${why}`);
};
