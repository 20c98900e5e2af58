import { afterAll, beforeAll, expect, it } from 'vitest';
import { startNatsServer, type NatsServer } from './nats-server.ts';
import { eventually, seesReady, startAgent, startGateway } from './world.ts';

let server: NatsServer;
beforeAll(async () => {
  server = await startNatsServer();
});
afterAll(() => server.stop());

it('an agent that stays full leaves the queue group, keeps its name, and comes back when there is room', async () => {
  const crowded = await startAgent({ location: 'eu-fra', agent: 'fra-1', url: server.url, slots: 2 });
  const gw = await startGateway(server.url);
  await seesReady(gw.presence, 1);
  const leave = new AbortController();
  const full = [1, 2].map((n) =>
    gw.ask(['eu-fra'], { spec: { host: `${n}.test`, wait_ms: 20_000 }, budgetMs: 30_000, signal: leave.signal }),
  );
  await eventually(() => crowded.log.started.length === 2, 'both places are taken');
  const ask = (host: string) => gw.ask(['eu-fra'], { spec: { host }, budgetMs: 10_000 }).then(([reply]) => reply!);

  // At first it refuses each job itself, and nobody else could take it.
  expect((await ask('early.test')).failure?.reason).toBe('agent_busy');
  expect(gw.events).toEqual(['nack eu-fra busy']);
  gw.events.length = 0;

  // Then the server finds nobody in the group; asked by its name it refuses still.
  await eventually(() => {
    void ask(`${performance.now()}.test`);
    return gw.events.includes('no responders eu-fra');
  }, 'the agent leaves the group');
  expect((await ask('late.test')).failure?.reason).toBe('agent_busy');

  leave.abort();
  await Promise.all(full);
  await eventually(() => crowded.serving.slots().ping?.used === 0, 'the places are free');
  await crowded.bus.flush(); // the server has seen it subscribe again
  gw.events.length = 0;
  expect((await ask('again.test')).result).toEqual({ host: 'again.test', by: 'fra-1' });
  expect(gw.events).toEqual([]);
  await gw.close();
  await crowded.bus.close();
});
