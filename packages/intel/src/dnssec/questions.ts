import { type DnsAnswer, ProbeFailure } from '@vedette/contract';
import { type BudgetedResolver, QueryBudgetExceeded } from '../dns/query-budget.ts';
import { type Name, nameText } from './names.ts';
import { linkText } from './rrsets.ts';
import { type Flaw, flaw } from './verdict.ts';

/** Asks for data with its signatures, unvalidated (DO and CD). */
export interface Questions {
  /** A flaw when nobody answered, the resolver refused, or too much was asked. Rejects only when the signal fires. */
  ask(name: Name, type: string): Promise<DnsAnswer | Flaw>;
  /** Starts questions that are likely to come up, so that they share a round trip. */
  expect(name: Name, type: string): void;
}

export function createQuestions(resolver: BudgetedResolver, signal: AbortSignal): Questions {
  const ask = async (name: Name, type: string): Promise<DnsAnswer | Flaw> => {
    const link = linkText(name, type);
    try {
      const answer = await resolver.query(nameText(name), type, { dnssec: true, checkingDisabled: true, signal });
      if (answer.rcode === 'NOERROR' || answer.rcode === 'NXDOMAIN') return answer;
      return flaw('unanswered', link, `the resolver answered ${answer.rcode}`);
    } catch (error) {
      if (error instanceof QueryBudgetExceeded) return flaw('query_limit', link, error.message);
      if (error instanceof ProbeFailure && !signal.aborted) return flaw('unanswered', link, 'no resolver answered');
      throw error;
    }
  };
  return {
    ask,
    expect(name, type) {
      ask(name, type).catch(() => {}); // whoever asks in earnest sees the rejection
    },
  };
}
