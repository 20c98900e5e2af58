import { createHash } from 'node:crypto';
import { ApiError, type BlacklistOptions, type Clock, unlessAborted } from '@vedette/contract';
import { askHedged, NoAnswer, type Way } from './ask.ts';
import { Breaker } from './breaker.ts';
import { readCodes, type Verdict } from './codes.ts';
import type { ZoneEngine } from './engine.ts';
import { type Family, type Health, type HealthOptions, testNames, ZoneHealth, zoneOf } from './health.ts';
import { questionName, type Subject } from './questions.ts';
import type { Verdicts } from './verdicts.ts';

/** What one question to an engine came to, for metrics. */
export type Outcome = 'listed' | 'clean' | 'kept' | 'late' | 'unanswered' | 'refused' | 'paced' | 'off' | 'open';

/** What a zone said of a subject, and of which of its keys. */
export type Asked = Verdict & { entry: string; outcome: Outcome };

/** One check's part in the asking. */
export interface Asking extends Pick<BlacklistOptions, 'resolver' | 'key'> {
  /** Ends with the check. */
  signal: AbortSignal;
  /** Resolves when a second server is to be asked too. */
  hedge: Promise<unknown>;
}

export interface ZoneAskerOptions extends HealthOptions {
  clock: Clock;
  /** Undefined: nothing is kept. */
  verdicts: Verdicts | undefined;
}

/** The configured resolvers: a client's key works through any. */
const BY_RESOLVERS: readonly Way[] = [undefined];

/** A DNSBL: its health, its breaker, and the way to ask it. */
export class ZoneAsker {
  readonly #engine: ZoneEngine;
  readonly #verdicts: Verdicts | undefined;
  readonly #breaker: Breaker;
  /** Undefined where only clients' keys can tell. */
  readonly #health: ZoneHealth | undefined;

  constructor(engine: ZoneEngine, options: ZoneAskerOptions) {
    this.#engine = engine;
    this.#verdicts = options.verdicts;
    this.#breaker = new Breaker(options.clock, () => this.#health?.again());
    this.#health = engine.key ? undefined : new ZoneHealth(engine, options);
  }

  get breaker(): Breaker['state'] {
    return this.#breaker.state;
  }

  get health(): readonly [Family, Health][] {
    return [...(this.#health?.families() ?? [])];
  }

  start(): void {
    this.#health?.start();
  }

  stop(): void {
    this.#health?.stop();
  }

  /** What is known without asking; undefined where something is missing. */
  kept({ keys, family }: Subject, clientKey: string | undefined): Asked | undefined {
    const proof = this.#proofOf(family);
    if (proof !== undefined && this.#verdicts?.get(this.#question(proof, clientKey))?.state !== 'listed') return undefined;
    const answers = [];
    for (const key of keys) {
      const verdict = this.#verdicts?.get(this.#question(key, clientKey));
      if (verdict === undefined) return undefined;
      answers.push({ key, verdict });
    }
    return { ...verdictOf(answers), outcome: 'kept' };
  }

  /** Settles when the signal aborts at the latest. Rejects with defects alone. */
  async ask(subject: Subject, asking: Asking): Promise<Asked> {
    const ways = await this.#ways(subject.family, asking.signal);
    if ('why' in ways) return { state: 'unknown', why: ways.why, entry: '', outcome: 'off' };
    if (!this.#breaker.admits())
      return { state: 'unknown', why: 'it has failed too often; it is left alone for a minute', entry: '', outcome: 'open' };
    try {
      const { keys, family } = subject;
      const asked = keys.map(async (key) => ({ key, verdict: await this.#askFor(key, family, ways.ways, asking) }));
      return this.#told(verdictOf(await unlessAborted(asking.signal, Promise.all(asked))));
    } catch (error) {
      return this.#failed(error, asking.signal);
    }
  }

  /** The engine waited for was given up: the check is over, or its client has gone. */
  #failed(error: unknown, signal: AbortSignal): Asked {
    const unknown = (why: string, outcome: Outcome): Asked => ({ state: 'unknown', why, entry: '', outcome });
    if (signal.aborted) {
      if (signal.reason === LATE) this.#breaker.failed();
      else this.#breaker.left();
      return unknown('no answer in time', 'late');
    }
    if (error instanceof ApiError) {
      this.#breaker.left();
      return unknown('too much was asked of it for now', 'paced');
    }
    if (!(error instanceof NoAnswer)) throw error;
    // A client's key that does not work is no fault of the zone.
    if (error.zonesFault && !this.#engine.key) this.#breaker.failed();
    else this.#breaker.left();
    return unknown(error.message, 'unanswered');
  }

  #told(asked: Verdict & { entry: string }): Asked {
    if (asked.state !== 'unknown') {
      this.#breaker.succeeded();
      return { ...asked, outcome: asked.state };
    }
    if (this.#engine.key) this.#breaker.left();
    else this.#breaker.failed();
    return { ...asked, outcome: 'refused' };
  }

  /** Where to ask. A check that comes before the zone was tried waits for that, as long as it has time. */
  async #ways(family: Family, signal: AbortSignal): Promise<{ ways: readonly Way[] } | { why: string }> {
    if (!this.#health) return { ways: BY_RESOLVERS };
    if (this.#health.of(family).state === 'untried') await unlessAborted(signal, this.#health.tried).catch(() => undefined); // in vain
    const { state, problem, ways } = this.#health.of(family);
    return state === 'good' ? { ways } : { why: problem === '' ? 'it was not tried yet' : `switched off: ${problem}` };
  }

  async #askFor(key: string, family: Family, ways: readonly Way[], asking: Asking): Promise<Verdict> {
    const asked = this.#askOne(key, family, ways, asking);
    const listed = this.#proofOf(family);
    if (listed === undefined) return await asked;
    const [verdict, proof] = await Promise.all([asked, this.#askOne(listed, family, ways, asking)]);
    return proof.state === 'listed' ? verdict : { state: 'unknown', why: 'your key does not work there' };
  }

  /** What a client's key has to find listed: one of a contract that has ended may be told that nothing is. */
  #proofOf(family: Family): string | undefined {
    if (!this.#engine.key || this.#engine.no_test) return undefined;
    return testNames(this.#engine, family === 6 ? 4 : family).listed;
  }

  async #askOne(key: string, family: Family, ways: readonly Way[], { resolver, signal, hedge, key: clientKey }: Asking): Promise<Verdict> {
    const question = this.#question(key, clientKey);
    const kept = this.#verdicts?.get(question);
    if (kept) return kept;
    const secret = this.#engine.key ? clientKey : undefined;
    const zone = zoneOf(this.#engine, family);
    const name = questionName(key, secret === undefined ? zone : `${secret}.${zone}`);
    // Nobody can have listed a name that nobody can ask for.
    if (name === undefined) return { state: 'clean', meanings: [] };
    const answer = await askHedged(name, ways, hedge, resolver, { signal, ...(secret !== undefined && { secret }) });
    const verdict = readCodes(this.#engine, answer);
    this.#verdicts?.put(question, verdict, answer);
    return verdict;
  }

  /** A client's key is kept as its hash. */
  #question(key: string, clientKey: string | undefined): string {
    const whose = this.#engine.key
      ? createHash('sha256')
          .update(clientKey ?? '')
          .digest('base64')
      : '';
    return `${this.#engine.id} ${key} ${whose}`;
  }
}

/** Why questions are given up: the check's time is over. */
export const LATE = new Error('no answer in time');

/** One listing will do; that nothing is listed takes all answers. */
function verdictOf(answers: readonly { key: string; verdict: Verdict }[]): Verdict & { entry: string } {
  const found =
    answers.find(({ verdict }) => verdict.state === 'listed') ?? answers.find(({ verdict }) => verdict.state === 'unknown') ?? answers[0]!;
  return { ...found.verdict, entry: found.key };
}
