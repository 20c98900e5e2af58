import { ApiError, isProtectedHost, type ProbeFailure } from '@vedette/contract';
import type { CentralContext } from '../../kit/index.ts';

/** Refuses a URL, or a host, whose name or address only the DNS revealed, with the gateway's words for refused ones. */
export async function refusedTarget(
  failure: ProbeFailure,
  host: string,
  { isDenied, isOptedOut }: Pick<CentralContext, 'isDenied' | 'isOptedOut'>,
  param = 'url',
): Promise<ApiError> {
  const options = { param, cause: failure };
  const { code, seen } = failure;
  if (code === 'blocked_private_address') return new ApiError('private_address', seen, options);
  if (isProtectedHost(seen)) return new ApiError('blocked_target', seen, options);
  if (isDenied(seen)) return new ApiError('denied_target', seen, options);
  return (await isOptedOut(host)) ? new ApiError('denied_target', host, options) : new ApiError('special_use_name', seen, options);
}
