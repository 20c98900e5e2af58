import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createNkey, createRendererPresence, natsServerConfig, openBus, type Bus } from '@vedette/bus';
import { connect, nkeyAuthenticator } from 'nats';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HTML_JOB, PDF_RESULT, sha256, startRenderer, startRenderGateway } from './render-world.ts';
import { startNatsServer, type NatsServer } from './nats-server.ts';
import { clock, eventually, seesReady, startAgent, startGateway } from './world.ts';

const keys = {
  gw1: createNkey(),
  gw2: createNkey(),
  fra1: createNkey(),
  fraAny: createNkey(),
  ash1: createNkey(),
  rd1: createNkey(),
  rd2: createNkey(),
};
const inbox = `_INBOX.${keys.gw1.publicKey}`;
const [rd1, rd2] = [keys.rd1.publicKey, keys.rd2.publicKey];
let server: NatsServer;
let closers: (() => Promise<void>)[] = [];
beforeAll(async () => {
  server = await startNatsServer((port) =>
    natsServerConfig({
      host: '127.0.0.1',
      port,
      gateways: [{ publicKey: keys.gw1.publicKey }, { publicKey: keys.gw2.publicKey }],
      agents: [
        { publicKey: keys.fra1.publicKey, location: 'eu-fra', agent: 'fra-1' },
        { publicKey: keys.fraAny.publicKey, location: 'eu-fra' },
        { publicKey: keys.ash1.publicKey, location: 'us-ash', agent: 'ash-1' },
      ],
      renderers: [{ publicKey: keys.rd1.publicKey }, { publicKey: keys.rd2.publicKey }],
    }),
  );
});
afterEach(async () => {
  for (const close of closers) await close();
  closers = [];
});
afterAll(() => server.stop());

/** A bare client with somebody's key, and what the server forbade it. */
async function client(key: keyof typeof keys): Promise<{ bus: Bus; forbidden: string[] }> {
  const forbidden: string[] = [];
  const bus = await openBus({
    url: server.url,
    name: key,
    clock,
    credentials: keys[key].seed,
    onWarning: (warning, subject) => {
      if (warning.startsWith('forbidden')) forbidden.push(`${warning.slice('forbidden_'.length)} ${subject}`);
    },
  });
  closers.unshift(() => bus.close());
  return { bus, forbidden };
}

async function attempt(key: keyof typeof keys, verb: 'publish' | 'subscribe', subject: string, queue?: string): Promise<string[]> {
  const { bus, forbidden } = await client(key);
  if (verb === 'publish') bus.publish(subject, '{}');
  else bus.subscribe(subject, () => {}, queue === undefined ? {} : { queue });
  await bus.flush();
  await sleep(20); // the error is told after the pong, through an iterator
  return forbidden;
}

describe('what each role needs', () => {
  it('lets a gateway ask and agents answer', async () => {
    const fra = await startAgent({ location: 'eu-fra', agent: 'fra-1', url: server.url, credentials: keys.fra1.seed });
    const any = await startAgent({ location: 'eu-fra', agent: 'fra-2', url: server.url, credentials: keys.fraAny.seed });
    const ash = await startAgent({ location: 'us-ash', agent: 'ash-1', url: server.url, credentials: keys.ash1.seed });
    const gw = await startGateway(server.url, { credentials: keys.gw1.seed });
    closers.push(
      () => gw.close(),
      () => fra.bus.close(),
      () => any.bus.close(),
      () => ash.bus.close(),
    );
    await seesReady(gw.presence, 3);
    const by = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const replies = await gw.ask(['eu-fra', 'us-ash'], { spec: { host: `${round}.test` } });
      for (const { agent, failure } of replies) {
        expect(failure).toBeUndefined();
        by.add(agent);
      }
    }
    expect([...by].toSorted()).toEqual(['ash-1', 'fra-1', 'fra-2']);
  });

  it('lets a gateway have pages rendered, with an input and a result of megabytes', async () => {
    const renderer = await startRenderer({
      url: server.url,
      credentials: keys.rd1.seed,
      run: async (_kind, _job, { input }) => ({ result: PDF_RESULT, file: input }),
    });
    const gw = await startRenderGateway(server.url, { credentials: keys.gw1.seed });
    closers.push(
      () => gw.close(),
      () => renderer.close(),
    );
    await eventually(() => gw.presence.slots() === 4, 'the renderer is seen');
    const input = randomBytes(3_000_000);
    const { file } = await gw.asker.render('pdf', HTML_JOB, { input, budgetMs: 10_000, signal: new AbortController().signal });
    expect(sha256(file)).toBe(sha256(input));
  });

  it("drops what one renderer's key beats too often before it reaches a gateway, which goes on hearing the others", async () => {
    const run = async () => ({ result: PDF_RESULT });
    const honest = await startRenderer({ url: server.url, credentials: keys.rd2.seed, run });
    const stolen = await startRenderer({ url: server.url, credentials: keys.rd1.seed, run });
    const bus = await openBus({ url: server.url, name: 'gw1', clock, credentials: keys.gw1.seed });
    let delivered = 0;
    const subscribe = bus.subscribe.bind(bus);
    bus.subscribe = (subject, onMessage, options) => {
      const counting: typeof onMessage = (message) => {
        delivered += 1;
        onMessage(message);
      };
      return subscribe(subject, counting, options);
    };
    const floods: string[] = [];
    const onFlood = (key: string, renderer: string) => void floods.push(`${key} ${renderer}`);
    const presence = createRendererPresence({ bus, clock, onFlood });
    const authenticator = nkeyAuthenticator(new TextEncoder().encode(keys.rd1.seed));
    const thief = await connect({ servers: server.url, authenticator });
    closers.push(
      () => thief.close(),
      async () => presence.close(),
      () => bus.close(),
      () => stolen.close(),
      () => honest.close(),
    );
    await eventually(() => presence.slots() === 8, 'both are seen');
    for (const name of [stolen.name, 'made-up-1', 'made-up-2', 'made-up-3'])
      for (let n = 0; n < 5_000; n += 1) thief.publish(`vedette.v1.renderer.beat.${rd1}.${name}`, 'x');
    await thief.flush();
    await eventually(() => floods.length > 0, 'the flood is noticed');
    expect(floods[0]).toBe(`${rd1} ${stolen.name}`);
    const id = { key: rd2, renderer: honest.name };
    const before = presence.heardAt(id);
    await eventually(() => (honest.serving.beat(), presence.heardAt(id) > before), 'the other is heard');
    expect(delivered).toBeLessThan(4_000); // of 20,000
  });

  it.each([
    ['rd1', 'subscribe', 'vedette.v1.roll'],
    ['rd1', 'subscribe', 'vedette.v1.denied'],
    ['gw1', 'publish', 'vedette.v1.keys.changed'],
    ['gw1', 'subscribe', 'vedette.v1.keys.>'],
    ['gw1', 'publish', 'vedette.v1.denied'],
    ['fraAny', 'subscribe', 'vedette.v1.denied'],
    ['fraAny', 'publish', 'vedette.v1.beat.eu-fra.whoever'],
  ] as const)('%s may %s %s', async (key, verb, subject, queue?: string) => {
    expect(await attempt(key, verb, subject, queue)).toEqual([]);
  });
});

describe('what nobody may', () => {
  it.each([
    // Reading other locations' jobs, or one's own location's past the queue group.
    ['ash1', 'subscribe', 'vedette.v1.job.ping.eu-fra', 'eu-fra'],
    ['ash1', 'subscribe', 'vedette.v1.job.ping.eu-fra'],
    ['ash1', 'subscribe', 'vedette.v1.job.ping.eu-fra.fra-1'],
    ['ash1', 'subscribe', 'vedette.v1.job.>'],
    ['ash1', 'subscribe', '>'],
    ['fra1', 'subscribe', 'vedette.v1.job.ping.eu-fra'],
    ['fra1', 'subscribe', 'vedette.v1.job.ping.eu-fra', 'another-group'],
    ['fra1', 'subscribe', 'vedette.v1.job.ping.eu-fra.fra-2'],
    ['fra1', 'subscribe', 'vedette.v1.cancel.us-ash'],
    ['fra1', 'subscribe', 'vedette.v1.beat.>'],
    ['fra1', 'subscribe', 'vedette.v1.keys.>'],
    ['fra1', 'subscribe', '_INBOX.>'],
    ['fra1', 'subscribe', '$SYS.>'],
    // Speaking for others.
    ['fra1', 'publish', 'vedette.v1.denied'],
    ['fra1', 'publish', 'vedette.v1.beat.us-ash.ash-1'],
    ['fra1', 'publish', 'vedette.v1.beat.eu-fra.fra-2'],
    ['fraAny', 'publish', 'vedette.v1.beat.us-ash.ash-1'],
    ['fra1', 'publish', `${inbox}.job1.eu-fra.1`],
    ['fra1', 'publish', 'vedette.v1.job.ping.eu-fra'],
    ['fra1', 'publish', 'vedette.v1.cancel.eu-fra'],
    ['fra1', 'publish', 'vedette.v1.roll'],
    ['fra1', 'publish', 'vedette.v1.keys.changed'],
    // Renderers: pages alone, past nobody's queue group, and nothing of each other.
    ['rd1', 'subscribe', 'vedette.v1.render.pdf'],
    ['rd1', 'subscribe', 'vedette.v1.render.pdf', 'another-group'],
    ['rd1', 'subscribe', `vedette.v1.render.pdf.${rd2}.r1`],
    ['rd1', 'subscribe', `vedette.v1.renderer.chunk.${rd2}.r1.*`],
    ['rd1', 'subscribe', `vedette.v1.renderer.output.${rd2}.r1`],
    ['rd1', 'subscribe', 'vedette.v1.renderer.beat.*.*'],
    ['rd1', 'subscribe', `vedette.v1.renderer.input.${keys.gw1.publicKey}`],
    ['rd1', 'subscribe', 'vedette.v1.job.http.eu-fra', 'eu-fra'],
    ['rd1', 'subscribe', 'vedette.v1.beat.>'],
    ['rd1', 'subscribe', 'vedette.v1.keys.>'],
    ['rd1', 'subscribe', '_INBOX.>'],
    ['rd1', 'subscribe', `${inbox}.>`],
    ['rd1', 'subscribe', '>'],
    ['rd1', 'publish', `vedette.v1.renderer.beat.${rd2}.r1`],
    ['rd1', 'publish', `${inbox}.job1.1`],
    ['rd1', 'publish', `${inbox}.1`],
    ['rd1', 'publish', 'vedette.v1.render.pdf'],
    ['rd1', 'publish', 'vedette.v1.renderer.cancel'],
    ['rd1', 'publish', `vedette.v1.renderer.output.${rd2}.r1`],
    ['rd1', 'publish', `vedette.v1.renderer.chunk.${rd2}.r1.1`],
    ['rd1', 'publish', 'vedette.v1.denied'],
    ['rd1', 'publish', 'vedette.v1.roll'],
    ['rd1', 'publish', 'vedette.v1.beat.eu-fra.fra-1'],
    ['fra1', 'subscribe', 'vedette.v1.render.pdf', 'renderers'],
    ['fra1', 'subscribe', 'vedette.v1.renderer.>'],
    ['fra1', 'publish', `vedette.v1.renderer.beat.${rd1}.r1`],
    ['fra1', 'publish', `vedette.v1.renderer.input.${keys.gw1.publicKey}`],
    ['fra1', 'publish', 'vedette.v1.render.pdf'],
    ['gw2', 'subscribe', `vedette.v1.renderer.input.${keys.gw1.publicKey}`],
    // Gateways among themselves.
    ['gw2', 'subscribe', `${inbox}.>`],
    ['gw2', 'subscribe', 'vedette.v1.job.>'],
    ['gw2', 'publish', 'vedette.v1.beat.eu-fra.fra-1'],
    ['gw2', 'publish', `${inbox}.job1.eu-fra.1`],
  ] as const)('%s may not %s %s', async (key, verb, subject, queue?: string) => {
    expect(await attempt(key, verb, subject, queue)).toEqual([`${verb} ${subject}`]);
  });

  it('a key that the server does not know gets no connection', async () => {
    const { seed } = createNkey();
    await expect(openBus({ url: server.url, name: 'stranger', clock, credentials: seed })).rejects.toThrow(/authorization/i);
    await expect(openBus({ url: server.url, name: 'nobody', clock })).rejects.toThrow(/authorization/i);
  });

  it('an agent answers only the job it was given: not another agent’s, not for ever', async () => {
    const gateway = await client('gw1');
    const frames: string[] = [];
    gateway.bus.subscribe(`${inbox}.>`, ({ subject, data }) => void frames.push(`${subject} ${new TextDecoder().decode(data)}`));
    await gateway.bus.flush();
    const fra = await connect({ servers: server.url, authenticator: nkeyAuthenticator(new TextEncoder().encode(keys.fra1.seed)) });
    const ash = await client('ash1');
    closers.unshift(() => fra.close());
    fra.subscribe('vedette.v1.job.ping.eu-fra', {
      queue: 'eu-fra',
      callback: (_error, message) => {
        ash.bus.publish(message.reply!, 'forged');
        for (let n = 1; n <= 12; n += 1) message.respond(`frame ${n}`);
      },
    });
    await fra.flush();
    gateway.bus.publish('vedette.v1.job.ping.eu-fra', '{}', `${inbox}.job1.eu-fra.1`);
    await eventually(() => frames.length === 8, '8 frames arrive');
    await fra.flush();
    await ash.bus.flush();
    await gateway.bus.flush();
    expect(frames).toEqual(Array.from({ length: 8 }, (_, i) => `${inbox}.job1.eu-fra.1 frame ${i + 1}`));
    expect(ash.forbidden).toEqual([`publish ${inbox}.job1.eu-fra.1`]);
  });
});

describe('what a key may take of the server', () => {
  /** Resident memory of the server, MB. */
  const residentMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid()}/status`, 'utf8'))?.[1]) / 1024;

  // 400,000 subscriptions of one key took it from 11 to 647 MB.
  it('is 512 subscriptions for each connection', async () => {
    const { bus } = await client('fra1');
    const before = residentMb();
    for (let n = 0; n < 100; n += 1) {
      for (let i = 0; i < 1_000; i += 1) bus.subscribe('vedette.v1.roll', () => {});
      await bus.flush(); // it waits for two seconds, in which a busy machine does not see to all
    }
    expect(residentMb() - before).toBeLessThan(40);
    const gateway = await client('gw1');
    const heard = Promise.withResolvers<void>();
    let rolls = 0;
    const other = await client('fraAny');
    other.bus.subscribe('vedette.v1.roll', () => heard.resolve());
    await other.bus.flush();
    const raw = await connect({ servers: server.url, authenticator: nkeyAuthenticator(new TextEncoder().encode(keys.fra1.seed)) });
    closers.unshift(() => raw.close());
    for (let n = 0; n < 600; n += 1) raw.subscribe('vedette.v1.roll', { callback: () => void (rolls += 1) });
    await raw.flush();
    gateway.bus.publish('vedette.v1.roll', '');
    await heard.promise; // the others are served
    await raw.flush();
    expect(rolls).toBe(512);
  });

  it('is a message of 512 KiB, and a line of 2 KB', async () => {
    const raw = await connect({
      servers: server.url,
      authenticator: nkeyAuthenticator(new TextEncoder().encode(keys.fra1.seed)),
      reconnect: false,
    });
    expect(raw.info?.max_payload).toBe(524_288);
    raw.publish(`vedette.v1.beat.eu-fra.${'x'.repeat(3_000)}`);
    expect(String(await raw.closed())).toMatch(/MAXIMUM_CONTROL_LINE|maximum control line/i);
  });

  it('is more than an agent and a gateway in a flood need', async () => {
    const agent = await startAgent({ location: 'eu-fra', agent: 'fra-1', url: server.url, credentials: keys.fra1.seed });
    const { bus, forbidden } = await client('gw1');
    closers.unshift(() => agent.bus.close());
    for (let n = 0; n < 300; n += 1) bus.subscribe(`vedette.v1.beat.location-${n}.*`, () => {}, { max: 80 });
    for (let n = 0; n < 100; n += 1) bus.subscribe(`vedette.v1.beat.eu-fra.agent-${n}`, () => {}, { max: 40 });
    let beats = 0;
    bus.subscribe('vedette.v1.beat.eu-fra.fra-1', () => void (beats += 1), { max: 3 });
    await bus.flush();
    for (let n = 0; n < 10; n += 1) agent.bus.publish('vedette.v1.beat.eu-fra.fra-1', '{}');
    await agent.bus.flush();
    await bus.flush();
    expect(forbidden).toEqual([]);
    expect(beats).toBe(3); // the server keeps to the maximum
  });

  it('leaves room for a fleet of 200 agents with three keys, and their gateways', async () => {
    const fleet: Awaited<ReturnType<typeof client>>[] = [];
    // One after the other: on a busy machine so many greetings at once take longer than a connection may.
    for (let n = 0; n < 203; n += 1) fleet.push(await client((['fra1', 'fraAny', 'ash1', 'gw1', 'gw2'] as const)[n % 5]!));
    for (const { bus } of fleet) await bus.flush();
    expect(fleet.every(({ bus }) => bus.connected())).toBe(true);
  });
});

it('refuses ids that would widen a subject, and keys that are none', () => {
  const { publicKey } = keys.gw1;
  const base = { host: '127.0.0.1', port: 4222, gateways: [], agents: [] };
  expect(() => natsServerConfig({ ...base, agents: [{ publicKey, location: '*' }] })).toThrow('not a subject token: "*"');
  expect(() => natsServerConfig({ ...base, gateways: [{ publicKey: 'a.>' }] })).toThrow('not the public key of a user');
  expect(() => natsServerConfig({ ...base, gateways: [{ publicKey: 'UABC }' }] })).toThrow('not the public key of a user');
});
