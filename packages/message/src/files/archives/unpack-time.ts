import { availableParallelism, loadavg } from 'node:os';
import { type Context, createContext, Script } from 'node:vm';

/** CPU time that libarchive has for all archives of a message: a stream of bzip2 of 5 MB, the slowest that is honest, takes two thirds of it. */
export const UNPACK_CPU_MS = 3_000;
/** Where others use the machine, a call may last so many times longer: all of it stays below what a parser may take for a message. */
const SLOWDOWN_MAX = 2.5;

/** Code of others is called by a script of a context of its own: V8 ends a script in time, a loop of WebAssembly included. */
const CALL = new Script('work()');
let context: Context | undefined;

/** There was no time left, or a call did not end in it. */
export class OutOfTime extends Error {
  /** The work had begun, so that what it worked on is in no state to go on with. */
  readonly midway: boolean;

  constructor(midway: boolean) {
    super('an archive takes too long to unpack');
    this.midway = midway;
  }
}

/** How long libarchive may take: there are archives that it never gets through, and what it does in one call nothing else can end. */
export class UnpackTime {
  #leftMs = UNPACK_CPU_MS;
  readonly #exceeded: () => void;

  /** `exceeded` is called each time that something is not unpacked for want of time. */
  constructor(exceeded: () => void) {
    this.#exceeded = exceeded;
  }

  get isOver(): boolean {
    return this.#leftMs <= 0;
  }

  /** Does the work, unless it takes too long: then `OutOfTime` is thrown. */
  spend<T>(work: () => T): T {
    if (this.isOver) throw this.#end(false);
    const before = process.cpuUsage();
    const caller = (context ??= createContext({}));
    caller.work = work;
    try {
      return CALL.runInContext(caller, { timeout: Math.ceil(this.#leftMs * slowdown()) }) as T;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      this.#leftMs = 0;
      throw this.#end(true);
    } finally {
      caller.work = undefined;
      const { user, system } = process.cpuUsage(before);
      this.#leftMs -= (user + system) / 1_000;
    }
  }

  #end(midway: boolean): OutOfTime {
    this.#exceeded();
    return new OutOfTime(midway);
  }
}

/** The timeout of a call is of the clock on the wall, of which a busy machine gives it a part. */
const slowdown = (): number => Math.min(Math.max((loadavg()[0] ?? 0) / availableParallelism(), 1), SLOWDOWN_MAX);
