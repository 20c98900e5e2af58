import type { Account, Ledger } from '@vedette/ledger';
import type { FastifyReply } from 'fastify';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Writes `X-Service-Quota`: the account's credits as they stand now, and what this answer was charged. */
export function setQuota(reply: FastifyReply, ledger: Ledger, account: Account, cost: number): void {
  const quota = ledger.quota(account);
  if (quota) reply.header('x-service-quota', `limit=${quota.limit}, remaining=${quota.remaining}, reset=${quota.reset}, cost=${cost}`);
}
