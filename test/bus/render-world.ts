import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { PROTOCOL } from '@vedette/bus/frames';
import type { RenderJob, RenderKind, RenderOutput } from '@vedette/contract';
import {
  createRenderAsker,
  createRendererPresence,
  openBus,
  publicKeyOf,
  serveRenders,
  type RenderAsker,
  type RendererPresence,
  type ServeRendersOptions,
  type ServingRenders,
  type Bus,
  type BusMessage,
} from '@vedette/bus';
import { PLAIN_PAGE } from '../plain-page.ts';
import { clock } from './world.ts';

export const PDF_JOB: RenderJob<'pdf'> = {
  page: { ...PLAIN_PAGE, url: 'http://site.test/', emulate_media: 'print' },
  width: 0,
  height: 0,
  format: 'A4',
  margin: 0,
  show_background: true,
  landscape: false,
  page_ranges: '',
  scale: 1,
  one_page: false,
};

const { url: _, ...page } = PDF_JOB.page;
/** The same of HTML that comes as the job's input. */
export const HTML_JOB: RenderJob<'pdf'> = { ...PDF_JOB, page };

export const PDF_RESULT = {
  page: { final_url: 'http://site.test/', content_type: 'text/html', ip: '192.0.2.1', status_code: 200, page_content_empty: false },
  pages: 1,
};

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export type Run = (kind: RenderKind, job: unknown, options: Parameters<ServeRendersOptions['run']>[2]) => Promise<unknown>;

export interface RendererOptions {
  url: string;
  run: Run;
  slots?: number;
  name?: string;
  credentials?: string;
  isWell?: () => boolean;
}

export interface WorldRenderer {
  serving: ServingRenders;
  name: string;
  /** What it told: `finished ok`, `refused busy`, `cancelled client_gone`, `defect …`. */
  told: string[];
  close(): Promise<void>;
}

let started = 0;

export async function startRenderer({
  url,
  run,
  slots = 4,
  name = `r${(started += 1)}`,
  credentials,
  isWell,
}: RendererOptions): Promise<WorldRenderer> {
  const told: string[] = [];
  const identity = credentials === undefined ? {} : { credentials };
  const bus = await openBus({ url, name, clock, ...identity });
  const chunks = await openBus({ url, name: `${name} chunks`, clock, ...identity });
  const options: ServeRendersOptions = {
    bus,
    chunks,
    clock,
    key: credentials === undefined ? 'any' : publicKeyOf(credentials),
    renderer: name,
    version: '1.2.3',
    kinds: ['screenshot', 'pdf', 'requests'],
    slots,
    run: <K extends RenderKind>(kind: K, job: RenderJob<K>, given: Parameters<Run>[2]) => run(kind, job, given) as Promise<RenderOutput<K>>,
    isWell: isWell ?? (() => true),
    browser: () => 'HeadlessChrome/153.0.0.0',
    eventLoopDelayMs: () => 0,
    events: {
      finished: (_job, _kind, reason) => told.push(`finished ${reason}`),
      defect: (_job, _kind, error) => told.push(`defect ${error instanceof Error ? error.message : String(error)}`),
      refused: (reason) => told.push(`refused ${reason}`),
      cancelled: (reason) => told.push(`cancelled ${reason}`),
    },
  };
  const serving = await serveRenders(options);
  return {
    serving,
    name,
    told,
    async close() {
      await serving.drain();
      await bus.close();
      await chunks.close();
    },
  };
}

/** The beat of a renderer that is well and has so many slots. */
export const beatOf = (renderer: string, slots: number) => ({
  key: 'any',
  renderer,
  version: '1.2.3',
  browser: '',
  protocol: { major: PROTOCOL.major, minor_min: 0, minor_max: PROTOCOL.minor },
  state: 'ready',
  kinds: ['pdf'],
  slots: { used: 0, max: slots },
  held_bytes: 0,
  event_loop_delay_ms: 0,
});

/** A renderer that beats as one that is well, and refuses every job with this. */
export async function startLiar(url: string, reason: 'invalid' | 'unsupported'): Promise<{ name: string; close(): Promise<void> }> {
  const name = `liar${(started += 1)}`;
  const bus = await openBus({ url, name, clock });
  const who = { key: 'any', renderer: name };
  const beat = () => bus.publish(`vedette.v1.renderer.beat.any.${name}`, JSON.stringify(beatOf(name, 64)));
  const refuse = ({ data, reply }: BusMessage): void => {
    const { job, attempt, nonce } = JSON.parse(Buffer.from(data).toString()) as Record<string, unknown>;
    if (reply !== undefined) bus.publish(reply, JSON.stringify({ type: 'nack', ...who, job, attempt, nonce, reason }));
  };
  bus.subscribe('vedette.v1.render.pdf', refuse, { queue: 'renderers' });
  bus.subscribe(`vedette.v1.render.pdf.any.${name}`, refuse);
  beat();
  const beating = setInterval(beat, 200);
  return {
    name,
    async close() {
      clearInterval(beating);
      await bus.close();
    },
  };
}

export interface WorldGateway extends AsyncDisposable {
  asker: RenderAsker;
  presence: RendererPresence;
  bus: Bus;
  told: string[];
  close(): Promise<void>;
}

export async function startRenderGateway(
  url: string,
  { id = 'gw1', credentials }: { id?: string; credentials?: string } = {},
): Promise<WorldGateway> {
  const identity = credentials === undefined ? {} : { credentials };
  const bus = await openBus({ url, name: id, clock, patienceMs: 500, ...identity });
  const chunks = await openBus({ url, name: `${id} chunks`, clock, patienceMs: 500, ...identity });
  const told: string[] = [];
  const presence = createRendererPresence({
    bus,
    clock,
    onInvalid: () => told.push('invalid beat'),
    onFlood: (key, renderer) => told.push(`flood ${key} ${renderer}`),
    onEjected: ({ renderer }, kind) => told.push(`ejected ${renderer} ${kind}`),
  });
  const asker = createRenderAsker({
    bus,
    chunks,
    gatewayId: credentials === undefined ? id : publicKeyOf(credentials),
    presence,
    clock,
    events: { invalidFrame: () => told.push('invalid frame'), retried: (kind) => told.push(`retried ${kind}`) },
  });
  await bus.flush();
  const close = async (): Promise<void> => {
    asker.close();
    presence.close();
    await bus.close();
    await chunks.close();
  };
  return {
    asker,
    presence,
    bus,
    told,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A renderer that takes jobs and never ends one, in a process of its own. */
export async function startRendererProcess(url: string): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', fileURLToPath(new URL('renderer-process.ts', import.meta.url)), url],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}
