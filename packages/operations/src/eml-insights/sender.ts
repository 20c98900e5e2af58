import { type BudgetedResolver, isDnsName, isSpecialUseName, lookUp } from '@vedette/contract';
import type { EmlReport, MessageReading } from '@vedette/message/report';
import { hostParts } from '@vedette/intel/names';
import { reverseName } from '@vedette/probes/dns';
import { unlessRefused } from '../shared/names/unless-refused.ts';

type SenderDetails = EmlReport['sender_details'];

interface ReversePorts {
  resolver: BudgetedResolver;
  signal: AbortSignal;
}

/** The facts about the name of an address. */
export interface NamedSender {
  details: SenderDetails;
  /** There is an address, and it has no name. */
  nameless: boolean;
}

const NAME_BUDGET = { questions: 1, ms: 5_000 };

/** Adds the name of the sending address as the DNS has it now, where the receiver did not note whether there is one. */
export async function withName(
  details: SenderDetails,
  noted: MessageReading['sender_rdns'],
  { resolver: whole, signal }: ReversePorts,
): Promise<NamedSender> {
  const owner = reverseName(details.ip_address);
  if (noted !== 'unsaid' || owner === undefined || isSpecialUseName(owner)) return { details, nameless: noted === 'none' };
  using resolver = whole.share(NAME_BUDGET);
  const found = await unlessRefused(lookUp({ resolver, signal }, owner, 'PTR'));
  if (found === undefined || found.state === 'failed') return { details, nameless: false };
  const name = found.records.map(({ data }) => data.toLowerCase()).find(isDnsName);
  if (name === undefined) return { details, nameless: true };
  const { root_domain, tld } = hostParts(name);
  return { details: { ...details, hostname: name, hostname_root_domain: root_domain, hostname_tld: tld }, nameless: false };
}
