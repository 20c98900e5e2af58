const FORGET_MS = 10 * 60_000;
const FORGET_INTERVAL_MS = FORGET_MS / 10;

/** The most that are remembered; further ones are ignored, since clients that may beat choose names freely. */
interface RegistryLimits {
  groups: number;
  /** Peers of one group. */
  each: number;
  /** Peers of all groups. */
  all: number;
}

/** The peers that were heard within the last ten minutes: agents by location and id, renderers by key and name. */
export class Registry<P extends { readonly heardAt: number }> {
  #limits: RegistryLimits;
  #groups = new Map<string, Map<string, P>>();
  #forgottenAt: number;

  constructor(limits: RegistryLimits, now: number) {
    this.#limits = limits;
    this.#forgottenAt = now;
  }

  /** Remembers a peer, which `admits` let in. */
  add(group: string, id: string, peer: P): void {
    const peers = this.#groups.get(group) ?? new Map<string, P>();
    peers.set(id, peer);
    this.#groups.set(group, peers);
  }

  /** Whether a beat of this peer would be remembered. */
  admits(group: string, id: string, now: number): boolean {
    if (now - this.#forgottenAt >= FORGET_INTERVAL_MS) this.forgetOld(now);
    const { groups, each, all } = this.#limits;
    const peers = this.#groups.get(group);
    if (peers?.has(id)) return true;
    return (peers === undefined ? this.#groups.size < groups : peers.size < each) && this.size < all;
  }

  /** How many peers are remembered. */
  get size(): number {
    let size = 0;
    for (const peers of this.#groups.values()) size += peers.size;
    return size;
  }

  /** The groups of all that are remembered. */
  ids(): Iterable<string> {
    return this.#groups.keys();
  }

  knows(group: string): boolean {
    return this.#groups.has(group);
  }

  get(group: string, id: string): P | undefined {
    return this.#groups.get(group)?.get(id);
  }

  at(group: string): ReadonlyMap<string, P> {
    return this.#groups.get(group) ?? new Map();
  }

  /** All that are remembered. */
  all(): IteratorObject<P> {
    return this.#groups.values().flatMap((peers) => peers.values());
  }

  forgetOld(now: number): void {
    this.#forgottenAt = now;
    for (const [group, peers] of this.#groups) {
      for (const [id, { heardAt }] of peers) if (now - heardAt > FORGET_MS) peers.delete(id);
      if (peers.size === 0) this.#groups.delete(group);
    }
  }
}
