import { type Account, allows, type Role } from '@vedette/ledger';
import type { Operation } from '@vedette/operations/kit';
import { hasRole } from './role.ts';

/** Why an operation is closed to a client: the key names others, the role is too low, or the account's plan does not include it. */
export const CLOSED_BY = ['key', 'role', 'plan'] as const;
export type ClosedBy = (typeof CLOSED_BY)[number];

/** The least role that may use an operation. */
export const leastRole = ({ cost }: Operation): Role => (cost === 0 ? 'viewer' : 'analyst');

/** Why the client may not use an operation, as the front door sees it; undefined where it may. */
export function closedBy(account: Account, operation: Operation): ClosedBy | undefined {
  if (!allows(account, operation.name)) return 'key';
  if (!hasRole({ account }, leastRole(operation))) return 'role';
  return operation.optIn && !account[operation.optIn] ? 'plan' : undefined;
}
