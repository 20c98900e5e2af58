import { type Clock, isId } from '@vedette/contract';
import { PROTOCOL, type RendererBeatFrame, type RendererState } from '../frames/index.ts';
import { BeatFeed, type KnownAgents } from '../presence/beat-feed.ts';
import type { Bus } from '../wire/connection.ts';
import { readRendererBeat } from './render-frames.ts';
import { Standing } from '../presence/standing.ts';
import { subjects } from '../wire/subjects.ts';

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

const SUSPECT_MS = 5_000;
const GONE_MS = 10_000;
const FORGET_MS = 10 * 60_000;
/** More slots than this are not believed: a renderer may be stolen, and they say how much we have in flight. */
const MAX_SLOTS = 256;
/** This many slots are believed at first, and one more for each finished job: a renderer that claims more room would draw all work. */
const FIRST_SLOTS = 4;
/** Clients that may beat choose names freely. */
const MAX_RENDERERS = 500;
const MAX_OF_KEY = 50;
/** Subscriptions to beats during a flood; agents' are on the same connection. */
const MAX_BRANCHES = 96;

interface Known {
  beat: RendererBeatFrame;
  heardAt: number;
  /** The server said that it is gone. */
  gone: boolean;
  /** Jobs that it has done, halved with each that it could not do. */
  done: number;
  /** How it does, by kind of job; only where it ever failed one. */
  standings: Map<string, Standing>;
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
    const kept = able.filter((one) => !this.#isOut(one, kind));
    const choices = [kept, able].flatMap((some) => [
      some.filter(({ state }) => state === 'ready'),
      some.filter(({ state }) => state === 'degraded'),
    ]);
    return choices.find((some) => some.length > 0) ?? [];
  }

  good(id: RendererId, kind: string): void {
    const known = this.#known.get(nameOf(id));
    if (known === undefined) return;
    known.done = Math.min(MAX_SLOTS, known.done + 1);
    known.standings.get(kind)?.good();
  }

  fault(id: RendererId, kind: string): void {
    const known = this.#known.get(nameOf(id));
    if (known === undefined) return;
    const now = this.#options.clock.now();
    known.done = Math.floor(known.done / 2);
    const standing = known.standings.get(kind) ?? new Standing();
    known.standings.set(kind, standing);
    if (!standing.fault(now)) return;
    const others = this.well(kind).filter((other) => nameOf(other) !== nameOf(id));
    const sound = others.some((other) => this.#known.get(nameOf(other))?.standings.get(kind)?.isSound(now) !== false);
    if (!sound) return;
    const ms = standing.eject(now);
    this.#options.onEjected?.(id, kind, ms);
  }

  #isOut(id: RendererId, kind: string): boolean {
    return this.#known.get(nameOf(id))?.standings.get(kind)?.isOut(this.#options.clock.now()) === true;
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
    const { done, standings } = this.#known.get(nameOf(id)) ?? { done: 0, standings: new Map<string, Standing>() };
    this.#known.set(nameOf(id), { beat, heardAt: clock.now(), gone: false, done, standings });
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
    const { beat, heardAt, gone, done } = known;
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
      slots: Math.min(MAX_SLOTS, beat.slots.max, FIRST_SLOTS + done),
      beat,
    };
  }

  #forgetOld(): void {
    const now = this.#options.clock.now();
    for (const [name, { heardAt }] of this.#known) if (now - heardAt > FORGET_MS) this.#known.delete(name);
  }
}

export const nameOf = ({ key, renderer }: RendererId): string => `${key}.${renderer}`;
