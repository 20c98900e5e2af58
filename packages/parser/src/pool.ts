import { type Clock, MessageReading } from '@vedette/contract';
import type { Log } from '@vedette/process/log';
import { Compile } from 'typebox/schema';
import { type Confinement, CONFINEMENTS, launch } from './launch.ts';
import { ParserEnded, ParserProcess } from './process.ts';

/** A parser that has read so many messages, or worked for so long, makes room for a new one: nothing that one message left there outlives it. */
const MAX_JOBS = 200;
const MAX_LIFE_CPU_MS = 60_000;

const isReading = Compile(MessageReading);

export interface ParserPoolOptions {
  clock: Clock;
  log: Log;
  /** What a parser runs: `PARSER_MAIN`. */
  main: string;
  /** Told of each parser that has ended. */
  onEnd(ended: ParserEnded): void;
}

/** What reading a message gave, and what that took as JSON. */
export interface SizedReading {
  reading: MessageReading;
  bytes: number;
}

/**
 * Parsers, as many as are asked for at a time and one more, which is ready: the first is started when the first message is there to be read. How many
 * messages are read at a time is for whoever asks to say.
 */
export class ParserPool {
  readonly #options: ParserPoolOptions;
  readonly #all = new Set<ParserProcess>();
  readonly #idle: ParserProcess[] = [];
  #spare: Promise<ParserProcess> | undefined;
  #confinement: Confinement | undefined;
  #closed = false;

  constructor(options: ParserPoolOptions) {
    this.#options = options;
  }

  /** Parsers that are there, and those of them that have nothing to do. */
  get usage(): { running: number; idle: number } {
    return { running: this.#all.size, idle: this.#idle.filter(({ ended }) => !ended).length };
  }

  /**
   * Reads a message. One that its parser died of is read once more, by one that has read nothing before: it may have been somebody else's doing. Rejects
   * with `ParserEnded`.
   */
  async read(message: Uint8Array): Promise<SizedReading> {
    try {
      return await this.#readBy(await this.#take(), message);
    } catch (error) {
      if (!(error instanceof ParserEnded) || error.why !== 'died' || this.#closed) throw error;
    }
    return await this.#readBy(await this.#start(), message);
  }

  /** Ends all of them, and what they are at. */
  close(): void {
    this.#closed = true;
    for (const parser of this.#all) parser.end(new ParserEnded('closed', 'we end'));
  }

  async #readBy(parser: ParserProcess, message: Uint8Array): Promise<SizedReading> {
    try {
      const { reading, bytes } = await parser.read(message);
      if (!isReading.Check(reading)) throw new ParserEnded('no_answer', 'it does not fit the schema');
      return { reading, bytes };
    } catch (error) {
      if (error instanceof ParserEnded) parser.end(error);
      throw error;
    } finally {
      this.#keep(parser);
    }
  }

  async #take(): Promise<ParserProcess> {
    let parser = this.#idle.pop();
    while (parser?.ended) parser = this.#idle.pop();
    const spare = this.#spare;
    if (!parser && spare) {
      this.#spare = undefined;
      parser = await spare;
    }
    if (!parser || parser.ended) parser = await this.#start();
    this.#haveSpare();
    return parser;
  }

  #keep(parser: ParserProcess): void {
    if (parser.jobs >= MAX_JOBS || (parser.usage?.cpuMs ?? 0) >= MAX_LIFE_CPU_MS) parser.end(new ParserEnded('closed', 'it is old'));
    if (!parser.ended) this.#idle.push(parser);
    this.#haveSpare();
  }

  /** The next message is not to wait for a start. */
  #haveSpare(): void {
    if (this.#closed || this.#spare !== undefined || this.#idle.some(({ ended }) => !ended)) return;
    const spare = this.#start();
    this.#spare = spare;
    // Whoever waits for it meanwhile has it. Where it does not start, whoever needs one tries again.
    const settled = (parser?: ParserProcess): void => {
      if (this.#spare !== spare) return;
      this.#spare = undefined;
      if (parser) this.#idle.push(parser);
    };
    void spare.then(settled, () => settled());
  }

  /** Starts one in the closest confinement that this machine allows, which is found out once. */
  async #start(): Promise<ParserProcess> {
    let refusal: unknown;
    for (const confinement of this.#confinement ? [this.#confinement] : CONFINEMENTS) {
      if (this.#closed) break;
      try {
        const parser = await this.#startIn(confinement);
        this.#confinement ??= confinement;
        return parser;
      } catch (error) {
        refusal = error;
        if (!this.#closed) this.#options.log.warn({ err: error, confinement: confinement.name }, 'a parser does not start');
      }
    }
    throw this.#closed ? new ParserEnded('closed', 'we end') : new ParserEnded('no_start', String(refusal));
  }

  async #startIn(confinement: Confinement): Promise<ParserProcess> {
    const { clock, main, onEnd } = this.#options;
    const parser = new ParserProcess(launch(main, confinement), clock);
    this.#all.add(parser);
    const forget = (ended: ParserEnded): void => {
      this.#all.delete(parser);
      onEnd(ended);
    };
    void parser.gone.then(forget);
    await parser.ready();
    return parser;
  }
}
