import { type Bus, type BusMessage, createRenderAsker, createRendererPresence } from '@vedette/bus';
import { expect, it } from 'vitest';
import { RenderPatience } from '../../packages/bus/src/render/render-patience.ts';
import { beatOf, PDF_JOB, PDF_RESULT } from './render-world.ts';

it('what takes half as long again as nearly all is late, within bounds, once enough was seen', () => {
  const patience = new RenderPatience();
  for (let i = 0; i < 19; i++) patience.took('pdf', 1_000);
  expect(patience.ms('pdf')).toBe(35_000);
  patience.took('pdf', 1_000);
  expect([patience.ms('pdf'), patience.ms('screenshot')]).toEqual([15_000, 35_000]);
  for (let i = 0; i < 3; i++) patience.took('pdf', 20_000);
  expect(patience.ms('pdf')).toBe(30_000);
  for (let i = 0; i < 3; i++) patience.took('pdf', 33_000);
  expect(patience.ms('pdf')).toBe(40_000);
  for (let i = 0; i < 200; i++) patience.took('pdf', 2_000);
  expect(patience.ms('pdf')).toBe(15_000);
});

/** A bus in memory whose renderers do as they are told, on a clock by hand. */
function setUp() {
  let now = 1_000_000;
  const sleepers = new Set<{ until: number; wake: () => void }>();
  const clock = {
    now: () => now,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const sleeper = { until: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => (sleepers.delete(sleeper), reject(signal.reason as Error)));
      }),
  };
  const heard = new Set<{ subject: string; listener: (message: BusMessage) => void }>();
  const jobs: { subject: string; reply: string; frame: Record<string, unknown> }[] = [];
  const cancelled: string[] = [];
  const deliver = (subject: string, body: object) => {
    for (const { subject: pattern, listener } of heard)
      if (new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^.]+').replace('>', '.+')}$`).test(subject))
        listener({ subject, data: Buffer.from(JSON.stringify(body)) });
  };
  const bus = {
    connected: () => true,
    onChange: () => () => {},
    subscribe: (subject: string, listener: (message: BusMessage) => void) => {
      const subscription = { subject, listener };
      heard.add(subscription);
      return { unsubscribe: () => heard.delete(subscription) };
    },
    publish(subject: string, text: string, reply = '') {
      if (subject.includes('cancel')) cancelled.push(text);
      if (subject.startsWith('vedette.v1.render.')) jobs.push({ subject, reply, frame: JSON.parse(text) as Record<string, unknown> });
      return true;
    },
  } as unknown as Bus;
  const ejected: string[] = [];
  const presence = createRendererPresence({ bus, clock, onEjected: ({ renderer }) => ejected.push(renderer) });
  const asker = createRenderAsker({ bus, chunks: bus, gatewayId: 'gw', presence, clock, events: { invalidFrame() {}, retried() {} } });
  const names = ['quick', 'silent'];
  const beat = () => {
    for (const renderer of names) deliver(`vedette.v1.renderer.beat.any.${renderer}`, beatOf(renderer, 4));
  };
  const pass = async (ms: number) => {
    for (const until = now + ms; now < until;) {
      now += 250;
      for (const renderer of names) presence.heard({ key: 'any', renderer });
      for (const sleeper of sleepers) if (sleeper.until <= now && sleepers.delete(sleeper)) sleeper.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  /** A renderer says this of the newest job. */
  const says = (renderer: string, body: object) => {
    const { reply, frame } = jobs.at(-1)!;
    const { job, attempt, nonce } = frame;
    deliver(reply, { job, attempt, nonce, key: 'any', renderer, ...body });
  };
  const contacted: unknown[] = [];
  const ask = () =>
    asker.render('pdf', PDF_JOB, {
      budgetMs: 59_000,
      signal: new AbortController().signal,
      contacted: (contacts) => void contacted.push(contacts),
    });
  return { contacted, ask, beat, pass, says, jobs, cancelled, ejected, close: () => (asker.close(), presence.close()) };
}

it('a renderer that takes a job and says no more, though it beats, loses it to another, and then its place', async () => {
  const { ask, beat, pass, says, jobs, cancelled, ejected, close } = setUp();
  beat();
  for (let round = 1; round <= 3; round++) {
    const asked = ask();
    await pass(250);
    says('silent', { type: 'ack' });
    await pass(34_000);
    expect(jobs).toHaveLength(2 * round - 1);
    await pass(2_000);
    expect(jobs.at(-1)!.subject).toBe('vedette.v1.render.pdf.any.quick');
    expect(cancelled).toHaveLength(round);
    says('quick', { type: 'ack' });
    says('quick', { type: 'final', result: PDF_RESULT });
    expect((await asked).result).toEqual(PDF_RESULT);
  }
  expect(ejected).toEqual(['silent']);
  close();
});

it('a page that is slow at both is waited for, and nobody is blamed', async () => {
  const { ask, beat, pass, says, jobs, ejected, close } = setUp();
  beat();
  const asked = ask();
  await pass(250);
  says('silent', { type: 'ack' });
  await pass(36_000);
  expect(jobs).toHaveLength(2);
  says('quick', { type: 'ack' });
  await pass(18_000);
  expect(jobs).toHaveLength(2);
  says('quick', { type: 'final', failure: { reason: 'too_large', error: 'x' } });
  await expect(asked).rejects.toMatchObject({ code: 'upstream_failed' });
  expect(ejected).toEqual([]);
  close();
});

it('a renderer tells once whom it has contacted', async () => {
  const { ask, beat, pass, says, contacted, close } = setUp();
  beat();
  const asked = ask();
  await pass(250);
  says('quick', { type: 'ack' });
  for (const host of ['a.test', 'b.test'])
    says('quick', { type: 'final', result: PDF_RESULT, contacts: [{ host, addresses: ['192.0.2.1'] }] });
  await asked;
  expect(contacted).toEqual([[{ host: 'a.test', addresses: ['192.0.2.1'] }]]);
  close();
});
