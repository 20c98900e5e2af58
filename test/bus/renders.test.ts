import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { ProbeFailure } from '@vedette/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freeze } from './freeze.ts';
import { startNatsServer, type NatsServer } from './nats-server.ts';
import { eventually } from './world.ts';
import {
  HTML_JOB,
  PDF_JOB,
  PDF_RESULT,
  type RendererOptions,
  sha256,
  startLiar,
  startRenderer,
  startRendererProcess,
  startRenderGateway,
  type WorldGateway,
  type WorldRenderer,
} from './render-world.ts';

let server: NatsServer;
let gateway: WorldGateway;
let renderers: WorldRenderer[] = [];
beforeAll(async () => {
  server = await startNatsServer((port) => `host: 127.0.0.1\nport: ${port}\nmax_payload: 600000\n`);
  gateway = await startRenderGateway(server.url);
});
afterEach(async () => {
  for (const renderer of renderers) await renderer.close();
  renderers = [];
  for (const one of gateway.presence.renderers()) gateway.presence.gone(one);
  gateway.told.length = 0;
});
afterAll(async () => {
  await gateway.close();
  await server.stop();
});

async function renderer(options: Omit<RendererOptions, 'url'>): Promise<WorldRenderer> {
  const started = await startRenderer({ url: server.url, ...options });
  renderers.push(started);
  await eventually(
    () => gateway.presence.renderers().some((one) => one.renderer === started.name && one.state !== 'joining'),
    'it is seen',
  );
  return started;
}

const ask = (options: { input?: Uint8Array; budgetMs?: number; signal?: AbortSignal } = {}) =>
  gateway.asker.render('pdf', options.input ? HTML_JOB : PDF_JOB, {
    budgetMs: 10_000,
    signal: new AbortController().signal,
    ...options,
  });

/** Whether one that is there has told of a job. */
const isAtWork = (): boolean => gateway.presence.renderers().some(({ state, beat }) => state === 'ready' && beat.slots.used === 1);

/** Renders when it is told to. */
function held() {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  return { run: () => promise, finish: () => resolve({ result: PDF_RESULT }) };
}

describe('a render', () => {
  it('carries input and result of megabytes, whole', async () => {
    const file = randomBytes(20_000_001);
    const input = randomBytes(5_000_000);
    let got = '';
    const { told } = await renderer({
      run: async (kind, _job, options) => {
        got = `${kind} ${sha256(options.input!)}`;
        return { result: PDF_RESULT, file, html: 'é'.repeat(500_000) };
      },
    });
    const rendered = await ask({ input });
    expect(got).toBe(`pdf ${sha256(input)}`);
    expect(sha256(rendered.file)).toBe(sha256(file));
    expect(rendered.html).toBe('é'.repeat(500_000));
    expect(rendered.result).toEqual(PDF_RESULT);
    expect(told).toEqual(['finished ok']);
    // Fetched and let go of.
    await eventually(() => gateway.presence.renderers().every(({ beat }) => beat.held_bytes === 0), 'nothing is held');
  });

  it('has a result that no frame has room for', async () => {
    const requests = Array.from({ length: 500 }, (_, i) => ({
      url: `https://site.test/${'x'.repeat(1_000)}${i}`,
      method: 'GET',
      resource_type: 'image',
      status_code: 200,
      content_type: 'image/png',
      content_length: 1,
      elapsed_ms: 1,
      ip_address: '192.0.2.1',
      error: '',
    }));
    const result = { page: PDF_RESULT.page, requests, truncated: false };
    await renderer({ run: async () => ({ result }) });
    const job = { url: 'https://site.test/', user_agent: 'desktop', accept_language: 'en' } as const;
    const options = { budgetMs: 10_000, signal: new AbortController().signal };
    expect((await gateway.asker.render('requests', job, options)).result).toEqual(result);
  });

  it('without anything to fetch asks for nothing', async () => {
    await renderer({ run: async () => ({ result: PDF_RESULT }) });
    expect(await ask()).toMatchObject({ result: PDF_RESULT, file: new Uint8Array(), html: '' });
  });

  it('has what is left of its budget', async () => {
    let budget = 0;
    await renderer({ run: async (_kind, _job, { budget_ms }) => ((budget = budget_ms), { result: PDF_RESULT }) });
    await ask({ budgetMs: 5_000 });
    expect(budget).toBeLessThan(4_700);
    expect(budget).toBeGreaterThan(2_000);
  });

  it('asks for room for its result before it fetches it, and has it given back by whoever has the result', async () => {
    await renderer({ run: async () => ({ result: PDF_RESULT, file: Buffer.alloc(1_000), html: 'abc' }) });
    const seen: (number | string)[] = [];
    const admit = async (bytes: number) => (seen.push(bytes), () => void seen.push('freed'));
    const { free } = await gateway.asker.render('pdf', PDF_JOB, { budgetMs: 5_000, signal: new AbortController().signal, admit });
    expect(seen).toEqual([1_003]);
    free();
    expect(seen).toEqual([1_003, 'freed']);
  });
});

describe('whom a job contacted', () => {
  const dialled = [
    { host: 'site.test', address: '192.0.2.1' },
    { host: 'cdn.test', address: '192.0.2.2' },
    { host: 'cdn.test', address: '192.0.2.2' },
    { host: 'refused.test', address: '' },
    { host: 'cdn.test', address: '2001:db8::2' },
  ];
  const CONTACTS = [
    { host: 'site.test', addresses: ['192.0.2.1'] },
    { host: 'cdn.test', addresses: ['192.0.2.2', '2001:db8::2'] },
  ];
  const asking = (signal: AbortSignal, seen: unknown[]) =>
    gateway.asker.render('pdf', PDF_JOB, { budgetMs: 10_000, signal, contacted: (contacts) => void seen.push(contacts) });

  it.each([
    ['a result', () => Promise.resolve({ result: PDF_RESULT })],
    ['a failure', () => Promise.reject(new Error('the browser crashed'))],
  ])('comes with %s', async (_what, end) => {
    const seen: unknown[] = [];
    await renderer({ run: async (_kind, _job, options) => (options.dialled(() => dialled), await end()) });
    await asking(new AbortController().signal, seen).catch(() => undefined);
    expect(seen).toEqual([CONTACTS]);
  });

  it('comes before it is over where the client has left', async () => {
    const seen: unknown[] = [];
    const { serving } = await renderer({
      run: (_kind, _job, { dialled: tells, signal }) => {
        tells(() => dialled);
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
      },
    });
    const control = new AbortController();
    const asked = asking(control.signal, seen);
    await eventually(() => serving.slots().used === 1, 'it has the job');
    control.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    expect(seen).toEqual([CONTACTS]);
  });

  it('is bounded, so that a frame has room for it', async () => {
    const seen: { host: string }[][] = [];
    const many = Array.from({ length: 5_000 }, (_, i) => ({ host: `${'x'.repeat(200)}${i}.test`, address: '192.0.2.1' }));
    await renderer({ run: async (_kind, _job, options) => (options.dialled(() => many), { result: PDF_RESULT }) });
    await asking(new AbortController().signal, seen);
    expect(seen[0]!.length).toBeGreaterThan(100);
    expect(JSON.stringify(seen[0]).length).toBeLessThan(33 * 1024);
  });
});

describe('who renders', () => {
  it('nobody: no_renderer, at once', async () => {
    await expect(ask()).rejects.toMatchObject({ code: 'no_renderer', status: 503, retryAfterS: 5 });
  });

  it('of two full ones nobody: each is asked, and the job waits for room', async () => {
    const busy = held();
    await renderer({ run: busy.run, slots: 1 });
    const first = ask();
    await eventually(() => isAtWork(), 'it is full');
    const second = ask();
    const order: string[] = [];
    void first.then(() => order.push('first'));
    void second.then(() => order.push('second'));
    await eventually(() => renderers[0]!.told.includes('refused busy'), 'the second is refused, since it names the only one');
    busy.finish();
    await second;
    expect(order).toEqual(['first', 'second']);
  });

  it('a full one leaves the queue group: the other gets all', async () => {
    const busy = held();
    const full = await renderer({ run: busy.run, slots: 1 });
    const first = ask();
    await eventually(() => isAtWork(), 'it is full');
    const other = await renderer({ run: async () => ({ result: PDF_RESULT }), slots: 16 });
    await Promise.all(Array.from({ length: 10 }, () => ask()));
    expect(other.told).toEqual(Array.from({ length: 10 }, () => 'finished ok'));
    expect(full.told).toEqual([]);
    busy.finish();
    await first;
  });

  it('a degraded one, where there is no other', async () => {
    const degraded = await renderer({ run: async () => ({ result: PDF_RESULT }), isWell: () => false });
    expect(gateway.presence.renderers().find(({ renderer: name }) => name === degraded.name)?.state).toBe('degraded');
    await ask();
    const well = await renderer({ run: async () => ({ result: PDF_RESULT }) });
    for (let round = 0; round < 5; round += 1) await ask();
    expect([degraded.told.length, well.told.length]).toEqual([1, 5]);
  });

  it('one that drains takes nothing, and finishes what it has', async () => {
    const busy = held();
    const draining = await renderer({ run: busy.run });
    const first = ask();
    await eventually(() => draining.serving.slots().used === 1, 'it has the job');
    renderers.pop();
    const drained = draining.close();
    await eventually(() => draining.serving.state() === 'draining', 'it drains');
    const other = await renderer({ run: async () => ({ result: PDF_RESULT }) });
    await ask();
    expect(other.told).toEqual(['finished ok']);
    busy.finish();
    expect(await first).toMatchObject({ result: PDF_RESULT });
    await drained;
  });
});

describe('what goes wrong', () => {
  it.each([
    [
      new Error('the browser crashed'),
      { code: 'no_renderer', status: 503, message: expect.stringMatching(/the browser failed$/), retryAfterS: 5 },
    ],
    [new ProbeFailure('no_network', 'by root'), { code: 'upstream_failed', message: expect.stringMatching(/no working network$/) }],
    [new ProbeFailure('target_limited'), { code: 'target_limited', status: 429 }],
    [
      new ProbeFailure('blocked_private_address', 'x.test'),
      { code: 'private_address', status: 400, param: 'url', message: expect.stringMatching(/: site\.test$/) },
    ],
    [
      new ProbeFailure('blocked_policy', 'db.internal'),
      { code: 'special_use_name', status: 400, message: expect.stringMatching(/: site\.test$/) },
    ],
    [new ProbeFailure('blocked_policy', 'www.state.gov'), { code: 'blocked_target', status: 400 }],
    [new ProbeFailure('blocked_policy', 'out.example'), { code: 'denied_target', status: 400 }],
  ])('%s', async (thrown, expected) => {
    const failing = await renderer({ run: () => Promise.reject(thrown) });
    await expect(ask()).rejects.toMatchObject(expected);
    expect(failing.told.some((line) => line.startsWith('finished'))).toBe(true);
  });

  it('a result that breaks its schema never leaves the renderer', async () => {
    const { told } = await renderer({ run: async () => ({ result: { pages: 'two' } }) });
    await expect(ask()).rejects.toMatchObject({ code: 'no_renderer' });
    expect(told).toEqual(['finished internal', 'defect the result breaks its schema']);
  });

  it('a file beyond the limit never leaves it either', async () => {
    await renderer({ run: async () => ({ result: PDF_RESULT, file: Buffer.alloc(50 * 1024 * 1024 + 1) }) });
    await expect(ask()).rejects.toMatchObject({ code: 'upstream_failed', message: expect.stringMatching(/exceeds the limit$/) });
  });

  it('a client that leaves ends the job', async () => {
    let reason: unknown;
    const { told, serving } = await renderer({
      run: (_kind, _job, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            reject(signal.reason as Error);
          });
        }),
    });
    const control = new AbortController();
    const asked = ask({ signal: control.signal });
    await eventually(() => serving.slots().used === 1, 'it has the job');
    control.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    await eventually(() => told.length === 2, 'it ends');
    expect(told).toEqual(['cancelled client_gone', 'finished cancelled']);
    expect(reason).toMatchObject({ code: 'cancelled' });
  });

  it('a job that does not end within its budget is told to', async () => {
    const { told } = await renderer({
      run: (_kind, _job, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    });
    await expect(ask({ budgetMs: 1_500 })).rejects.toMatchObject({ code: 'no_renderer' });
    expect(told[0]).toBe('finished internal');
  });

  it('a job without URL and without input, or with both, is invalid', async () => {
    const { told } = await renderer({ run: async () => ({ result: PDF_RESULT }) });
    const options = { budgetMs: 5_000, signal: new AbortController().signal };
    await expect(gateway.asker.render('pdf', HTML_JOB, options)).rejects.toMatchObject({ code: 'internal' });
    await expect(gateway.asker.render('pdf', PDF_JOB, { ...options, input: Buffer.from('x') })).rejects.toMatchObject({ code: 'internal' });
    expect(told).toEqual(['refused invalid', 'refused invalid']);
  });

  it('a renderer that says good-bye in the middle: another gets the job', async () => {
    const leaving = await renderer({ run: () => Promise.reject(new ProbeFailure('cancelled', 'the renderer is shutting down')) });
    const first = ask();
    await eventually(() => leaving.told.includes('finished cancelled'), 'it gave up');
    await renderer({ run: async () => ({ result: PDF_RESULT, file: Buffer.from('second') }) });
    expect((await first).file.toString()).toBe('second');
    expect(gateway.told).toEqual(['retried pdf']);
  });
});

describe('a bad renderer beside a good one', () => {
  const good = () => renderer({ run: async () => ({ result: PDF_RESULT, file: Buffer.from('good') }), slots: 4 });
  const ejected = () => gateway.told.filter((line) => line.startsWith('ejected'));

  it.each([
    ['fails', new Error('its disk is full')],
    ['has no network', new ProbeFailure('no_network')],
    ['says that it is limited', new ProbeFailure('target_limited')],
  ])('that %s: another is asked, nobody hears of it, and it is soon left out', async (_what, thrown) => {
    const bad = await renderer({ run: () => Promise.reject(thrown), slots: 64 });
    await good();
    for (let i = 0; i < 16; i++) expect((await ask()).file.toString()).toBe('good');
    expect(ejected()).toEqual([`ejected ${bad.name} pdf`]);
    expect(bad.told.filter((line) => line.startsWith('finished'))).toHaveLength(3);
  });

  it('that refuses jobs as invalid, in its own words: another is asked', async () => {
    const bad = await startLiar(server.url, 'invalid');
    await good();
    await eventually(() => gateway.presence.well('pdf').length === 2, 'both are seen');
    for (let i = 0; i < 16; i++) expect((await ask()).file.toString()).toBe('good');
    expect(ejected()).toEqual([`ejected ${bad.name} pdf`]);
    await bad.close();
  });

  it('that claims 64 slots is believed to have 4, and one more for each job done', async () => {
    const busy = await renderer({ run: async () => ({ result: PDF_RESULT }), slots: 64 });
    const slots = () => gateway.presence.renderers().find(({ renderer: name }) => name === busy.name)?.slots;
    expect([slots(), gateway.presence.slots()]).toEqual([4, 4]);
    for (let i = 0; i < 3; i++) await ask();
    expect(slots()).toBe(7);
  });

  it('and a page that is more than any renderer can do: nobody is blamed', async () => {
    const run = () => Promise.reject(new Error('the tab crashed'));
    const both = [await renderer({ run }), await renderer({ run })];
    for (let i = 0; i < 6; i++) await expect(ask()).rejects.toMatchObject({ code: 'no_renderer', status: 503 });
    expect(both.map(({ told }) => told.filter((line) => line === 'finished internal').length)).toEqual([6, 6]);
    expect(ejected()).toEqual([]);
  });
});

describe('a renderer that is killed', () => {
  it('in the middle of a job: the job begins again at another, once', async () => {
    const dying = await startRendererProcess(server.url);
    await eventually(() => gateway.presence.slots() === 4, 'it is seen');
    const asked = ask();
    await eventually(() => isAtWork(), 'it has the job');
    await renderer({ run: async () => ({ result: PDF_RESULT, file: Buffer.from('again') }) });
    dying.kill('SIGKILL');
    expect((await asked).file.toString()).toBe('again');
    expect(gateway.told).toEqual(['retried pdf']);
  });

  it('frozen in the middle of a job: the job begins again at another', async () => {
    const frozen = await startRendererProcess(server.url);
    await eventually(() => gateway.presence.slots() === 4, 'it is seen');
    const asked = ask({ budgetMs: 20_000 });
    await eventually(() => isAtWork(), 'it has the job');
    await renderer({ run: async () => ({ result: PDF_RESULT, file: Buffer.from('again') }) });
    await freeze(frozen.pid!);
    expect((await asked).file.toString()).toBe('again');
    frozen.kill('SIGKILL');
  }, 20_000);

  it('and no other comes: a clear error within the deadline', async () => {
    const dying = await startRendererProcess(server.url);
    await eventually(() => gateway.presence.slots() === 4, 'it is seen');
    const asked = ask({ budgetMs: 4_000 });
    await eventually(() => isAtWork(), 'it has the job');
    dying.kill('SIGKILL');
    await expect(asked).rejects.toMatchObject({ code: 'upstream_failed', message: expect.stringContaining('the browser was lost') });
    await expect(ask()).rejects.toMatchObject({ code: 'no_renderer' });
  });

  it('while idle: the next job is told so at once', async () => {
    const dying = await startRendererProcess(server.url);
    await eventually(() => gateway.presence.slots() === 4, 'it is seen');
    const gone = once(dying, 'exit');
    dying.kill('SIGKILL');
    await gone;
    await expect(ask()).rejects.toMatchObject({ code: 'no_renderer' });
  });
});

describe('the bus', () => {
  it('gone in the middle of a job: bus_unavailable, and jobs go on when it is back', async () => {
    const busy = held();
    const { serving } = await renderer({ run: busy.run });
    const asked = ask();
    await eventually(() => serving.slots().used === 1, 'it has the job');
    // The asker may hear of it before we do.
    await Promise.all([server.kill(), expect(asked).rejects.toMatchObject({ code: 'bus_unavailable' })]);
    await server.start();
    busy.finish();
    await eventually(() => gateway.bus.connected() && gateway.presence.slots() === 4, 'all are back');
    await expect
      .poll(
        () =>
          ask().then(
            () => 'answered',
            () => 'not yet',
          ),
        { timeout: 10_000 },
      )
      .toBe('answered');
  }, 20_000);
});
