import { ApiError, central, createAddressPolicy, Host } from '@vedette/contract';
import type { Account, Reservation } from '@vedette/ledger';
import { pino } from 'pino';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { readCatalogue } from '../../packages/gateway/src/locations.ts';
import { createMetrics } from '../../packages/gateway/src/metrics.ts';
import { Pools } from '../../packages/gateway/src/pools.ts';
import { callable } from '../../packages/gateway/src/service.ts';
import { fakeResolver, type FakeZone } from '../intel/fake-resolver.ts';
import { SHUT } from '../operations/shut.ts';

const notAsked = () => Promise.reject(new Error('not asked for'));
const account: Account = { id: 'a', keyId: 'k', name: 'n', allowedOperations: null, allowedCidrs: null };

/** Says the host again: an operation that contacts it, for 5 credits. */
const echo = central({
  name: 'echo',
  summary: 'Say the host again',
  cost: 5,
  deadline_ms: 10_000,
  request: Type.Object({ host: Host() }),
  response: Type.Object({ host: Type.String() }),
  targets: { host: 'host' },
  examples: [{ host: 'example.org' }],
  read: (_request, { host }) => ({ host: host.host }),
  run: async ({ host }) => ({ host }),
});

/** One request, and what the ledger and the DNS saw of it, in order. */
async function call(zone: FakeZone, refusal?: ApiError) {
  const seen: string[] = [];
  const dns = fakeResolver(zone);
  const resolver = { ...dns, query: (...args: Parameters<typeof dns.query>) => (seen.push(args[0]), dns.query(...args)) };
  const reservation: Reservation = { id: 'r', accountId: 'a', operation: 'echo', cost: 5 };
  const { prepare, call: answer } = callable(echo, {
    ports: { ...SHUT, resolver },
    asker: { ask: notAsked },
    presence: { agents: () => [], locations: () => [], route: () => ({ how: 'none', why: 'no_agent' }) },
    catalogue: readCatalogue(undefined),
    policy: createAddressPolicy(),
    isInnerName: () => false,
    pools: new Pools({ clock: SHUT.clock, presence: { slots: () => 0 }, gateways: () => 1 }),
    metrics: createMetrics(),
    log: pino({ level: 'silent' }),
    ledger: {
      isDenied: () => false,
      usage: notAsked,
      reserve: async () => {
        seen.push('reserve');
        if (refusal) throw refusal;
        return reservation;
      },
      settle: async () => void seen.push('settle'),
      release: async () => void seen.push('release'),
    },
  });
  const client = { requestId: 'r', address: '192.0.2.1' };
  const request = {
    account,
    client,
    prepared: prepare({ host: 'Example.org' }),
    idempotency: undefined,
    whenGone() {},
    print: JSON.stringify,
  };
  const outcome = await answer(request).then(
    ({ body }) => JSON.parse(body) as object,
    (error: unknown) => error,
  );
  return { outcome, seen };
}

describe('a request', () => {
  it('is paid for before a question leaves, and charged after its report', async () => {
    expect(await call({})).toEqual({
      outcome: { host: 'example.org', elapsed_ms: 0 },
      seen: ['reserve', '_probe-optout.example.org', 'settle'],
    });
  });

  it('that cannot be paid asks nobody anything', async () => {
    const refusal = new ApiError('insufficient_credits');
    expect(await call({}, refusal)).toEqual({ outcome: refusal, seen: ['reserve'] });
  });

  it('about a target whose owner has opted out gives its credits back', async () => {
    const { outcome, seen } = await call({ '_probe-optout.example.org': { TXT: ['v=optout1'] } });
    expect(outcome).toMatchObject({ code: 'denied_target' });
    expect(seen).toEqual(['reserve', '_probe-optout.example.org', 'release']);
  });
});
