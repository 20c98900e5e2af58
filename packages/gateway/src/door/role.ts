import { ApiError } from '@vedette/contract';
import { type Account, type Role, ROLES } from '@vedette/ledger';

/** The permission that makes the holder of a key an operator; it must be named among the key's operations. */
export const OPERATOR = 'operator';

/**
 * The role of a client that was admitted. A person has one by the provider's groups. The bootstrap key, which lies beside the admin token, and keys with the permission `operator` are an
 * operator's. All other keys are an analyst's, and still use no operation that they are not allowed.
 */
export function roleOf({ account }: { account: Account }): Role {
  if (account.person) return account.person.role;
  return account.keyId === 'bootstrap' || account.allowedOperations?.includes(OPERATOR) ? 'operator' : 'analyst';
}

export const hasRole = (client: { account: Account }, least: Role): boolean => ROLES.indexOf(roleOf(client)) >= ROLES.indexOf(least);

/** Whether the client may look after the service. */
export const isOperator = (client: { account: Account }): boolean => hasRole(client, 'operator');

/** Throws `ApiError` role_not_allowed for a lesser role than `least`. */
export function assertRole(client: { account: Account }, least: Role): void {
  if (!hasRole(client, least)) throw new ApiError('role_not_allowed', `it needs the role ${least}`);
}
