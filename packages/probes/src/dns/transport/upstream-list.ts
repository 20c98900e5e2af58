import { type DnsAnswer, ProbeFailure } from '@vedette/contract';
import type { Query } from '../wire/message.ts';
import { Unanswered, Unreadable } from './unanswered.ts';
import type { Stop } from './stop.ts';
import type { Upstream } from './upstream.ts';

const MAX_TRIES = 3;

/** Rcodes that another server may know better than. */
const isTrouble = ({ rcode }: DnsAnswer): boolean => rcode === 'SERVFAIL' || rcode === 'REFUSED';

/** Servers that are asked one after the other until one answers; a silent server moves to the end. */
export class UpstreamList {
  #order: readonly Upstream[];

  constructor(upstreams: readonly Upstream[]) {
    this.#order = upstreams;
  }

  /**
   * At most one try at each of the first three servers, two at an only one. SERVFAIL or REFUSED is the answer when no server has a better
   * one. Rejects with the stop's reason, or with `ProbeFailure`: dns_timeout, or dns_servfail when what came back could not be read.
   * Clients see its text: it names no server, since these may be inner ones.
   */
  async ask(query: Query, stop: Stop): Promise<DnsAnswer> {
    const only = this.#order.length === 1;
    const candidates = only ? [...this.#order, ...this.#order] : this.#order.slice(0, MAX_TRIES);
    const failures: { upstream: Upstream; error: Unanswered }[] = [];
    let trouble: DnsAnswer | undefined;
    for (const upstream of candidates) {
      try {
        const { message, ...how } = await upstream.ask(query, stop);
        this.#demote(failures.map((failure) => failure.upstream));
        const answer = { ...message, ...how, server: upstream.server, tries: 1 + failures.length, cached: false };
        if (only || !isTrouble(answer)) return answer;
        trouble ??= answer;
      } catch (error) {
        stop.throwIfStopped();
        if (!(error instanceof Unanswered)) throw error;
        failures.push({ upstream, error });
        if (only && !error.retry) break;
      }
    }
    if (trouble) return trouble;
    const seen = new Set(failures.map(({ error }) => error.message));
    throw new ProbeFailure(failures.at(-1)?.error instanceof Unreadable ? 'dns_servfail' : 'dns_timeout', [...seen].join('; '));
  }

  #demote(silent: readonly Upstream[]): void {
    if (silent.length === 0 || this.#order.length === 1) return;
    this.#order = [...this.#order.filter((upstream) => !silent.includes(upstream)), ...new Set(silent)];
  }
}
