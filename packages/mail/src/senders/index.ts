import type { BudgetedResolver } from '@vedette/contract';
import { RangeListBuilder, totalAddresses } from '@vedette/intel/networks';
import { authorizedNetworks, walkSpf } from '../spf/index.ts';
import { MAIL_SENDERS, type MailSender } from '@vedette/intel/addresses';

/** Networks of each mail sender, by the name that its customers include. */
export type SenderNetworks = ReadonlyMap<string, readonly string[]>;

/** The shipped networks. */
export const shippedSenders = (): SenderNetworks => new Map(MAIL_SENDERS.map(({ spf, shipped }) => [spf, shipped]));

/** The list of all of them, compact. */
export function senderSnapshot(senders: SenderNetworks): Uint8Array {
  const list = new RangeListBuilder();
  for (const [spf, networks] of senders) for (const network of networks) list.add(network, spf);
  return list.build();
}

/** No sender has so many addresses, nor so large a network of IPv6: a record that says so is a mistake, or not the sender's. */
const MAX_ADDRESSES = 1n << 24n;
const MIN_V6_BITS = 28;
/** A record that has lost more than half of its addresses is more likely cut short than true. */
const SHRINKS = 2n;

/**
 * Reads a sender's record and all that it includes. Undefined when the result is not better than the known one: no or only a part of the
 * questions were answered, it lets the world send, or it has shrunk.
 */
export async function readSender(
  { spf }: Pick<MailSender, 'spf'>,
  before: readonly string[],
  ports: { resolver: BudgetedResolver; signal: AbortSignal },
): Promise<readonly string[] | undefined> {
  const tree = await walkSpf(spf, ports);
  if (tree.errors.length > 0) return undefined;
  const { ipv4, ipv6 } = authorizedNetworks(tree);
  const addresses = totalAddresses(ipv4);
  const had = totalAddresses(before.filter((network) => !network.includes(':')));
  const isTooWide = addresses > MAX_ADDRESSES || ipv6.some((network) => Number(network.split('/')[1] ?? 128) < MIN_V6_BITS);
  if (ipv4.length + ipv6.length === 0 || isTooWide || addresses * SHRINKS < had) return undefined;
  return [...ipv4, ...ipv6];
}
