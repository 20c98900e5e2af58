import { type BudgetedResolver, isDnsName, isSpecialUseName, lookUp } from '@vedette/contract';
import type { MessageFacts } from '@vedette/message/report';
import { reverseName } from '@vedette/probes/dns';
import { unlessRefused } from '../shared/names/unless-refused.ts';

interface ReversePorts {
  resolver: BudgetedResolver;
  signal: AbortSignal;
}

/** The name of the sending address; empty without one. */
export interface SenderName {
  hostname: string;
  /** There is an address, and it has no name. */
  nameless: boolean;
  /** Why the DNS did not tell the name; empty where it did, undefined where it was not asked. */
  problem: string | undefined;
}

const NAME_BUDGET = { questions: 1, ms: 5_000 };

/** Gives the name that the receiver noted. If it did not note whether there is one, the DNS is asked. */
export async function senderName(
  { sender_details: { ip_address }, sender_rdns: { noted, hostname } }: Pick<MessageFacts, 'sender_details' | 'sender_rdns'>,
  { resolver: whole, signal }: ReversePorts,
): Promise<SenderName> {
  const owner = reverseName(ip_address);
  if (noted !== 'unsaid' || owner === undefined || isSpecialUseName(owner))
    return { hostname, nameless: noted === 'none', problem: undefined };
  using resolver = whole.share(NAME_BUDGET);
  const found = await unlessRefused(lookUp({ resolver, signal }, owner, 'PTR'));
  if (found === undefined) return { hostname, nameless: false, problem: 'this service asks too much about that name at the moment' };
  if (found.state === 'failed') return { hostname, nameless: false, problem: found.error };
  const name = found.records.map(({ data }) => data.toLowerCase()).find(isDnsName);
  return { hostname: name ?? hostname, nameless: name === undefined, problem: '' };
}
