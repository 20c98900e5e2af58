import { listing, type Issue, type IssueType } from '../../findings/index.ts';

export const SPF_ISSUES = [
  'SPF_NOT_FOUND',
  'MULTIPLE_SPF_RECORDS',
  'PTR_DEPRECATED',
  'UPPERCASE_CHARACTERS',
  'PLUS_ALL_FOUND',
  'RECORD_TERMINATION_MISSING',
  'DATA_AFTER_ALL',
  'DATA_AFTER_REDIRECT',
  'MULTIPLE_FALLBACKS',
  'TOO_MANY_DNS_LOOKUPS',
  'MULTIPLE_SPFV1_ON_SAME_RECORD',
  'DUPLICATE_INCLUDE',
  // Beyond the contract's.
  'SPF_LOOKALIKE',
  'UNKNOWN_MODIFIER',
  'INTERNET_AUTHORIZED',
  'RECORD_NOT_ANSWERED',
  'INCLUDE_NOT_ANSWERED',
  'TERM_NOT_ANSWERED',
  'IPTEST_PERMERROR',
  'IPTEST_TEMPERROR',
] as const;
export type SpfIssue = Issue<(typeof SPF_ISSUES)[number]>;

/** One issue for all the terms or domains that have it; none where there are none. */
export function issueAt(code: SpfIssue['code'], type: IssueType, where: readonly string[], say: (where: string) => string): SpfIssue[] {
  return where.length === 0 ? [] : [{ code, type, message: say(listing(where)) }];
}
