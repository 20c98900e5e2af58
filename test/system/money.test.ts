import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { describeOnEveryEngine } from '../ledger/engines.ts';
import { isBrief } from '../runs.ts';
import { runChaos } from './money/chaos.ts';
import { type Outcome, send } from './money/client.ts';
import type { GatewayProcess } from './money/gateway-process.ts';
import { type MoneyWorld, startMoneyWorld } from './money/world.ts';

// Gateways start and die here: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });

const KILLS = isBrief ? 3 : 5;

/** How many requests ended how. */
function tally(outcomes: Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) {
    const how = outcome.how === 'refused' ? `${outcome.status} ${outcome.code}` : outcome.how;
    counts[how] = (counts[how] ?? 0) + 1;
  }
  return counts;
}

describeOnEveryEngine('money', (database) => {
  it('survives kills of the gateway at random instants: whatever was delivered, or left by its client after it had begun, is charged once, and nothing else', async () => {
    const report = await runChaos(await database(), KILLS);
    expect(report).toMatchObject({
      cycles: KILLS,
      uncharged: 0,
      freeRides: 0,
      doubled: 0,
      chargedUnfinished: 0,
      chargedRefused: 0,
      paidAgain: 0,
      unserved: 0,
      heldAfterExpiry: 0,
      discrepancies: 0,
      usageOff: 0,
    });
    expect(report.delivered).toBeGreaterThan(0);
    expect(report.left).toBeGreaterThan(0);
  });

  describe('of 200 requests at once against a balance for 100', () => {
    let world: MoneyWorld;
    let gateways: GatewayProcess[];
    beforeAll(async () => {
      world = await startMoneyWorld(await database());
      gateways = await Promise.all([world.startGateway(), world.startGateway()]);
    });
    afterAll(() => world.stop());

    it.each([
      ['one gateway', 1, false],
      ['one gateway, with Idempotency-Keys', 1, true],
      ['two gateways', 2, false],
      ['two gateways, with Idempotency-Keys', 2, true],
    ])('exactly 100 succeed: %s', async (_what, count, withKey) => {
      const { apiKey, accountId } = await world.payer(100);
      const outcomes = await Promise.all(
        Array.from({ length: 200 }, (_, i) => {
          const { url } = gateways[i % count]!;
          return send({ url, apiKey }, { host: `r${i}.example.org`, ...(withKey && { key: `request-${i}` }) });
        }),
      );
      expect(tally(outcomes)).toEqual({ delivered: 100, '402 insufficient_credits': 100 });
      expect(await world.balanceOf(accountId)).toEqual({ spent: 100, held: 0, entries: 100 });
      expect(await world.ledger.audit()).toEqual([]);
    });
  });
});
