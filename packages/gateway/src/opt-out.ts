import { BoundedMap, type Clock, type Gate, ProbeFailure, recordsOf, type Resolver, unlessAborted, within } from '@vedette/contract';
import { registrableDomain } from './registrable-domain.ts';

/** A zone that does not answer must not hold up requests for others' targets; its answer is remembered when it comes. */
const WAIT_MS = 500;
const ANSWERED_MS = 3_600_000;
/** A zone that did not answer is not asked by every request. */
const UNANSWERED_MS = 60_000;
const NAMES_MAX = 20_000;

/** What the record begins with. Any other text may be there by a wildcard: SPF, a proof of ownership (RFC 8552 §1.4). */
const OPT_OUT = /^v=optout1\s*(?:;(?<tags>.*))?$/i;
/** The domain says that hosts below it speak for themselves. */
const HOSTS = /(?:^|;)\s*scope\s*=\s*hosts\s*(?:;|$)/i;

type Said = 'out' | 'hosts' | 'nothing';

interface Known {
  /** Undefined as long as the zone has never answered. */
  said: Said | undefined;
  /** When it is asked again. */
  until: number;
  asking: Promise<void> | undefined;
}

/**
 * Which owners do not want to be measured: those with the TXT record `v=optout1` at `_probe-optout` under the registrable domain. Where
 * it says `v=optout1; scope=hosts` the names below are asked in the same way, each for itself; else they are not, since
 * whoever asks for random names must not make us ask the zone for each. What a zone said last holds when it does not answer.
 */
export class OptOuts {
  readonly #known = new BoundedMap<string, Known>(NAMES_MAX);
  readonly #resolver: Resolver;
  readonly #clock: Clock;

  constructor({ resolver, clock }: { resolver: Resolver; clock: Clock }) {
    this.#resolver = resolver;
    this.#clock = clock;
  }

  /** Whether the name's owner has opted out, as far as is known within half a second. What is asked passes the gate; rejects with what it throws. */
  async has(host: string, gate: Gate): Promise<boolean> {
    const domain = registrableDomain(host);
    const said = await this.#ask(domain, gate);
    if (said === 'hosts' && host !== domain) return (await this.#ask(host, gate)) === 'out';
    return said === 'out';
  }

  async #ask(name: string, gate: Gate): Promise<Said | undefined> {
    const known: Known = this.#known.get(name) ?? { said: undefined, until: 0, asking: undefined };
    if (this.#clock.now() < known.until) return known.said;
    this.#known.set(name, known);
    known.asking ??= this.#look(name, known, gate);
    const { asking } = known;
    const late = () => new ProbeFailure('dns_timeout', name);
    await within(this.#clock, WAIT_MS, undefined, late, (signal) => unlessAborted(signal, asking)).catch((error: unknown) => {
      if (!(error instanceof ProbeFailure)) throw error;
    });
    return known.said;
  }

  /** Asks for all who wait: it goes on when one of them leaves. */
  async #look(name: string, known: Known, gate: Gate): Promise<void> {
    try {
      const answer = await this.#resolver.query(`_probe-optout.${name}`, 'TXT', { gate });
      const answered = answer.rcode === 'NOERROR' || answer.rcode === 'NXDOMAIN';
      if (answered) known.said = saidBy(recordsOf(answer, 'TXT').map(({ data }) => Buffer.concat(data).toString('latin1')));
      known.until = this.#clock.now() + (answered ? ANSWERED_MS : UNANSWERED_MS);
    } catch (error) {
      // What the gate refuses nobody was asked.
      if (!(error instanceof ProbeFailure)) throw error;
      known.until = this.#clock.now() + UNANSWERED_MS;
    } finally {
      known.asking = undefined;
    }
  }
}

function saidBy(texts: readonly string[]): Said {
  const records = texts.map((text) => OPT_OUT.exec(text)).filter((record) => record !== null);
  if (records.length === 0) return 'nothing';
  return records.every(({ groups }) => HOSTS.test(groups?.['tags'] ?? '')) ? 'hosts' : 'out';
}
