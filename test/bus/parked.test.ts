import { defineProbe, type ProbePorts } from '@vedette/contract';
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startNatsServer, type NatsServer } from './nats-server.ts';
import { clock, eventually, seesReady, startAgent, startGateway, type TestGateway } from './world.ts';

let server: NatsServer;
let closers: (() => Promise<void>)[] = [];
beforeAll(async () => {
  server = await startNatsServer();
});
afterEach(async () => {
  for (const close of closers) await close();
  closers = [];
});
afterAll(() => server.stop());

const refused = new Error('its owner does not want that');

/** What it did, and how long that took by its own clock. */
const Result = Type.Object({ by: Type.String(), contact_ms: Type.Number() });

/** An agent that asks for the name, contacts the target by TCP, by an exit or by ICMP, and writes down both. */
async function agent(name: string): Promise<string[]> {
  const log: string[] = [];
  const contact = (how: string) => async () => void log.push(how);
  const ports = {
    resolver: { addresses: async () => (log.push('asked'), []) },
    dialler: { policy: {}, tcp: contact('tcp'), operatorTcp: contact('operator') },
    icmp: {
      name: 'kernel',
      async *echoes() {
        yield log.push('icmp');
      },
    },
    exits: [{ tcp: contact('exit') }],
  } as unknown as Partial<ProbePorts>;
  const probe = defineProbe({
    kind: 'ping',
    references: [],
    job: Type.Object({ host: Type.String() }),
    result: Result,
    min_budget_ms: 10,
    slots: 8,
    async run({ host }, { resolver, dialler, icmp, exits, clock: own, signal }) {
      await resolver.addresses(host, 4);
      const started = own.now();
      if (host === 'tcp.test') await dialler.tcp({ address: '', port: 1, signal });
      else if (host === 'exit.test') await exits[0]!.tcp({ address: '', port: 1, signal });
      else if (host === 'operator.test') await dialler.operatorTcp({ endpoint: { host: '', port: 1 }, signal });
      else for await (const _ of icmp.echoes('', { count: 1, interval_ms: 1, wait_ms: 1 })) break;
      return { by: name, contact_ms: own.now() - started };
    },
  });
  const started = await startAgent({ location: 'eu-fra', agent: name, url: server.url, probes: () => [probe], ports });
  closers.unshift(() => started.bus.close());
  return log;
}

async function gateway(agents = 1): Promise<TestGateway> {
  const started = await startGateway(server.url);
  closers.push(() => started.close());
  await seesReady(started.presence, agents);
  return started;
}

it.each(['tcp', 'exit', 'operator', 'icmp'])(
  'a parked job asks for names and contacts nobody before its go (%s), and what it measures takes no longer',
  async (how) => {
    const log = await agent('a');
    const gw = await gateway();
    const { promise: go, resolve } = Promise.withResolvers<void>();
    const asking = gw.ask(['eu-fra'], { spec: { host: `${how}.test` }, go });
    await eventually(() => log.length > 0, 'the name is asked for');
    const since = clock.now();
    await clock.sleep(300);
    expect(log).toEqual(['asked']);
    const parkedMs = clock.now() - since;
    resolve();
    const [reply] = await asking;
    expect(log).toEqual(['asked', how]);
    expect((reply!.result as { contact_ms: number }).contact_ms).toBeLessThan(parkedMs);
  },
);

it('a request that is refused before its go ends, and its jobs with it: nobody was contacted', async () => {
  const log = await agent('a');
  const gw = await gateway();
  const { promise: go, reject } = Promise.withResolvers<void>();
  const asking = gw.ask(['eu-fra'], { spec: { host: 'tcp.test' }, go });
  await eventually(() => log.length > 0, 'the name is asked for');
  reject(refused);
  await expect(asking).rejects.toBe(refused);
  await clock.sleep(200);
  expect(log).toEqual(['asked']);
});

it('a go that is there before the agent has the job reaches it all the same', async () => {
  const log = await agent('a');
  const gw = await gateway();
  const [reply] = await gw.ask(['eu-fra'], { spec: { host: 'tcp.test' }, go: Promise.resolve() });
  expect(reply).toMatchObject({ result: { by: 'a' } });
  expect(log).toEqual(['asked', 'tcp']);
});

it('whoever may go on takes those along who wait for the same run', async () => {
  const log = await agent('a');
  const gw = await gateway();
  const { promise: go, resolve } = Promise.withResolvers<void>();
  const parked = gw.ask(['eu-fra'], { spec: { host: 'tcp.test' }, go });
  await eventually(() => log.length > 0, 'the name is asked for');
  const free = await gw.ask(['eu-fra'], { spec: { host: 'tcp.test' } });
  expect(free[0]).toMatchObject({ result: { by: 'a' } });
  resolve();
  expect((await parked)[0]).toMatchObject({ result: { by: 'a' } });
  expect(log).toEqual(['asked', 'tcp']);
});
