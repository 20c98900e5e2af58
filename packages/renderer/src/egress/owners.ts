import { BoundedMap, type Clock, ProbeFailure, recordsOf, type Resolver, within } from '@vedette/contract';
import { type OptOut, optOutNameOf, optOutOf } from '@vedette/probes/host';

/** A zone that does not answer must not hold up a page. */
const WAIT_MS = 500;
const ANSWERED_MS = 3_600_000;
const UNANSWERED_MS = 60_000;
const NAMES_MAX = 10_000;

interface OwnersOptions {
  resolver: Pick<Resolver, 'query'>;
  clock: Clock;
  siteOf(host: string): string;
}

/**
 * Which owners do not want anything of us (docs/target-rates.md): a gateway asks those whom a request names, and nobody knows before whom a page is
 * going to lead to. What a zone said last holds for another minute where it does not answer in half a second; one that has never answered counts as a yes.
 */
export class Owners {
  readonly #options: OwnersOptions;
  readonly #known = new BoundedMap<string, { said: Promise<OptOut>; until: number }>(NAMES_MAX);

  constructor(options: OwnersOptions) {
    this.#options = options;
  }

  async hasOptedOut(host: string): Promise<boolean> {
    const site = this.#options.siteOf(host);
    const said = await this.#ask(site);
    return (said === 'hosts' && host !== site ? await this.#ask(host) : said) === 'out';
  }

  /** All who ask at a time share one question, which no job's end takes from the others. */
  #ask(name: string): Promise<OptOut> {
    const now = this.#options.clock.now();
    const known = this.#known.get(name);
    if (known && now < known.until) return known.said;
    const keepFor = (ms: number) => (asked.until = this.#options.clock.now() + ms);
    const asked = { said: this.#look(name, known?.said ?? 'nothing', keepFor), until: now + UNANSWERED_MS };
    this.#known.set(name, asked);
    return asked.said;
  }

  async #look(name: string, before: OptOut | Promise<OptOut>, keepFor: (ms: number) => void): Promise<OptOut> {
    const { resolver, clock } = this.#options;
    const late = () => new ProbeFailure('dns_timeout', name);
    try {
      const answer = await within(clock, WAIT_MS, undefined, late, (signal) => resolver.query(optOutNameOf(name), 'TXT', { signal }));
      if (answer.rcode !== 'NOERROR' && answer.rcode !== 'NXDOMAIN') return await before;
      keepFor(ANSWERED_MS);
      return optOutOf(recordsOf(answer, 'TXT').map(({ data }) => Buffer.concat(data).toString('latin1')));
    } catch (error) {
      if (error instanceof ProbeFailure) return await before;
      throw error;
    }
  }
}
