/** Calls under way, for the notification by which clients of the protocol 2025-11-25 cancel them: they keep the connection. */
export class Cancellations {
  readonly #calls = new Map<string, Set<AbortController>>();

  /** Counts a call in. Returns what counts it out. */
  add(client: string, id: unknown, controller: AbortController): () => void {
    const name = nameOf(client, id);
    const calls = this.#calls.get(name) ?? new Set();
    this.#calls.set(name, calls.add(controller));
    return () => {
      calls.delete(controller);
      if (calls.size === 0) this.#calls.delete(name);
    };
  }

  /** Ends the call of this id. Two clients with the same key at the same address may use one id: neither call ends then. */
  cancel(client: string, id: unknown): void {
    const calls = this.#calls.get(nameOf(client, id));
    if (calls?.size === 1) for (const controller of calls) controller.abort();
  }
}

const nameOf = (client: string, id: unknown): string => `${client} ${JSON.stringify(id)}`;
