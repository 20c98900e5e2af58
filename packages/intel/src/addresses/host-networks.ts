import type { Networks } from '../ports/index.ts';
import { isFront } from './clouds.ts';
import { LISTS_OF } from './data.ts';

/** A sign of a host's address, by its network or its system. */
export interface NetworkSign {
  factor: 'drop_network' | 'criminal_system' | 'tor_exit';
  /** The address, and who lists what. */
  detail: string;
}

/** The lists behind these signs. */
export const NETWORK_LISTS: readonly string[] = [...LISTS_OF.is_blocklist_drop, 'spamhaus-asndrop', ...LISTS_OF.is_tor];

/**
 * The signs of the networks that a host is in, each once. The addresses of content delivery networks say nothing: thousands of hosts share one.
 */
export function networkSigns(
  addresses: readonly string[],
  networks: Pick<Networks, 'marks' | 'origin' | 'hasList'>,
): readonly NetworkSign[] {
  const signs = new Map<NetworkSign['factor'], NetworkSign>();
  for (const address of addresses) {
    if (isFront(address, networks)) continue;
    const marks = networks.marks(address);
    const on = (...lists: readonly string[]): boolean => marks.some(({ list }) => lists.includes(list));
    const found: [NetworkSign['factor'], boolean, string][] = [
      ['drop_network', on(...LISTS_OF.is_blocklist_drop), `Spamhaus DROP has the network of ${address}`],
      [
        'criminal_system',
        on('spamhaus-asndrop'),
        `Spamhaus ASN-DROP has AS${networks.origin(address)?.asn ?? 0}, which announces ${address}`,
      ],
      ['tor_exit', on(...LISTS_OF.is_tor), `${address} is an exit of Tor`],
    ];
    for (const [factor, holds, detail] of found) if (holds && !signs.has(factor)) signs.set(factor, { factor, detail });
  }
  return [...signs.values()];
}
