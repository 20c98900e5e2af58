import { type Clock, isId } from '@vedette/contract';
import type { RendererBeatFrame } from '../frames/index.ts';
import { BeatFeed } from '../presence/beat-feed.ts';
import { Peer, type PresenceState } from '../presence/peer.ts';
import { Registry } from '../presence/registry.ts';
import type { Bus } from '../wire/connection.ts';
import { readRendererBeat } from './render-frames.ts';
import { subjects } from '../wire/subjects.ts';

/** A renderer by the tokens of its subjects. */
export interface RendererId {
  key: string;
  renderer: string;
}

/** A renderer as its beats show it. */
export interface RendererView extends RendererId {
  state: PresenceState;
  /** Its protocol range does not include ours: it is not asked. */
  outdated: boolean;
  /** Time since it was last heard, ms. */
  silent_ms: number;
  /** Jobs that it is believed to do at once: as many as it says, and no more than it has been seen to do. */
  slots: number;
  beat: RendererBeatFrame;
}

/** The renderers, by their beats alone: each gateway has its own view. */
export interface RendererPresence {
  /** The renderers seen within the last ten minutes, lost ones included. */
  renderers(): RendererView[];
  /** The renderers that can be asked for a kind: ready ones, or else degraded ones; those that failed too often only without another. */
  well(kind: string): RendererView[];
  /** It has done a job of this kind. */
  good(id: RendererId, kind: string): void;
  /** It could not do a job of this kind that another did: too often, and it is left out for a while, where there is another. */
  fault(id: RendererId, kind: string): void;
  /** Whether one was ever heard. */
  everSeen(): boolean;
  /** Jobs that they do at once, those that are well. */
  slots(): number;
  /** When it was last heard; -Infinity for one that never was. Silence of our own does not count. */
  heardAt(id: RendererId): number;
  /** It sent an invalid beat. */
  heard(id: RendererId): void;
  /** The server knows it no more. */
  gone(id: RendererId): void;
  /** Start of our own listening, moved on when we were stalled: silence before it says nothing. */
  listeningSince(): number;
  /** We were stalled: silence until now says nothing. */
  stalled(): void;
  close(): void;
}

/** More slots than this are not believed: a renderer may be stolen, and they say how much we have in flight. */
const MAX_SLOTS = 256;
/** This many slots are believed at first, and one more for each finished job: a renderer that claims more room would draw all work. */
const FIRST_SLOTS = 4;
const LIMITS = { groups: 500, each: 50, all: 500 };
/** Subscriptions to beats during a flood; agents' are on the same connection. */
const MAX_BRANCHES = 96;

/** One renderer, in memory. Times are ms on one monotonic clock. */
class Renderer extends Peer<RendererBeatFrame> {
  /** The server said that it is gone. */
  gone = false;
  /** Jobs that it has done, halved with each that it could not do. */
  #done = 0;

  override beats(beat: RendererBeatFrame, now: number): void {
    super.beats(beat, now);
    this.gone = false;
  }

  override good(kind: string): void {
    this.#done = Math.min(MAX_SLOTS, this.#done + 1);
    super.good(kind);
  }

  override fault(kind: string, now: number): boolean {
    this.#done = Math.floor(this.#done / 2);
    return super.fault(kind, now);
  }

  view(now: number, linkedSince: number): RendererView {
    const { beat } = this;
    return {
      key: beat.key,
      renderer: beat.renderer,
      state: this.gone ? 'gone' : this.state(now, linkedSince),
      outdated: this.isOutdated(),
      silent_ms: now - this.heardAt,
      slots: Math.min(MAX_SLOTS, beat.slots.max, FIRST_SLOTS + this.#done),
      beat,
    };
  }
}

export interface RendererPresenceOptions {
  /** Best a connection without jobs and replies: clients that may beat may send as much as the server accepts. */
  bus: Bus;
  clock: Clock;
  onInvalid?: () => void;
  /** More beats than a renderer sends; the busiest one, empty where none stands out. Told every 10 s at most for each key. */
  onFlood?: (key: string, renderer: string) => void;
  /** One could not do what others did, again and again: they get its jobs of this kind for so many ms. */
  onEjected?: (id: RendererId, kind: string, ms: number) => void;
  /** A renderer started, and is about to take jobs. */
  onJoining?: () => void;
}

/** Subscribes to the beats of renderers, and asks each for one now and after each reconnect. */
export function createRendererPresence(options: RendererPresenceOptions): RendererPresence {
  return new BeatingRenderers(options);
}

class BeatingRenderers implements RendererPresence {
  readonly #options: RendererPresenceOptions;
  readonly #registry: Registry<Renderer>;
  readonly #feed: BeatFeed;
  /** Silence before it is ours. */
  #linkedSince: number;
  #everSeen = false;
  #endings: (() => void)[];

  constructor(options: RendererPresenceOptions) {
    const { bus, clock, onFlood = () => {} } = options;
    this.#options = options;
    this.#linkedSince = clock.now();
    this.#registry = new Registry(LIMITS, this.#linkedSince);
    this.#feed = new BeatFeed({
      bus,
      clock,
      subject: subjects.rendererBeat,
      branches: MAX_BRANCHES,
      registry: this.#registry,
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
    const now = this.#options.clock.now();
    this.#registry.forgetOld(now);
    return Array.from(this.#registry.all(), (renderer) => renderer.view(now, this.#linkedSince));
  }

  well(kind: string): RendererView[] {
    const now = this.#options.clock.now();
    const able = this.renderers().filter(({ outdated, beat }) => !outdated && beat.kinds.includes(kind));
    const kept = able.filter((one) => this.#get(one)?.isOut(kind, now) !== true);
    const choices = [kept, able].flatMap((some) => [
      some.filter(({ state }) => state === 'ready'),
      some.filter(({ state }) => state === 'degraded'),
    ]);
    return choices.find((some) => some.length > 0) ?? [];
  }

  good(id: RendererId, kind: string): void {
    this.#get(id)?.good(kind);
  }

  fault(id: RendererId, kind: string): void {
    const now = this.#options.clock.now();
    const renderer = this.#get(id);
    if (renderer?.fault(kind, now) !== true) return;
    const others = this.well(kind).filter((other) => nameOf(other) !== nameOf(id));
    const hasSound = others.some((other) => this.#get(other)?.isSound(kind, now));
    if (hasSound) this.#options.onEjected?.(id, kind, renderer.eject(kind, now));
  }

  everSeen(): boolean {
    return this.#everSeen;
  }

  slots(): number {
    let slots = 0;
    for (const { state, outdated, slots: believed } of this.renderers())
      if (!outdated && (state === 'ready' || state === 'degraded')) slots += believed;
    return slots;
  }

  heardAt(id: RendererId): number {
    const renderer = this.#get(id);
    return renderer === undefined ? -Infinity : Math.max(renderer.heardAt, this.#linkedSince);
  }

  heard(id: RendererId): void {
    const renderer = this.#get(id);
    if (renderer) renderer.heardAt = this.#options.clock.now();
  }

  gone(id: RendererId): void {
    const renderer = this.#get(id);
    if (renderer) renderer.gone = true;
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

  #get({ key, renderer }: RendererId): Renderer | undefined {
    return this.#registry.get(key, renderer);
  }

  #onBeat(id: RendererId, data: Uint8Array): void {
    const { clock, onInvalid, onJoining } = this.#options;
    const now = clock.now();
    if (!isId(id.renderer) || !this.#registry.admits(id.key, id.renderer, now)) return;
    const beat = readRendererBeat(data);
    if (beat?.key !== id.key || beat.renderer !== id.renderer) return onInvalid?.();
    const known = this.#get(id);
    if (known === undefined) this.#registry.add(id.key, id.renderer, new Renderer(beat, now));
    else known.beats(beat, now);
    this.#everSeen = true;
    if (beat.state === 'joining') onJoining?.();
  }
}

export const nameOf = ({ key, renderer }: RendererId): string => `${key}.${renderer}`;
