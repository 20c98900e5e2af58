import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startNatsServer, type NatsServer } from './nats-server.ts';
import { eventually } from './world.ts';
import {
  HTML_JOB,
  PDF_JOB,
  PDF_RESULT,
  type RendererOptions,
  sha256,
  startRenderer,
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

describe('a render', () => {
  it('carries input and result of megabytes, whole', async () => {
    const file = randomBytes(20_000_001);
    const input = randomBytes(5_000_000);
    let got = '';
    await renderer({
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
  });
});
