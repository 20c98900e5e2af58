import { type BudgetedResolver, type DnsAnswer, type DnsRecord, isAnswer } from '@vedette/contract';

export const NO_ZONE = { delegated: false, ds: [], dnskeys: [] };

/** The records of a zone and its parent, verified or not. The root has no parent, its keys are the anchors'. */
export async function zoneRecords(resolver: BudgetedResolver, apex: string, signal: AbortSignal) {
  const [parent, own] = await Promise.all([
    apex === '.' ? undefined : askSigned(resolver, apex, 'DS', signal),
    askSigned(resolver, apex, 'DNSKEY', signal),
  ]);
  const ds = recordsOfType(parent, 'DS');
  return { delegated: apex === '.' || ds.length > 0, ds, dnskeys: recordsOfType(own, 'DNSKEY') };
}

/** The same question as the validator's, so that it is sent once. Undefined when no server answered: `status` then says so. */
export async function askSigned(
  resolver: BudgetedResolver,
  name: string,
  type: string,
  signal: AbortSignal,
): Promise<DnsAnswer | undefined> {
  const response = await resolver.ask(name, type, { dnssec: true, checkingDisabled: true, signal });
  return isAnswer(response) ? response : undefined;
}

export const recordsOfType = (answer: DnsAnswer | undefined, type: DnsRecord['type']): DnsRecord[] =>
  (answer?.answers ?? []).filter((record) => record.type === type);
