import { expect, it } from 'vitest';
import { ownAgentId } from '../../packages/agent/src/agent-id.ts';

const machine = `test ${process.pid}`;

it('is the same after a restart, and another for each agent of a location on one machine', async () => {
  const first = await ownAgentId('eu-fra', machine);
  const second = await ownAgentId('eu-fra', machine);
  expect(first.id).toMatch(/^agent-[0-9a-f]{10}$/);
  expect(second.id).not.toBe(first.id);
  first.giveUp();
  second.giveUp();
  const again = await ownAgentId('eu-fra', machine);
  expect(again.id).toBe(first.id);
  again.giveUp();
});

it('is another at another location, and on another machine', async () => {
  const ids = await Promise.all([ownAgentId('eu-fra', machine), ownAgentId('us-ash', machine), ownAgentId('eu-fra', `${machine}b`)]);
  expect(new Set(ids.map(({ id }) => id)).size).toBe(3);
  for (const { giveUp } of ids) giveUp();
});

it('knows its machine', async () => {
  const here = await ownAgentId('eu-fra');
  here.giveUp();
  const again = await ownAgentId('eu-fra');
  again.giveUp();
  expect(again.id).toBe(here.id);
});
