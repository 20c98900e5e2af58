import { createHash } from 'node:crypto';
import { ApiError, BoundedMap, type Clock, unlessAborted } from '@vedette/contract';
import type { BlacklistOptions, OwnFault, Sightings } from '../ports/index.ts';
import { askHedged, NoAnswer, type ZoneServer } from './ask.ts';
import { Breaker } from './breaker.ts';
import { isDenial, readCodes, type Verdict } from './codes.ts';
import type { ZoneEngine } from './engine.ts';
import { type Family, type Health, type HealthOptions, testNames, ZoneHealth, zoneOf } from './health.ts';
import { questionName, type Subject } from './questions.ts';
import type { Verdicts } from './verdicts.ts';

/** The outcome of one question to an engine, for metrics. */
export type Outcome = 'listed' | 'clean' | 'kept' | 'late' | 'unanswered' | 'refused' | 'paced' | 'off' | 'open';

/** A zone's answer about a subject, and the key that it is about. */
export type ZoneAnswer = Verdict & {
  entry: string;
  outcome: Outcome;
  sightings?: Sightings;
  /** Set where no answer is our own fault. */
  ours?: OwnFault;
  /** A failure that counts against the zone, unless most zones failed with it: `blame` or `spare` is to be called. */
  isFailure?: boolean;
};

/** The resolver, key and times of one check for its questions to a zone. */
export interface ZoneQuery extends Pick<BlacklistOptions, 'resolver' | 'key'> {
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

const PACED = 'too much was asked of it for now';

/** The configured resolvers: a client's key works through any. */
const BY_RESOLVERS: readonly ZoneServer[] = [undefined];

/** How long a zone is believed, or not, by what it said of what is never listed. */
const PROOF_MS = 60_000;
/** When a client may come back whose zones could not be tried. */
const TRIAL_S = 5;
/** A zone that lists so many fresh subjects in a row is tried with bystanders: an analyst's subjects may all be listed, and rightly. */
const HITS_IN_A_ROW = 10;
/** Clients' keys have an answer each. */
const MAX_PROOFS = 1024;

/** A zone's answer about a key. */
interface Said {
  verdict: Verdict;
  /** Keeps a listing for others, once the zone is believed. */
  keep(): void;
}

const NOT_KEPT = (): void => undefined;

/** A DNSBL: its health, its breaker, and the way to ask it. */
export class ZoneAsker {
  readonly #engine: ZoneEngine;
  readonly #verdicts: Verdicts | undefined;
  readonly #clock: Clock;
  readonly #breaker: Breaker;
  /** Whether it denied what is never listed, by the question, and until when that counts. */
  readonly #proofs = new BoundedMap<string, { denied: boolean; until: number }>(MAX_PROOFS);
  #triedAt = Number.NEGATIVE_INFINITY;
  /** Listings in a row, of fresh subjects. */
  #hits = 0;
  /** Undefined where only clients' keys can tell. */
  readonly #health: ZoneHealth | undefined;

  constructor(engine: ZoneEngine, options: ZoneAskerOptions) {
    this.#engine = engine;
    this.#verdicts = options.verdicts;
    this.#clock = options.clock;
    this.#breaker = new Breaker(options.clock, () => this.#health?.again());
    this.#health = engine.key ? undefined : new ZoneHealth(engine, options);
  }

  get breaker(): Breaker['state'] {
    return this.#breaker.state;
  }

  get health(): readonly [Family, Health][] {
    return [...(this.#health?.families() ?? [])];
  }

  /** Whether its first trial has ended; a zone for clients with keys has none. */
  get isTried(): boolean {
    return this.#health?.isTried ?? true;
  }

  /** Ends with its first trial. */
  get tried(): Promise<void> {
    return this.#health?.tried ?? Promise.resolve();
  }

  start(): void {
    this.#health?.start();
  }

  stop(): void {
    this.#health?.stop();
  }

  /** Returns the answer from the cache; undefined if a part is missing. */
  kept({ keys, family }: Subject, clientKey: string | undefined): ZoneAnswer | undefined {
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

  /** The names that `ask` would ask for now. */
  namesToAsk({ keys, family }: Subject, clientKey: string | undefined): string[] {
    if ('why' in this.#servers(family) || this.breaker === 'open') return [];
    const zone = zoneOf(this.#engine, family);
    const proof = this.#proofOf(family);
    const missing = [...keys, ...(proof === undefined ? [] : [proof])].filter(
      (key) => !this.#verdicts?.get(this.#question(key, clientKey)),
    );
    return missing.flatMap((key) => questionName(key, zone) ?? []);
  }

  /** Stands for the answer of a zone whose turn would come too late. */
  late(retry_after_s: number): ZoneAnswer {
    return { state: 'unknown', why: PACED, entry: '', outcome: 'paced', ours: { cause: 'paced', retry_after_s } };
  }

  /** The failure that `ask` returned is the zone's. */
  blame(): void {
    this.#breaker.failed();
  }

  /** The failure that `ask` returned is ours. */
  spare(): void {
    this.#breaker.left();
  }

  /** Settles when the signal aborts at the latest. Rejects with defects alone. */
  async ask(subject: Subject, query: ZoneQuery): Promise<ZoneAnswer> {
    const tested = this.#servers(subject.family);
    if ('why' in tested) return { state: 'unknown', ...tested, entry: '', outcome: 'off' };
    if (!this.#breaker.admits())
      return { state: 'unknown', why: 'it has failed too often; it is left alone for a minute', entry: '', outcome: 'open' };
    try {
      const { keys, family } = subject;
      const questions = keys.map(async (key) => ({ key, ...(await this.#askFor(key, family, tested.servers, query)) }));
      const said = await unlessAborted(query.signal, Promise.all(questions));
      const verdict = verdictOf(said);
      if (verdict.state === 'listed') {
        if (!(await this.#isBelieved(family, tested.servers, query)))
          return this.#outcomeOf({ state: 'unknown', why: 'it lists what is never listed', entry: '' });
        this.#countHit(family);
      } else if (verdict.state === 'clean') this.#hits = 0;
      for (const { keep } of said) keep();
      return this.#outcomeOf(verdict);
    } catch (error) {
      return this.#failed(error, query.signal);
    }
  }

  /** The engine waited for was given up: the check is over, or its client has gone. */
  #failed(error: unknown, signal: AbortSignal): ZoneAnswer {
    const unknown = (why: string, outcome: Outcome, isFailure: boolean): ZoneAnswer => {
      if (!isFailure) this.#breaker.left();
      return { state: 'unknown', why, entry: '', outcome, isFailure };
    };
    if (signal.aborted) return unknown('no answer in time', 'late', signal.reason === LATE);
    if (error instanceof ApiError)
      return {
        ...unknown(PACED, 'paced', false),
        ours: { cause: 'paced', retry_after_s: error.retryAfterS ?? 1 },
      };
    if (!(error instanceof NoAnswer)) throw error;
    // The zone is not to blame for a client's invalid key.
    return unknown(error.message, 'unanswered', error.zonesFault && !this.#engine.key);
  }

  #outcomeOf(answer: Verdict & { entry: string }): ZoneAnswer {
    if (answer.state !== 'unknown') {
      this.#breaker.succeeded();
      return { ...answer, outcome: answer.state };
    }
    if (this.#engine.key) this.#breaker.left();
    return { ...answer, outcome: 'refused', isFailure: !this.#engine.key };
  }

  /** Where to ask. */
  #servers(family: Family): { servers: readonly ZoneServer[] } | { why: string; ours?: OwnFault } {
    if (!this.#health) return { servers: BY_RESOLVERS };
    const { state, problem, servers } = this.#health.of(family);
    if (state === 'good') return { servers };
    if (problem !== '') return { why: `switched off: ${problem}` };
    if (!this.isTried) return { why: 'it was not tried yet' };
    return { why: 'our own network failed when it was tried', ours: { cause: 'network', retry_after_s: TRIAL_S } };
  }

  async #askFor(key: string, family: Family, servers: readonly ZoneServer[], query: ZoneQuery): Promise<Said> {
    const answer = this.#askOne(key, family, servers, query);
    const listed = this.#proofOf(family);
    if (listed === undefined) return await answer;
    const [said, proof] = await Promise.all([answer, this.#askOne(listed, family, servers, query)]);
    if (proof.verdict.state !== 'listed') return { verdict: { state: 'unknown', why: 'your key does not work there' }, keep: NOT_KEPT };
    return {
      verdict: said.verdict,
      keep() {
        said.keep();
        proof.keep();
      },
    };
  }

  /**
   * Whether it denies what is never listed (RFC 5782 §5), asked at the moment of a listing: between two trials a zone may begin to list the world.
   * A listing stands where there was no time for an answer, and the zone is tried instead, so that one that is slow is off soon too.
   */
  async #isBelieved(
    family: Family,
    servers: readonly ZoneServer[],
    { resolver, signal, hedge, key: clientKey }: ZoneQuery,
  ): Promise<boolean> {
    const clean = testNames(this.#engine, this.#testedAs(family)).clean;
    const question = `${family} ${this.#question(clean, clientKey)}`;
    const known = this.#proofs.get(question);
    if (known && known.until > this.#clock.now()) return known.denied;
    const [name, secret] = this.#nameOf(clean, family, clientKey);
    const options = { signal, fresh: true, ...(secret !== undefined && { secret }) };
    const answer = await unlessAborted(signal, askHedged(name!, servers, hedge, resolver, options)).catch((error: unknown) => {
      if (signal.aborted || error instanceof NoAnswer || error instanceof ApiError) return undefined;
      throw error;
    });
    const denied = answer && isDenial(answer);
    if (denied !== undefined) this.#proofs.set(question, { denied, until: this.#clock.now() + PROOF_MS });
    if (denied !== true) this.#tryAgain(() => this.#health?.again());
    return denied !== false;
  }

  /** A zone that lists every subject may spare its test entry. */
  #countHit(family: Family): void {
    this.#hits++;
    if (this.#hits >= HITS_IN_A_ROW)
      this.#tryAgain(() => {
        this.#hits = 0;
        this.#health?.suspect(family);
      });
  }

  #tryAgain(trial: () => void): void {
    if (this.#clock.now() - this.#triedAt < PROOF_MS) return;
    this.#triedAt = this.#clock.now();
    trial();
  }

  /** Returns the entry that a client's key must find listed: an expired contract may get "not listed" for everything. */
  #proofOf(family: Family): string | undefined {
    if (!this.#engine.key || this.#engine.no_test) return undefined;
    return testNames(this.#engine, this.#testedAs(family)).listed;
  }

  /** Zones with keys have the same test entries for both families. */
  #testedAs(family: Family): Family {
    return this.#engine.key && family === 6 ? 4 : family;
  }

  async #askOne(
    key: string,
    family: Family,
    servers: readonly ZoneServer[],
    { resolver, signal, hedge, key: clientKey }: ZoneQuery,
  ): Promise<Said> {
    const question = this.#question(key, clientKey);
    const kept = this.#verdicts?.get(question);
    if (kept) return { verdict: kept, keep: NOT_KEPT };
    const [name, secret] = this.#nameOf(key, family, clientKey);
    // A name that cannot be queried cannot be listed.
    if (name === undefined) return { verdict: { state: 'clean', meanings: [] }, keep: NOT_KEPT };
    // Verdicts are what is kept: a resolver's copy would outlive a zone that lists the world for a minute.
    const answer = await askHedged(name, servers, hedge, resolver, { signal, fresh: true, ...(secret !== undefined && { secret }) });
    const verdict = readCodes(this.#engine, answer);
    const keep = (): void => this.#verdicts?.put(question, verdict, answer);
    if (verdict.state === 'listed') return { verdict, keep };
    keep();
    return { verdict, keep: NOT_KEPT };
  }

  /** The name to ask for, with the client's key in it where the zone wants one; undefined where the DNS cannot hold it. */
  #nameOf(key: string, family: Family, clientKey: string | undefined): [name: string | undefined, secret: string | undefined] {
    const secret = this.#engine.key ? clientKey : undefined;
    const zone = zoneOf(this.#engine, family);
    return [questionName(key, secret === undefined ? zone : `${secret}.${zone}`), secret];
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
