import { ApiError, parseHost } from '@vedette/contract';

/** The domain a client asks about, in A-labels. An address has no mail policy: `ApiError` invalid_parameter. */
export function domainName(host: string): string {
  const parsed = parseHost(host);
  if (parsed?.kind !== 'name') throw new ApiError('invalid_parameter', 'host must be a domain name');
  return parsed.host;
}
