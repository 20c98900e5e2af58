import { type Clock, ProbeFailure, type Resolver } from '@vedette/contract';
import type { Metrics } from '../metrics/metrics.ts';

/** A resolver whose questions are counted by their outcome, with the caller's waiting time; answers from memory are quick. */
export function countedDns(resolver: Resolver, { clock, metrics }: { clock: Clock; metrics: Metrics }): Resolver {
  async function counted<T>(ask: () => Promise<T>, outcomeOf: (answer: T) => string): Promise<T> {
    const started = clock.now();
    let outcome = 'cancelled'; // with the signal's reason, whatever that is
    try {
      const answer = await ask();
      outcome = outcomeOf(answer);
      return answer;
    } catch (error) {
      if (error instanceof ProbeFailure) outcome = error.code;
      throw error;
    } finally {
      metrics.dns.observe({ outcome }, (clock.now() - started) / 1000);
    }
  }
  return {
    servers: resolver.servers,
    query: (name, type, options) =>
      counted(
        () => resolver.query(name, type, options),
        ({ rcode }) => (rcode === 'SERVFAIL' || rcode === 'REFUSED' ? 'dns_servfail' : 'answered'),
      ),
    addresses: (host, family, options) =>
      counted(
        () => resolver.addresses(host, family, options),
        () => 'answered',
      ),
  };
}
