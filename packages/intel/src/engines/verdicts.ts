import { BoundedMap, type Clock, type DnsAnswer } from '@vedette/contract';
import type { Verdict } from './codes.ts';

/** Some 20 MB. */
const MAX_VERDICTS = 65_536;
const LEAST_S = 60;
/** A listing that its zone has taken back is not told for longer than this, whatever its TTL says. */
const MOST_S = 3_600;

/** Keeps the answers of zones for their TTL, between a minute and an hour; for a denial the TTL of the SOA counts (RFC 2308 §5). */
export class Verdicts {
  readonly #kept = new BoundedMap<string, { verdict: Verdict; expires: number }>(MAX_VERDICTS);
  readonly #clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  get(question: string): Verdict | undefined {
    const kept = this.#kept.get(question);
    if (kept === undefined) return undefined;
    if (kept.expires > this.#clock.now()) return kept.verdict;
    this.#kept.delete(question);
    return undefined;
  }

  /** Only answers are kept. */
  put(question: string, verdict: Verdict, answer: DnsAnswer): void {
    if (verdict.state === 'unknown') return;
    const ttl = Math.min(MOST_S, Math.max(LEAST_S, ttlOf(answer)));
    this.#kept.set(question, { verdict, expires: this.#clock.now() + ttl * 1000 });
  }
}

function ttlOf({ answers, authorities }: DnsAnswer): number {
  if (answers.length > 0) return Math.min(...answers.map(({ ttl }) => ttl));
  const soa = authorities.find((record) => record.type === 'SOA');
  return soa ? Math.min(soa.ttl, soa.data.minimum) : 0;
}
