import { type ParsedUrl, parseHttpUrl, ProbeFailure, type ProbePorts } from '@vedette/contract';
import { assertAllowed } from '../net/dialler.ts';
import { refuseProtected } from '../refuse-protected.ts';

/** Parses the job's URL and refuses what may not be contacted by name. The gateway did it too; an agent does not rely on that. */
export function parseTarget(text: string): ParsedUrl {
  const target = parseHttpUrl(text);
  if (!target) throw new ProbeFailure('blocked_policy', 'not an http or https URL');
  refuseProtected(target.host);
  return target;
}

/**
 * The address to connect to. Every address of the host must be allowed, not only the one we take: a name that also
 * points inside is an attack or about to become one. `onAlias` is told the names that it is an alias of, and may refuse.
 * Rejects with `ProbeFailure` dns_…, blocked_….
 */
export async function resolveTarget(
  target: ParsedUrl,
  family: 4 | 6,
  { resolver, dialler }: Pick<ProbePorts, 'resolver' | 'dialler'>,
  signal: AbortSignal,
  onAlias?: (name: string) => void,
): Promise<string> {
  if (target.kind !== 'name' && target.kind !== `ipv${family}`)
    throw new ProbeFailure('dns_no_address', `${target.host} is not IPv${family}`);
  const addresses =
    target.kind === 'name' ? await resolver.addresses(target.host, family, { signal, ...(onAlias && { onAlias }) }) : [target.host];
  const allowed = addresses.map((address) => assertAllowed(dialler.policy, address, target.port));
  if (allowed[0] === undefined) throw new ProbeFailure('dns_no_address', target.host);
  return allowed[0];
}
