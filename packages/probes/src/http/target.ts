import { type ParsedHost, type ParsedUrl, parseHttpUrl, ProbeFailure } from '@vedette/contract';
import { familiesOf, judgeHost, type JudgeHostOptions, type JudgePorts, refuseProtected } from '../judge-host.ts';
import { allowedAddress } from '../net/dialler.ts';

/** Parses the job's URL and refuses what may not be contacted by name. The gateway did it too; an agent does not rely on that. */
export function parseTarget(text: string): ParsedUrl {
  const target = parseHttpUrl(text);
  if (!target) throw new ProbeFailure('blocked_policy', 'not an http or https URL');
  refuseProtected(target.host);
  return target;
}

/**
 * The address to connect to: every address of the family must be allowed, not only the one we take (see `judgeHost`).
 * Rejects with `ProbeFailure` dns_…, blocked_…, or with what `onAlias` throws.
 */
export async function resolveTarget(
  target: ParsedHost & { port: number },
  ports: JudgePorts,
  options: Omit<JudgeHostOptions, 'port'>,
): Promise<string> {
  const possible = familiesOf(target);
  const families = options.families.filter((family) => possible.includes(family));
  if (families.length === 0) throw new ProbeFailure('dns_no_address', `${target.host} is not IPv${options.families.join(' or IPv')}`);
  const { policy } = ports.dialler;
  const verdict = await judgeHost(target, ports, { ...options, families, port: target.port });
  return allowedAddress(policy, verdict, `${target.host} port ${target.port}`);
}
