import { ApiError, cidrContains } from '@vedette/contract';
import { parseClientAddress } from '../limits/client-address.ts';
import type { Account } from './authenticate.ts';

/**
 * Throws `ApiError` operation_not_allowed or source_not_allowed when the key is restricted to other operations or client addresses.
 * Without an operation only the address counts.
 */
export function assertAllowed({ allowedOperations, allowedCidrs }: Account, operation: string | undefined, clientAddress: string): void {
  if (operation !== undefined && allowedOperations && !allowedOperations.includes(operation)) throw new ApiError('operation_not_allowed');
  if (!allowedCidrs) return;
  const address = parseClientAddress(clientAddress);
  if (!address || !allowedCidrs.some((cidr) => cidrContains(cidr, address))) throw new ApiError('source_not_allowed');
}
