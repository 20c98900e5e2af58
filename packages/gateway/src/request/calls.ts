/** Counts the calls under way: a call whose client has left must still settle its credits. */
export class Calls {
  #underWay = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  async count<T>(call: () => Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await call();
    } finally {
      if (--this.#underWay === 0) this.#idle?.resolve();
    }
  }

  /** Resolves when none is under way. */
  async idle(): Promise<void> {
    if (this.#underWay === 0) return;
    this.#idle ??= Promise.withResolvers<void>();
    await this.#idle.promise;
  }
}
