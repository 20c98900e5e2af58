import { isDnsName, ProbeFailure, recordsOf, type Resolver } from '@vedette/contract';
import { reverseName } from '../dns/index.ts';

/**
 * The reverse DNS name of an address: its first PTR record, where that is a host name. Empty when the address has no name, or the answer is
 * late.
 */
export async function hostnameOf(address: string, resolver: Resolver, signal: AbortSignal): Promise<string> {
  const name = reverseName(address);
  if (name === undefined) return '';
  try {
    const names = recordsOf(await resolver.query(name, 'PTR', { signal, addition: true }), 'PTR').map((record) =>
      record.data.toLowerCase(),
    );
    return names.find(isDnsName) ?? '';
  } catch (error) {
    if (signal.aborted || error instanceof ProbeFailure) return '';
    throw error;
  }
}
