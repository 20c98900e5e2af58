import { type ParsedHost, type ParsedUrl, ProbeFailure } from '@vedette/contract';
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

/** The first of `resolveTargets`. */
export async function resolveTarget(
  target: ParsedHost & { port: number },
  ports: JudgePorts,
  options: Omit<JudgeHostOptions, 'port'>,
): Promise<string> {
  const { first } = await resolveTargets(target, ports, options);
  return first[0]!;
}

/**
 * The addresses to connect to: every address of a family must be allowed, not only those that we come to (see `judgeAddresses`). Addresses
 * of the second family are looked up and judged when they are needed. Rejects with `ProbeFailure` dns_…, blocked_…, or with what `onAlias`
 * throws.
 */
export async function resolveTargets(
  target: ParsedHost & { port: number },
  ports: JudgePorts,
  options: Omit<JudgeHostOptions, 'port'>,
): Promise<Addresses> {
  const possible = familiesOf(target);
  const families = options.families.filter((family) => possible.includes(family));
  if (families.length === 0) throw new ProbeFailure('dns_no_address', `${target.host} is not IPv${options.families.join(' or IPv')}`);
  const { policy } = ports.dialler;
  const judged = async (among: readonly Family[]) => {
    const { verdicts, unasked } = await judgeAddresses(target, ports, { ...options, families: among, port: target.port });
    const addresses = verdicts.map((verdict) => allowedAddress(policy, verdict, `${target.host} port ${target.port}`));
    return { addresses: [...new Set(addresses)], unasked };
  };
  const { addresses: first, unasked } = await judged(families);
  if (unasked.length === 0) return { first };
  return { first, others: async () => (await judged(unasked)).addresses };
}
