import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { agentBudget, gatewayBudget } from '../../packages/bus/src/wire/budget.ts';

const clientMs = fc.integer({ min: 4, max: 120_000 });
const transportMs = fc.double({ min: 0, max: 60_000, noNaN: true });

it('nests client, gateway and agent strictly, in whole milliseconds', () => {
  fc.assert(
    fc.property(clientMs, transportMs, (client, transport) => {
      const gateway = gatewayBudget(client);
      const agent = agentBudget(gateway, transport);
      expect([Number.isInteger(gateway), Number.isInteger(agent)]).toEqual([true, true]);
      expect(gateway).toBeLessThan(client);
      expect(agent).toBeLessThan(gateway);
      expect(agent).toBeGreaterThanOrEqual(1);
    }),
  );
});

it('never gives anyone less when the client grants more', () => {
  fc.assert(
    fc.property(clientMs, fc.nat(10_000), transportMs, (client, more, transport) => {
      expect(gatewayBudget(client + more)).toBeGreaterThanOrEqual(gatewayBudget(client));
      expect(agentBudget(gatewayBudget(client + more), transport)).toBeGreaterThanOrEqual(agentBudget(gatewayBudget(client), transport));
    }),
  );
});

it.each([
  [10_000, 0, 9_850, 9_600],
  [10_000, 120, 9_850, 9_480],
  [15_000, 40, 14_850, 14_560],
  [1_000, 0, 900, 675],
  [100, 0, 90, 67],
])('of %d ms, with %d ms on the way, leaves the gateway %d and the agent %d', (client, transport, gateway, agent) => {
  expect(gatewayBudget(client)).toBe(gateway);
  expect(agentBudget(gateway, transport)).toBe(agent);
});
