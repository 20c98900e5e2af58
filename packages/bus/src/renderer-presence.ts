import { type Clock, isId, PROTOCOL, type RendererBeatFrame, type RendererState } from '@vedette/contract';
import { BeatFeed, type KnownAgents } from './beat-feed.ts';
import type { Bus } from './connection.ts';
import { readRendererBeat } from './render-frames.ts';
import { subjects } from './subjects.ts';

/** A renderer by the tokens of its subjects. */
export interface RendererId {
  key: string;
  renderer: string;
}

/** A renderer as its beats show it. */
export interface RendererView extends RendererId {
  state: RendererState | 'suspect' | 'gone';
  /** Its protocol range does not include ours: it is not asked. */
  outdated: boolean;
  /** Time since it was last heard, ms. */
  silent_ms: number;
  beat: RendererBeatFrame;
}

/** The renderers, by their beats alone: each gateway has its own view. */
export interface RendererPresence {
  /** Those seen within the last ten minutes, those that are gone included. */
  renderers(): RendererView[];
  /** Those that can be asked for a kind: the ready ones, or where there is none the degraded. */
  well(kind: string): RendererView[];
  /** Whether one was ever heard. */
  everSeen(): boolean;
  /** Jobs that they do at once, those that are well. */
  slots(): number;
  /** When it was last heard; -Infinity for one that never was. Silence of our own does not count. */
  heardAt(id: RendererId): number;
  /** It said something that is no beat. */
  heard(id: RendererId): void;
  /** The server knows it no more. */
  gone(id: RendererId): void;
  /** Start of our own listening, moved on when we were stalled: silence before it says nothing. */
  listeningSince(): number;
  /** We were stalled: silence until now says nothing. */
  stalled(): void;
  close(): void;
}

const SUSPECT_MS = 5_000;
const GONE_MS = 10_000;
const FORGET_MS = 10 * 60_000;
/** More slots than this are not believed: a renderer may be stolen, and they say how much we have in flight. */
const MAX_SLOTS = 256;
/** Names are free for whoever may beat. */
const MAX_RENDERERS = 500;
const MAX_OF_KEY = 50;
/** Subscriptions to beats during a flood; agents' are on the same connection. */
const MAX_BRANCHES = 96;

interface Known {
  beat: RendererBeatFrame;
  heardAt: number;
  /** The server said that it is gone. */
  gone: boolean;
}

export interface RendererPresenceOptions {
  /** Best a connection without jobs and replies: whoever may beat may send as much as the server takes. */
  bus: Bus;
  clock: Clock;
  onInvalid?: () => void;
  /** More beats than a renderer sends; the busiest one, empty where none stands out. Told every 10 s at most for each key. */
  onFlood?: (key: string, renderer: string) => void;
  /** A renderer started, and is about to take jobs. */
  onJoining?: () => void;
}

/** Subscribes to the beats of renderers, and asks each for one now and after each reconnect. */
export function createRendererPresence(options: RendererPresenceOptions): RendererPresence {
  return new BeatingRenderers(options);
}

class BeatingRenderers implements RendererPresence {
  readonly #options: RendererPresenceOptions;
  readonly #known = new Map<string, Known>();
  readonly #feed: BeatFeed;
  /** Silence before it is ours. */
  #linkedSince: number;
  #everSeen = false;
  #endings: (() => void)[];

  constructor(options: RendererPresenceOptions) {
    const { bus, clock, onFlood = () => {} } = options;
    this.#options = options;
    this.#linkedSince = clock.now();
    this.#feed = new BeatFeed({
      bus,
      clock,
      subject: subjects.rendererBeat,
      branches: MAX_BRANCHES,
      registry: this.#byKey(),
      expected: () => [],
      onBeat: (key, renderer, data) => this.#onBeat({ key, renderer }, data),
      onFlood,
    });
    const endWatch = bus.onChange((connected) => {
      this.stalled();
      if (!connected) return;
      this.#feed.renew();
      bus.publish(subjects.roll, '');
    });
    this.#endings = [() => this.#feed.close(), endWatch];
    bus.publish(subjects.roll, '');
  }

  renderers(): RendererView[] {
    this.#forgetOld();
    return Array.from(this.#known.values(), (known) => this.#view(known));
  }

  well(kind: string): RendererView[] {
    const able = this.renderers().filter(({ outdated, beat }) => !outdated && beat.kinds.includes(kind));
    const ready = able.filter(({ state }) => state === 'ready');
    return ready.length > 0 ? ready : able.filter(({ state }) => state === 'degraded');
  }

  everSeen(): boolean {
    return this.#everSeen;
  }

  slots(): number {
    let slots = 0;
    for (const { state, outdated, beat } of this.renderers())
      if (!outdated && (state === 'ready' || state === 'degraded')) slots += Math.min(MAX_SLOTS, beat.slots.max);
    return slots;
  }

  heardAt(id: RendererId): number {
    const known = this.#known.get(nameOf(id));
    return known === undefined ? -Infinity : Math.max(known.heardAt, this.#linkedSince);
  }

  heard(id: RendererId): void {
    const known = this.#known.get(nameOf(id));
    if (known) known.heardAt = this.#options.clock.now();
  }

  gone(id: RendererId): void {
    const known = this.#known.get(nameOf(id));
    if (known) known.gone = true;
  }

  listeningSince(): number {
    return this.#linkedSince;
  }

  stalled(): void {
    this.#linkedSince = this.#options.clock.now();
  }

  close(): void {
    for (const end of this.#endings) end();
  }

  #onBeat(id: RendererId, data: Uint8Array): void {
    const { clock, onInvalid, onJoining } = this.#options;
    if (!this.#admits(id)) return;
    const beat = readRendererBeat(data);
    if (beat?.key !== id.key || beat.renderer !== id.renderer) return onInvalid?.();
    this.#known.set(nameOf(id), { beat, heardAt: clock.now(), gone: false });
    this.#everSeen = true;
    if (beat.state === 'joining') onJoining?.();
  }

  #admits(id: RendererId): boolean {
    if (this.#known.has(nameOf(id))) return true;
    this.#forgetOld();
    return this.#known.size < MAX_RENDERERS && this.#ofKey(id.key).size < MAX_OF_KEY && isId(id.renderer);
  }

  #ofKey(key: string): Set<string> {
    const beats = this.#known.values().map(({ beat }) => beat);
    return new Set(beats.filter((beat) => beat.key === key).map(({ renderer }) => renderer));
  }

  #byKey(): KnownAgents {
    const known = this.#known;
    return {
      get size() {
        return known.size;
      },
      ids: () => known.values().map(({ beat }) => beat.key),
      knows: (key) => known.values().some(({ beat }) => beat.key === key),
      at: (key) => this.#ofKey(key),
    };
  }

  #view(known: Known): RendererView {
    const { beat, heardAt, gone } = known;
    const now = this.#options.clock.now();
    const silent_ms = now - heardAt;
    const silent = now - Math.max(heardAt, this.#linkedSince);
    const { major, minor_min, minor_max } = beat.protocol;
    return {
      key: beat.key,
      renderer: beat.renderer,
      state: gone || silent > GONE_MS ? 'gone' : silent > SUSPECT_MS && beat.state !== 'draining' ? 'suspect' : beat.state,
      outdated: major !== PROTOCOL.major || minor_min > PROTOCOL.minor || minor_max < PROTOCOL.needed,
      silent_ms,
      beat,
    };
  }

  #forgetOld(): void {
    const now = this.#options.clock.now();
    for (const [name, { heardAt }] of this.#known) if (now - heardAt > FORGET_MS) this.#known.delete(name);
  }
}

export const nameOf = ({ key, renderer }: RendererId): string => `${key}.${renderer}`;
