import { ENDED, type ParsedHost, type ParsedUrl, ProbeFailure, type ProbePorts } from '@vedette/contract';
import { type Family, familiesOf, judgeAddresses, type JudgeHostOptions, type JudgePorts, refuseProtected } from '../host/judge-host.ts';
import { allowedAddress } from '../net/dialler.ts';
import type { Addresses } from '../host/staggered.ts';
import { parseOnward } from './sign-in.ts';

/** Parses the job's URL and refuses what may not be contacted by name. The gateway did it too; an agent does not rely on that. */
export function parseTarget(text: string): ParsedUrl {
  const target = parseOnward(text);
  refuseProtected(target.host);
  return target;
}

/** How long addresses of the preferred family are awaited once the others are there, RFC 8305 §3. */
const RESOLUTION_DELAY_MS = 50;

/**
 * The addresses to connect to, the first of the families first. Both are looked up at once, and every address of a family must be allowed, not only
 * those that we come to (see `judgeAddresses`): an inner IPv4 address refuses the host, an inner IPv6 address only its own family if there is IPv4.
 * Rejects with `ProbeFailure` dns_…, blocked_…, or with what `onAlias` throws.
 */
export async function resolveTargets(
  target: ParsedHost & { port: number },
  ports: JudgePorts & Pick<ProbePorts, 'clock'>,
  { families, ...options }: Omit<JudgeHostOptions, 'port'>,
): Promise<Addresses> {
  const possible = familiesOf(target);
  const wanted = families.filter((family) => possible.includes(family));
  if (wanted.length === 0) throw new ProbeFailure('dns_no_address', `${target.host} is not IPv${families.join(' or IPv')}`);
  const { policy } = ports.dialler;
  const judged = async (family: Family): Promise<readonly string[]> => {
    const verdicts = await judgeAddresses(target, ports, { ...options, family, port: target.port });
    return [...new Set(verdicts.map((verdict) => allowedAddress(policy, verdict, `${target.host} port ${target.port}`)))];
  };
  if (wanted.length === 1) return { first: await judged(wanted[0]!) };
  const v6 = judged(6);
  const others = v6.catch(() => []);
  let v4: readonly string[];
  try {
    v4 = await judged(4);
  } catch (error) {
    if (!(error instanceof ProbeFailure) || error.source !== 'resolver') throw error;
    const first = await (error.code === 'dns_no_address' ? v6 : others);
    if (first.length === 0) throw error;
    return { first };
  }
  if (wanted[0] === 4) return { first: v4, others };
  const over = new AbortController();
  const preferred = await Promise.race([others, ports.clock.sleep(RESOLUTION_DELAY_MS, over.signal).catch(() => {})]);
  over.abort(ENDED);
  return preferred ? { first: [...preferred, ...v4] } : { first: v4, others };
}
