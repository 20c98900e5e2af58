import type { JSX } from 'preact';
import type { Operation } from '../api/operations.ts';
import { closedBy, type ClosedBy, reasonOf } from '../api/permissions.ts';

/** Says how many of these operations are not offered to the reader, and why. */
export function NotOffered({ operations }: { operations: readonly Operation[] }): JSX.Element | null {
  const counts = new Map<ClosedBy, number>();
  for (const operation of operations) {
    const by = closedBy(operation);
    if (by !== undefined) counts.set(by, (counts.get(by) ?? 0) + 1);
  }
  if (counts.size === 0) return null;
  return <p class="muted not-offered">Not offered: {Array.from(counts, ([by, count]) => `${count} (${reasonOf(by)})`).join(', ')}.</p>;
}
