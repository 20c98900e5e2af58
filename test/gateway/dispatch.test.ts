import { setImmediate } from 'node:timers/promises';
import type { Asker, LocationReply, Presence } from '@vedette/bus';
import { type CentralContext, failure } from '@vedette/contract';
import { operations } from '@vedette/operations';
import { expect, it } from 'vitest';
import { dispatcher } from '../../packages/gateway/src/dispatch.ts';
import type { Metrics } from '../../packages/gateway/src/metrics.ts';

const propagation = operations.find(({ name }) => name === 'dns-propagation');

it('fails by its code when no agent is there, even if the central work beside fails after that', async () => {
  if (propagation?.kind !== 'distributed') throw new Error('not distributed');
  let endBeside = () => {};
  const beside = new Promise<never>((_, reject) => (endBeside = () => reject(new Error('nobody waits any more'))));
  const reply = { location: 'eu-fra', agent: '', simulated: false, agent_state: 'ready', failure: failure('no_agent') };
  const count = { inc() {}, dec() {}, startTimer: () => () => {} };
  const dispatch = dispatcher(
    { ...propagation, beside: () => beside },
    {
      asker: { ask: async () => [reply as LocationReply] } as unknown as Asker,
      presence: { locations: () => ['eu-fra'], agents: () => [] } as unknown as Presence,
      catalogue: { ids: [], asked: [], place: () => ({}) as never },
      metrics: { inflight: count, jobDuration: count, jobs: count } as unknown as Metrics,
    },
  );
  const params = { host: 'example.org', dns_types: 'A' };
  const context = { signal: new AbortController().signal } as CentralContext;
  await expect(dispatch({ params, selection: undefined, context, budgetMs: 1000 })).rejects.toMatchObject({ code: 'no_agent' });
  endBeside();
  await setImmediate(); // an unhandled rejection ends the process, and here the test run
});
