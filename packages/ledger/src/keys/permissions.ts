import { ApiError, cidrContains } from '@vedette/contract';
import { parseClientAddress } from '../limits/client-address.ts';
import type { Account } from './authenticate.ts';

/** Whether the key is not restricted to other operations. */
export const allows = ({ allowedOperations }: Pick<Account, 'allowedOperations'>, operation: string): boolean =>
  allowedOperations === null || allowedOperations.includes(operation);

/**
 * Throws `ApiError` operation_not_allowed or source_not_allowed when the key is restricted to other operations or client addresses.
 * Without an operation only the address counts.
 */
export function assertAllowed(account: Account, operation: string | undefined, clientAddress: string): void {
  if (operation !== undefined && !allows(account, operation)) throw new ApiError('operation_not_allowed');
  const { allowedCidrs } = account;
  if (!allowedCidrs) return;
  const address = parseClientAddress(clientAddress);
  if (!address || !allowedCidrs.some((cidr) => cidrContains(cidr, address))) throw new ApiError('source_not_allowed');
}
