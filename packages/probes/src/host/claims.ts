import type { TokenBuckets } from '@vedette/contract';

/** A number of tokens of one bucket. */
export interface Claim {
  buckets: TokenBuckets;
  key: string;
  count: number;
}

/** The claim that has to wait longest, and how long; undefined when none has to. */
export function longestWait(claims: readonly Claim[]): { claim: Claim; waitMs: number } | undefined {
  let longest: { claim: Claim; waitMs: number } | undefined;
  for (const claim of claims) {
    const waitMs = claim.buckets.waitMs(claim.key, claim.count);
    if (waitMs > (longest?.waitMs ?? 0)) longest = { claim, waitMs };
  }
  return longest;
}

export function takeAll(claims: readonly Claim[]): void {
  for (const { buckets, key, count } of claims) buckets.take(key, count);
}
