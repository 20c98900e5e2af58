import { type BudgetedResolver, type DnsBudget, isAnswer } from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { unlessRefused } from '../shared/names/unless-refused.ts';

/** What the resolver's own judgement is worth: where a zone is broken it tries again and again. */
export const OWN_WORD_BUDGET: DnsBudget = { questions: 1, ms: 3_000 };

export const OwnWord = Type.Object(
  {
    answered: Type.String({
      description: 'An rcode: SERVFAIL for what it finds bogus; TIMEOUT, or NOT_ASKED where the zone has been asked enough',
    }),
    authenticated: Type.Boolean({ description: 'It says that it validated the answer (AD)' }),
    extended_errors: Type.Array(
      Type.Object({
        code: Type.Integer({ description: 'IANA "Extended DNS Error Codes"' }),
        name: Type.String({ description: 'Empty for a code that is not known here' }),
        text: Type.String({ description: "In the resolver's own words" }),
      }),
      { description: 'What it says of the failure, RFC 8914' },
    ),
  },
  { description: 'What our resolver makes of the same question when it validates by itself. `status` does not depend on it' },
);

/** Asks as any client does: the resolver may validate, and says what it thinks. Rejects with the signal's reason. */
export async function ownWord(name: string, type: string, whole: BudgetedResolver, signal: AbortSignal): Promise<Static<typeof OwnWord>> {
  using resolver = whole.share(OWN_WORD_BUDGET);
  const asked = await unlessRefused(resolver.ask(name, type, { dnssec: true, signal }));
  if (!asked || !isAnswer(asked)) return { answered: asked ? 'TIMEOUT' : 'NOT_ASKED', authenticated: false, extended_errors: [] };
  return {
    answered: asked.rcode,
    authenticated: asked.ad,
    extended_errors: (asked.extendedErrors ?? []).map(({ code, text }) => ({ code, name: NAMES[code] ?? '', text })),
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
