import type { ServeRendersOptions } from './render-options.ts';
import { PROTOCOL, type RendererBeatFrame, type AgentState } from '../frames/index.ts';
import { RenderDesk } from './render-desk.ts';
import { writeRendererBeat } from './render-frames.ts';
import { createServing, type Serving } from '../serve/serving.ts';
import { subjects } from '../wire/subjects.ts';

export type ServingRenders = Serving<RendererBeatFrame['slots']>;

/** Time for the last frames of runs that were aborted, and for results to be fetched. */
const ABORTED_MS = 500;

/** Takes pages to render and answers for them: ack at once, one final, the results to be fetched. Resolves when the server knows our subscriptions. */
export async function serveRenders(options: ServeRendersOptions): Promise<ServingRenders> {
  const { bus, chunks, clock, key, renderer, isWell } = options;
  const desk = new RenderDesk(options, () => beater.now());
  const { beater, start } = createServing({
    buses: [bus, chunks],
    clock,
    jobs: desk,
    isWell,
    publishBeat: (state) => bus.publish(subjects.rendererBeat(key, renderer), writeRendererBeat(beatFrame(options, state, desk))),
    pinned: () => options.kinds.map((kind) => bus.subscribe(subjects.pinnedRender(kind, key, renderer), desk.onJob)),
    control: () => [
      bus.subscribe(subjects.renderCancel, desk.onCancel),
      chunks.subscribe(subjects.renderOutput(key, renderer), desk.outbox.onRequest),
    ],
    abortedMs: ABORTED_MS,
  });
  const serving = await start();
  const drain = async () => {
    await serving.drain();
    desk.close();
  };
  return { ...serving, drain };
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

const beatFrame = (options: ServeRendersOptions, state: AgentState, desk: RenderDesk): RendererBeatFrame => ({
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
