import { type Clock, ProbeFailure, recordsOf, type Resolver, within } from '@vedette/contract';
import { getDomain } from 'tldts';

/** A zone that does not answer must not hold up requests for others' targets. */
const WAIT_MS = 500;

/** What the record begins with. Any other text may be there by a wildcard: SPF, a proof of ownership (RFC 8552 §1.4). */
const OPT_OUT = /^v=optout1\s*(;|$)/i;

/**
 * Whether the owner of a name does not want to be measured: the TXT record `v=optout1` at `_probe-optout` under the name or
 * its registrable domain. Our DNS cache keeps the answer.
 */
export async function hasOptedOut(host: string, { resolver, clock }: { resolver: Resolver; clock: Clock }): Promise<boolean> {
  const domain = getDomain(host, { allowPrivateDomains: true });
  const names = new Set([host, domain ?? host]);
  const late = () => new ProbeFailure('dns_timeout', host);
  const ask = async (name: string, signal: AbortSignal): Promise<boolean> => {
    try {
      const answer = await resolver.query(`_probe-optout.${name}`, 'TXT', { signal });
      return recordsOf(answer, 'TXT').some(({ data }) => OPT_OUT.test(Buffer.concat(data).toString('latin1')));
    } catch (error) {
      if (error instanceof ProbeFailure) return false;
      throw error;
    }
  };
  const answers = await within(clock, WAIT_MS, undefined, late, (signal) => Promise.all([...names].map((name) => ask(name, signal))));
  return answers.some(Boolean);
}
