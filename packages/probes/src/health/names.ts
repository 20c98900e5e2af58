import { randomInt } from 'node:crypto';
import { type Clock, ENDED, recordsOf, type Resolver } from '@vedette/contract';

/** The answer of our own resolvers to a name, which machines elsewhere compare with theirs. */
export interface NameAnswer {
  name: string;
  /** Its IPv4 addresses, sorted; NODATA or NXDOMAIN where it has none. */
  answer: string;
}

const ASK_MS = 15_000;
const ASK_JITTER_MS = 3_000;

export interface NameWitnessesOptions {
  resolver: Pick<Resolver, 'query'>;
  clock: Clock;
  /** Names with the same answer everywhere. */
  names: readonly string[];
}

/** Asks our own resolvers again and again for names that have the same answer everywhere. Whether one lies, others can tell. */
export class NameWitnesses {
  readonly #options: NameWitnessesOptions;
  readonly #stopped = new AbortController();
  #answers: readonly NameAnswer[] = [];

  constructor(options: NameWitnessesOptions) {
    this.#options = options;
  }

  /** The last answers; a name that was not answered is not among them. */
  get answers(): readonly NameAnswer[] {
    return this.#answers;
  }

  start(): void {
    if (this.#options.names.length > 0) void this.#repeat();
  }

  stop(): void {
    this.#stopped.abort(ENDED);
  }

  async #repeat(): Promise<void> {
    const { names, clock } = this.#options;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const answers = await Promise.all(names.map((name) => this.#ask(name)));
      this.#answers = answers.flatMap((answer) => answer ?? []);
      await clock.sleep(ASK_MS - ASK_JITTER_MS + randomInt(2 * ASK_JITTER_MS), signal).catch(() => undefined); // stopped
    }
  }

  async #ask(name: string): Promise<NameAnswer | undefined> {
    const question = { fresh: true, unshared: true, signal: this.#stopped.signal };
    const answer = await this.#options.resolver.query(name, 'A', question).catch(() => undefined); // silence is no lie
    if (answer?.rcode === 'NXDOMAIN') return { name, answer: 'NXDOMAIN' };
    if (answer?.rcode !== 'NOERROR') return undefined;
    const addresses = recordsOf(answer, 'A').map(({ data }) => data);
    return { name, answer: addresses.toSorted().join(' ') || 'NODATA' };
  }
}
