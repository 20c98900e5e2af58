import { ApiError, type ParsedHost } from '@vedette/contract';
import { type DnsTypeName, reverseName } from '@vedette/probes/dns';

/** The name to ask for these types. An address stands for its reverse name, which holds PTR records and nothing else of it. Throws `ApiError`. */
export function ownerName({ kind, host }: ParsedHost, types: readonly DnsTypeName[]): string {
  if (kind === 'name') return host;
  if (types.some((type) => type !== 'PTR'))
    throw new ApiError('invalid_parameter', 'host must be a domain name; of an address PTR alone can be asked', { param: 'host' });
  return reverseName(host)!;
}
