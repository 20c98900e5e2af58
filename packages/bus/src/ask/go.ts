import { type Clock, type Exit, type ProbePorts, unlessAborted } from '@vedette/contract';

/** The go of a parked run: no target is contacted before it. Names may be asked for meanwhile. */
export class Go {
  readonly #clock: Clock;
  readonly #given = Promise.withResolvers<void>();
  #isGiven = false;
  /** When the run began to wait here; undefined while it does not. */
  #since: number | undefined;
  #waitedMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  give(): void {
    this.#isGiven = true;
    if (this.#since !== undefined) this.#waitedMs += this.#clock.now() - this.#since;
    this.#since = undefined;
    this.#given.resolve();
  }

  /** The ports of the run. Its clock stands still while it waits here, so that nothing it measures takes longer for that. */
  guard(ports: ProbePorts): ProbePorts {
    const { clock, dialler, icmp, exits, signal } = ports;
    const wait = (until: AbortSignal | undefined) => this.#wait(until ?? signal);
    return {
      ...ports,
      clock: { ...clock, now: () => (this.#since ?? clock.now()) - this.#waitedMs, sleep: (ms, until) => clock.sleep(ms, until) },
      dialler: {
        policy: dialler.policy,
        tcp: async (options) => (await wait(options.signal), dialler.tcp(options)),
        operatorTcp: async (options) => (await wait(options.signal), dialler.operatorTcp(options)),
      },
      icmp: {
        ...icmp,
        async *echoes(address, options) {
          await wait(options.signal);
          yield* icmp.echoes(address, options);
        },
      },
      exits: exits.map((exit): Exit => ({
        label: exit.label,
        get works() {
          return exit.works;
        },
        resolver: exit.resolver,
        check: (until) => exit.check(until),
        ready: (until) => exit.ready(until),
        tcp: async (options) => (await wait(options.signal), exit.tcp(options)),
      })),
    };
  }

  async #wait(signal: AbortSignal): Promise<void> {
    if (this.#isGiven) return;
    this.#since ??= this.#clock.now();
    await unlessAborted(signal, this.#given.promise);
  }
}
