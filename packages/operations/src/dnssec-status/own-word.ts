import { type BudgetedResolver, type DnsBudget, isAnswer } from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { unlessRefused } from '../shared/names/unless-refused.ts';

/** The time spent on the resolver's own verdict: for a broken zone it tries again and again. */
export const OWN_WORD_BUDGET: DnsBudget = { questions: 1, ms: 3_000 };

export const OwnWord = Type.Object(
  {
    answered: Type.String({
      description: "DNS response code: SERVFAIL for bogus data, TIMEOUT, or NOT_ASKED if the zone's query limit is exhausted",
    }),
    authenticated: Type.Boolean({ description: 'The resolver set the AD flag: it validated the answer' }),
    extended_errors: Type.Array(
      Type.Object({
        code: Type.Integer({ description: 'Code from the IANA registry "Extended DNS Error Codes"' }),
        name: Type.String({ description: 'Name of the code; empty for unknown codes' }),
        text: Type.String({ description: 'Text that the resolver sent with the code' }),
      }),
      { description: 'Extended errors that the resolver reported (RFC 8914)' },
    ),
  },
  {
    description: "Answer of the service's own resolver to the same query, with its own validation. `status` does not depend on this answer",
  },
);

/** Asks as any client does: the resolver may validate, and says what it thinks. Rejects with the signal's reason. */
export async function ownWord(name: string, type: string, whole: BudgetedResolver, signal: AbortSignal): Promise<Static<typeof OwnWord>> {
  using resolver = whole.share(OWN_WORD_BUDGET);
  const response = await unlessRefused(resolver.ask(name, type, { dnssec: true, signal }));
  if (!response || !isAnswer(response)) return { answered: response ? 'TIMEOUT' : 'NOT_ASKED', authenticated: false, extended_errors: [] };
  return {
    answered: response.rcode,
    authenticated: response.ad,
    extended_errors: (response.extendedErrors ?? []).map(({ code, text }) => ({ code, name: NAMES[code] ?? '', text })),
  };
}

// IANA "Extended DNS Error Codes", by number.
const NAMES: readonly string[] = [
  'Other Error',
  'Unsupported DNSKEY Algorithm',
  'Unsupported DS Digest Type',
  'Stale Answer',
  'Forged Answer',
  'DNSSEC Indeterminate',
  'DNSSEC Bogus',
  'Signature Expired',
  'Signature Not Yet Valid',
  'DNSKEY Missing',
  'RRSIGs Missing',
  'No Zone Key Bit Set',
  'NSEC Missing',
  'Cached Error',
  'Not Ready',
  'Blocked',
  'Censored',
  'Filtered',
  'Prohibited',
  'Stale NXDOMAIN Answer',
  'Not Authoritative',
  'Not Supported',
  'No Reachable Authority',
  'Network Error',
  'Invalid Data',
  'Signature Expired before Valid',
  'Too Early',
  'Unsupported NSEC3 Iterations Value',
  'Unable to conform to policy',
  'Synthesized',
];
