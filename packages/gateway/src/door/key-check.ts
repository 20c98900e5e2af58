import { hash } from 'node:crypto';
import { ApiError, BoundedMap } from '@vedette/contract';
import { type Account, type KeySource, type Ledger, LOCKOUT_LIMIT, networkOf } from '@vedette/ledger';
import type { FastifyRequest } from 'fastify';
import type { Metrics } from '../metrics/metrics.ts';
import type { GateRow } from '../shares/gate.ts';

/** Keys in URLs that were good, by the address that sent them. */
const MAX_PROVEN = 10_000;

export interface SentKey {
  text: string;
  source: KeySource;
  /** The client's. */
  address: string;
}

/** Finds the account of a key; an address that sends too many bad keys is locked out. */
export interface KeyCheck {
  /** Throws `ApiError` address_blocked. */
  refuseBlocked(key: SentKey): void;
  /** Throws as the ledger does, and counts what is wrong. */
  authenticate(key: SentKey, request: FastifyRequest): Promise<Account>;
  /** The key was good. */
  remember(key: SentKey): void;
}

/**
 * A page that its visitors open can have their browsers send keys in URLs, but no header of ours, and cannot read the answers. Bad keys in
 * URLs therefore lock out only further keys in URLs. A malformed key is not a guess, and is not counted. A key that was good from an
 * address stays good from there. A guesser still has only ten tries.
 */
export function createKeyCheck({ ledger, metrics }: { ledger: Ledger; metrics: Metrics }): KeyCheck {
  const proven = new BoundedMap<string, true>(MAX_PROVEN);

  async function count({ address, source }: SentKey, request: FastifyRequest): Promise<void> {
    await ledger.recordInvalidKey(address, source);
    if (ledger.blockedFor(address, source) === 0) return;
    metrics.lockouts.inc();
    request.log.warn({ request_id: request.id, address, source }, 'address blocked for an hour after too many invalid API keys');
  }

  return {
    refuseBlocked(key) {
      const { address, source } = key;
      let blockedS = ledger.blockedFor(address, 'header');
      if (source === 'url' && proven.get(provenAs(key)) === undefined) blockedS = Math.max(blockedS, ledger.blockedFor(address, 'url'));
      if (blockedS > 0) throw new ApiError('address_blocked', '', { retryAfterS: blockedS });
    },
    async authenticate(key, request) {
      try {
        return await ledger.authenticate(key.text);
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) {
          metrics.invalidKeys.inc({ code: error.code });
          if (key.source === 'header' || error.code !== 'key_malformed') await count(key, request);
        }
        throw error;
      }
    },
    remember(key) {
      if (key.source === 'url') proven.set(provenAs(key), true);
    },
  };
}

/** No secret stays in memory. */
const provenAs = ({ text, address }: SentKey): string => `${networkOf(address)} ${hash('sha256', text, 'base64')}`;

export const LOCKOUT_GATE: GateRow = {
  name: 'Lockout',
  limits: 'invalid keys from one network',
  limit: LOCKOUT_LIMIT,
  codes: ['address_blocked'],
  cause: 'client',
};

export const KEY_GATE: GateRow = {
  name: 'Key',
  limits: 'who may send requests',
  limit: 'a valid key of an account that is not suspended',
  codes: ['key_malformed', 'key_unknown', 'key_revoked', 'key_expired', 'account_suspended'],
  cause: 'client',
};
