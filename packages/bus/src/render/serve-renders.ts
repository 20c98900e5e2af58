import type { ServeRendersOptions } from './render-options.ts';
import { PROTOCOL, type RendererBeatFrame, type RendererState } from '@vedette/contract';
import { createBeater } from '../serve/beater.ts';
import { RenderDesk } from './render-desk.ts';
import { writeRendererBeat } from './render-frames.ts';
import { subjects } from '../wire/subjects.ts';

export interface ServingRenders {
  state(): RendererState;
  slots(): RendererBeatFrame['slots'];
  /** Tells the gateways at once that something about us changed. */
  beat(): void;
  /** Takes no more jobs, finishes those at work (30 s at most), waits for their results to be fetched, and leaves the bus flushed. */
  drain(): Promise<void>;
}

const DRAIN_MS = 30_000;
const DRAIN_POLL_MS = 20;
/** Time for the last frames of runs that were aborted, and for results to be fetched. */
const ABORTED_MS = 500;

/** Takes pages to render and answers for them: ack at once, one final, the results to be fetched. Resolves when the server knows our subscriptions. */
export async function serveRenders(options: ServeRendersOptions): Promise<ServingRenders> {
  const { bus, chunks, clock, key, renderer, isWell } = options;
  let state: RendererState = 'joining';
  const wellState = () => (isWell() ? 'ready' : 'degraded');
  const desk = new RenderDesk(options, () => beater.now());
  const beat = () => {
    desk.review();
    if (state === 'ready' || state === 'degraded') state = wellState();
    bus.publish(subjects.rendererBeat(key, renderer), writeRendererBeat(beatFrame(options, state, desk)));
  };
  const beater = createBeater(clock, () => desk.size > 0, beat);
  const subscriptions = [
    bus.subscribe(subjects.renderCancel, desk.onCancel),
    bus.subscribe(subjects.roll, () => beater.now()),
    chunks.subscribe(subjects.renderOutput(key, renderer), desk.outbox.onRequest),
  ];
  const pinned = options.kinds.map((kind) => bus.subscribe(subjects.pinnedRender(kind, key, renderer), desk.onJob));
  desk.review();
  await Promise.all([bus.flush(), chunks.flush()]);
  state = wellState();
  beater.now();
  const endWatch = bus.onChange((connected) => {
    if (connected) beater.now();
  });
  const until = async (done: () => boolean, withinMs: number) => {
    const end = clock.now() + withinMs;
    while (!done() && clock.now() < end) await clock.sleep(DRAIN_POLL_MS);
  };

  return {
    state: () => state,
    slots: () => desk.slots(),
    beat: () => beater.now(),
    async drain() {
      state = 'draining';
      const left = desk.drain();
      beat();
      // A server that is gone hands over nothing more; what runs is finished all the same.
      await Promise.allSettled([left, ...pinned.map((subscription) => subscription.drain())]);
      await until(() => desk.size === 0, DRAIN_MS);
      desk.abortAll();
      await until(() => desk.size === 0 && desk.outbox.bytes === 0, ABORTED_MS);
      endWatch();
      beater.stop();
      for (const subscription of subscriptions) subscription.unsubscribe();
      desk.close();
      await Promise.allSettled([bus.flush(), chunks.flush()]); // as above
    },
  };
}

const PROBLEM_MAX_CHARS = 1000;

/** Tells the gateways why a renderer does not start: a last beat, for one that ends then. Resolves when the server has it. */
export async function tellProblem(
  { bus, key, renderer, version }: Pick<ServeRendersOptions, 'bus' | 'key' | 'renderer' | 'version'>,
  problem: string,
): Promise<void> {
  const frame: RendererBeatFrame = {
    key,
    renderer,
    version,
    browser: '',
    protocol: { major: PROTOCOL.major, minor_min: 0, minor_max: PROTOCOL.minor },
    state: 'draining',
    kinds: [],
    slots: { used: 0, max: 0 },
    held_bytes: 0,
    event_loop_delay_ms: 0,
    problem: problem.slice(0, PROBLEM_MAX_CHARS),
  };
  bus.publish(subjects.rendererBeat(key, renderer), writeRendererBeat(frame));
  await bus.flush();
}

const beatFrame = (options: ServeRendersOptions, state: RendererState, desk: RenderDesk): RendererBeatFrame => ({
  key: options.key,
  renderer: options.renderer,
  version: options.version,
  browser: options.browser(),
  protocol: { major: PROTOCOL.major, minor_min: 0, minor_max: PROTOCOL.minor },
  state,
  kinds: [...options.kinds],
  slots: desk.slots(),
  held_bytes: desk.outbox.bytes,
  event_loop_delay_ms: options.eventLoopDelayMs(),
});
