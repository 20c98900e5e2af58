import type { Account, Ledger } from '@vedette/ledger';
import type { FastifyReply } from 'fastify';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';

/** A year; whether its subdomains speak HTTPS too is not for us to say (RFC 6797 §6.1). */
const HSTS = 'max-age=31536000';

/** The headers for browsers on every answer: no guessing of types, and, when TLS ends here, no plain HTTP any more. */
export const securityHeaders = (tls: boolean): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  ...(tls && { 'strict-transport-security': HSTS }),
});

/** Writes `X-Service-Quota`: the account's credits as they stand now, and what this answer was charged. */
export function setQuota(reply: FastifyReply, ledger: Ledger, account: Account, cost: number): void {
  const quota = ledger.quota(account);
  if (quota) reply.header('x-service-quota', `limit=${quota.limit}, remaining=${quota.remaining}, reset=${quota.reset}, cost=${cost}`);
}
