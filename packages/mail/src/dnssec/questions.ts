import { type BudgetedResolver, type DnsAnswer, isAnswer } from '@vedette/contract';
import { type Name, nameText } from './names.ts';
import { linkText } from './rrsets.ts';
import { type Flaw, flaw, isFlaw } from './verdict.ts';

/** Asks for data with its signatures, unvalidated (DO and CD). */
export interface Questions {
  /** A flaw when no server answered, the resolver refused, or the effort was used up. Rejects only when the signal fires. */
  ask(name: Name, type: string): Promise<DnsAnswer | Flaw>;
  /** Starts questions that are likely to come up, so that they share a round trip. */
  expect(name: Name, type: string): void;
}

export function createQuestions(resolver: BudgetedResolver, signal: AbortSignal): Questions {
  const send = async (name: Name, type: string, fresh: boolean): Promise<DnsAnswer | Flaw> => {
    const link = linkText(name, type);
    const response = await resolver.ask(nameText(name), type, { dnssec: true, checkingDisabled: true, signal, ...(fresh && { fresh }) });
    if (!isAnswer(response))
      return response.code === 'budget_spent'
        ? flaw('query_limit', link, response.error)
        : flaw('unanswered', link, 'no resolver answered');
    if (response.rcode === 'NOERROR' || response.rcode === 'NXDOMAIN') return response;
    return flaw('unanswered', link, `the resolver answered ${response.rcode}`);
  };
  const ask = async (name: Name, type: string): Promise<DnsAnswer | Flaw> => {
    const first = await send(name, type, false);
    if (isFlaw(first) || !lacksSignatures(first, type)) return first;
    const second = await send(name, type, true);
    return isFlaw(second) ? first : second;
  };
  return {
    ask,
    expect(name, type) {
      ask(name, type).catch(() => {}); // the caller that awaits it sees the rejection
    },
  };
}

/** A resolver that learnt a DS from a referral may hand it out before it has fetched the signature, and with it when it is asked again. */
const lacksSignatures = ({ answers }: DnsAnswer, type: string): boolean =>
  (type === 'DS' || type === 'DNSKEY') &&
  answers.some((record) => record.type === type) &&
  !answers.some((record) => record.type === 'RRSIG' && record.data.typeCovered === type);
