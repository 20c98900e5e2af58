import { isProtectedHost, ProbeFailure } from '@vedette/contract';

/** Throws `ProbeFailure` blocked_policy for a government or educational name: the one asked for, or one that it is an alias of. */
export function refuseProtected(name: string): void {
  if (isProtectedHost(name)) throw new ProbeFailure('blocked_policy', name);
}
