import {
  ApiError,
  BoundedMap,
  type Clock,
  type Gate,
  ProbeFailure,
  recordsOf,
  type Resolver,
  unlessAborted,
  within,
} from '@vedette/contract';
import { type OptOut, optOutNameOf, optOutOf } from './opt-out.ts';

/** A zone that does not answer must not hold up requests for others' targets; its answer is remembered when it comes. */
const WAIT_MS = 500;
const ANSWERED_MS = 3_600_000;
/** A zone that did not answer is not asked by every request. */
const UNANSWERED_MS = 60_000;
const NAMES_MAX = 20_000;

interface Known {
  /** Undefined as long as the zone has never answered. */
  said: OptOut | undefined;
  /** When it is asked again. */
  until: number;
  /** The look-up of the first caller. */
  asking: Promise<void> | undefined;
  /** Its question waits at the gate, or was not let through. */
  atGate: boolean;
}

/** A request's life. Its signal is made at the first use. */
interface Life {
  readonly signal: AbortSignal;
}

/** Tells whether the answers of our resolvers can be believed now. */
interface Vouching {
  vouch(): Promise<boolean>;
}

interface OptOutsDeps {
  resolver: Pick<Resolver, 'query'>;
  clock: Clock;
  /** The registrable domain of a name, or the name itself where it has none. */
  siteOf(name: string): string;
  /** Undefined: the resolver is not tested. */
  health?: Vouching | undefined;
  /** Called with a name whose owner is found to have opted out, at most once an hour: what is kept of it, and of the names below it, is to go. */
  forget?(name: string): void;
}

const done = () => undefined;
/** Admits every question: for those that no request pays for. */
export const UNGATED: Gate = { question: () => done, connection: () => done };

/**
 * Which owners do not want to be measured: those with the TXT record `v=optout1` at `_probe-optout` under the registrable domain. If it
 * says `v=optout1; scope=hosts`, names below it are looked up in the same way, each for itself. Otherwise they are not, since requests for
 * random names must not send the zone a question for each. A zone's last answer holds while it does not answer.
 */
export class OptOuts {
  readonly #known = new BoundedMap<string, Known>(NAMES_MAX);
  readonly #resolver: OptOutsDeps['resolver'];
  readonly #clock: Clock;
  readonly #health: Vouching | undefined;
  readonly #siteOf: OptOutsDeps['siteOf'];
  readonly #forget: OptOutsDeps['forget'];

  constructor({ resolver, clock, siteOf, health, forget }: OptOutsDeps) {
    this.#siteOf = siteOf;
    this.#forget = forget;
    this.#resolver = resolver;
    this.#clock = clock;
    this.#health = health;
  }

  /**
   * Whether the name's owner has opted out: at once where it was asked lately, else as far as is known within half a second. Questions pass
   * the gate. Rejects with the gate's error, with the signal's reason, and with `ApiError` overloaded if the question could not leave.
   */
  has(host: string, gate: Gate, life: Life): boolean | Promise<boolean> {
    const said = this.said(host, gate, life);
    return said instanceof Promise ? said.then((answer) => answer === 'out') : said === 'out';
  }

  /** The owner's wish, by the rules of `has`: undefined if the zone has never answered. */
  said(host: string, gate: Gate, life: Life): OptOut | undefined | Promise<OptOut | undefined> {
    const domain = this.#siteOf(host);
    const ofHost = (said: OptOut | undefined) => (said === 'hosts' && host !== domain ? this.#ask(host, gate, life) : said);
    const said = this.#ask(domain, gate, life);
    return said instanceof Promise ? said.then(ofHost) : ofHost(said);
  }

  /** The domain or host whose owner is known to have opted out for this name; undefined where no such answer has come. Asks nothing. */
  knownOut(host: string): string | undefined {
    const domain = this.#siteOf(host);
    const said = this.#known.get(domain)?.said;
    if (said === 'out') return domain;
    return said === 'hosts' && this.#known.get(host)?.said === 'out' ? host : undefined;
  }

  #ask(name: string, gate: Gate, life: Life): OptOut | undefined | Promise<OptOut | undefined> {
    const known: Known = this.#known.get(name) ?? { said: undefined, until: 0, asking: undefined, atGate: false };
    return this.#clock.now() < known.until ? known.said : this.#askNow(name, known, gate, life);
  }

  async #askNow(name: string, known: Known, gate: Gate, life: Life): Promise<OptOut | undefined> {
    this.#known.set(name, known);
    const late = () => new ProbeFailure('dns_timeout', name);
    try {
      await within(this.#clock, WAIT_MS, life.signal, late, (signal) => this.#learn(name, known, gate, signal));
    } catch (error) {
      if (!(error instanceof ProbeFailure)) throw error;
      if (known.said === undefined && known.atGate)
        throw new ApiError('overloaded', 'opt-outs cannot be checked at the moment', { retryAfterS: 1 });
    }
    return known.said;
  }

  /** Waits for the look-up of the first caller. If that one is refused by its gate, or leaves, another waiting caller looks up. */
  async #learn(name: string, known: Known, gate: Gate, signal: AbortSignal): Promise<void> {
    while (known.asking) {
      const failed = await unlessAborted(signal, known.asking).then(
        () => false,
        () => true,
      );
      signal.throwIfAborted();
      if (!failed) return;
    }
    await unlessAborted(signal, (known.asking = this.#look(name, known, gate, signal)));
  }

  /** Asks for all waiting callers: once the question is sent it goes on, even if callers leave. Until then it heeds the signal. */
  async #look(name: string, known: Known, gate: Gate, signal: AbortSignal): Promise<void> {
    known.atGate = false;
    try {
      const response = this.#resolver.query(optOutNameOf(name), 'TXT', { gate: leaving(known, gate, signal) });
      // Where the DNS is intercepted every zone is told not to have the record, and that would hold for an hour.
      const [answer, believed = true] = await Promise.all([response, this.#health?.vouch()]);
      const answered = believed && (answer.rcode === 'NOERROR' || answer.rcode === 'NXDOMAIN');
      if (answered) known.said = optOutOf(recordsOf(answer, 'TXT').map(({ data }) => Buffer.concat(data).toString('latin1')));
      if (answered && known.said === 'out') this.#forget?.(name);
      known.until = this.#clock.now() + (answered ? ANSWERED_MS : UNANSWERED_MS);
    } catch (error) {
      // The question did not leave, so the zone was not asked.
      if (known.atGate || !(error instanceof ProbeFailure)) throw error;
      known.until = this.#clock.now() + UNANSWERED_MS;
    } finally {
      known.asking = undefined;
    }
  }
}

/** The gate, heeding this signal: the question itself has none. */
const leaving = (known: Known, gate: Gate, signal: AbortSignal): Gate => ({
  connection: (address) => gate.connection(address, signal),
  async question(name, _signal, server, held) {
    known.atGate = true;
    const pass = await gate.question(name, signal, server, held);
    known.atGate = false;
    return pass;
  },
});
