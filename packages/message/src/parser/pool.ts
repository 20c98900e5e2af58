import { type Clock, unlessAborted, within } from '@vedette/contract';
import { asked, type JobKind, JOBS, type Readings } from './jobs.ts';
import type { Log } from '@vedette/process/log';
import { type ConfinementName, CONFINEMENTS, type Starter } from './launch.ts';
import { ParserEnded, ParserProcess } from './process.ts';

/** A parser that has read so many messages, or worked for so long, makes room for a new one: nothing that one message left there outlives it. */
const MAX_JOBS = 200;
const MAX_LIFE_CPU_MS = 60_000;

/** How long a message waits for a parser that is being started, which the next message finds ready. */
const START_WAIT_MS = 20_000;

export interface ParserPoolOptions {
  clock: Clock;
  log: Log;
  starter: Starter;
  /** Whether messages are refused where this machine does not allow the whole sandbox. */
  required: boolean;
  /** Told of each parser that has ended. */
  onEnd(ended: ParserEnded): void;
}

/** The confinement of parsers on this machine: `unknown` until it was tried, `refused` when the machine allows less than is required. */
export type Sandbox = ConfinementName | 'unknown' | 'refused';

/** A reading, and its size as JSON. */
export interface SizedReading<K extends JobKind> {
  reading: Readings[K];
  bytes: number;
}

/**
 * Parsers, as many as are asked for at a time and one more, which is ready: the first is started when the first message is there to be
 * read. The caller limits how many messages are read at a time.
 */
export class ParserPool {
  readonly #options: ParserPoolOptions;
  readonly #all = new Set<ParserProcess>();
  readonly #idle: ParserProcess[] = [];
  /** Parsers that are starting without a message that waits for them. */
  readonly #coming: Promise<ParserProcess>[] = [];
  #confinement: Promise<ConfinementName> | undefined;
  #sandbox: Sandbox = 'unknown';
  #closed = false;

  constructor(options: ParserPoolOptions) {
    this.#options = options;
  }

  /** Parsers that are there, and those of them that have nothing to do. */
  get usage(): { running: number; idle: number } {
    return { running: this.#all.size, idle: this.#idle.filter(({ ended }) => !ended).length };
  }

  get sandbox(): Sandbox {
    return this.#sandbox;
  }

  /** Finds out what sandbox this machine allows, once: neither a slow start nor a death lowers it. Rejects with `ParserEnded` no_sandbox where that is less than is required. */
  confinement(): Promise<ConfinementName> {
    this.#confinement ??= this.#closest().catch((error: unknown) => {
      if (this.#sandbox !== 'refused') this.#confinement = undefined; // it is not known
      throw error;
    });
    return this.#confinement;
  }

  /**
   * Reads a message or a picture. If its parser died, a new parser reads it once more: another process may have caused the death. Rejects with
   * `ParserEnded`.
   */
  async read<K extends JobKind>(kind: K, file: Uint8Array): Promise<SizedReading<K>> {
    try {
      return await this.#readBy(await this.#take(), kind, file);
    } catch (error) {
      if (!(error instanceof ParserEnded) || error.why !== 'died' || this.#closed) throw error;
    }
    return await this.#readBy(await this.#inTime(this.#start()), kind, file);
  }

  /** Ends all of them, and what they are at. */
  close(): void {
    this.#closed = true;
    for (const parser of this.#all) parser.end(new ParserEnded('closed', 'we end'));
  }

  async #readBy<K extends JobKind>(parser: ParserProcess, kind: K, file: Uint8Array): Promise<SizedReading<K>> {
    try {
      const { reading, bytes } = await parser.read(asked(kind, file));
      if (!JOBS[kind].isReading.Check(reading)) throw new ParserEnded('no_answer', 'it does not fit the schema');
      return { reading: reading as Readings[K], bytes };
    } catch (error) {
      if (error instanceof ParserEnded) parser.end(error);
      throw error;
    } finally {
      this.#keep(parser);
    }
  }

  async #take(): Promise<ParserProcess> {
    const parser = this.#idleOne() ?? (await this.#inTime(this.#coming.shift() ?? this.#start()));
    this.#haveSpare();
    return parser;
  }

  /** One that is not old, where there is one. */
  #idleOne(): ParserProcess | undefined {
    const there = this.#idle.filter(({ ended }) => !ended);
    const parser = there.findLast((one) => !isOld(one)) ?? there.pop();
    this.#idle.splice(0, this.#idle.length, ...there.filter((one) => one !== parser));
    return parser;
  }

  /** Waits for a start so long as a message may; it goes on for the next one. Rejects with `ParserEnded`. */
  async #inTime(start: Promise<ParserProcess>): Promise<ParserProcess> {
    const late = () => new ParserEnded('no_start', 'none was ready in time');
    try {
      return await within(this.#options.clock, START_WAIT_MS, undefined, late, (signal) => unlessAborted(signal, start));
    } catch (error) {
      this.#await(start);
      throw error;
    }
  }

  #keep(parser: ParserProcess): void {
    if (!parser.ended) this.#idle.push(parser);
    this.#retire();
    this.#haveSpare();
  }

  /** The next message is not to wait for a start. */
  #haveSpare(): void {
    if (this.#closed || this.#coming.length > 0 || this.#idle.some((parser) => !parser.ended && !isOld(parser))) return;
    this.#await(this.#start());
  }

  /** Adds a starting parser, which the next message may take. If it does not start, the next message starts another. */
  #await(start: Promise<ParserProcess>): void {
    this.#coming.push(start);
    const settled = (parser?: ParserProcess): void => {
      const at = this.#coming.indexOf(start);
      if (at < 0) return;
      void this.#coming.splice(at, 1);
      if (parser) this.#idle.push(parser);
      this.#retire();
    };
    void start.then(settled, () => settled());
  }

  /** Ends old ones that have an heir. */
  #retire(): void {
    if (!this.#idle.some((parser) => !parser.ended && !isOld(parser))) return;
    for (const parser of this.#idle.filter(isOld)) parser.end(new ParserEnded('closed', 'it is old'));
  }

  /** The closest confinement that this machine allows. */
  async #closest(): Promise<ConfinementName> {
    const { starter, required, log } = this.#options;
    for (const confinement of CONFINEMENTS) {
      if (!(await starter.isAllowed(confinement))) continue;
      const isWhole = confinement === CONFINEMENTS[0];
      this.#sandbox = isWhole || !required ? confinement : 'refused';
      const fields = { sandbox: this.#sandbox };
      if (isWhole) log.info(fields, 'parsers have the whole sandbox');
      else log.warn(fields, 'this machine does not allow the whole sandbox of parsers (docs/renderers.md#parsers)');
      if (this.#sandbox === 'refused') break;
      return confinement;
    }
    throw new ParserEnded('no_sandbox', 'this machine does not allow the whole sandbox');
  }

  async #start(): Promise<ParserProcess> {
    try {
      const confinement = await this.confinement();
      if (!this.#closed) return await this.#startIn(confinement);
    } catch (error) {
      if (this.#sandbox === 'refused') throw error; // as was told once
      if (!this.#closed) this.#options.log.warn({ err: error }, 'a parser does not start');
      if (!this.#closed) throw new ParserEnded('no_start', String(error));
    }
    throw new ParserEnded('closed', 'we end');
  }

  async #startIn(confinement: ConfinementName): Promise<ParserProcess> {
    const { clock, starter, onEnd } = this.#options;
    const parser = new ParserProcess(await starter.start(confinement), clock);
    this.#all.add(parser);
    const forget = (ended: ParserEnded): void => {
      this.#all.delete(parser);
      onEnd(ended);
    };
    void parser.gone.then(forget);
    if (this.#closed) parser.end(new ParserEnded('closed', 'we end'));
    await parser.ready();
    return parser;
  }
}

const isOld = (parser: ParserProcess): boolean => parser.jobs >= MAX_JOBS || (parser.usage?.cpuMs ?? 0) >= MAX_LIFE_CPU_MS;
