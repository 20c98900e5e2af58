import { type AddressVerdict, parseHost, ProbeFailure, type ProbePorts } from '@vedette/contract';
import { familiesOf, type Family, judgeHost, refuseProtected } from '../host/judge-host.ts';

/**
 * Judges the host (see `judgeHost`). 0 asks for IPv4 first, then IPv6, or the other way round, of the families that the ICMP engine has. Rejects with
 * `ProbeFailure` dns_…, blocked_policy, unsupported, or with the signal's reason.
 */
export async function judgeTarget(
  host: string,
  { family: wanted, ipv6_first = false }: { family: Family | 0; ipv6_first?: boolean },
  ports: Pick<ProbePorts, 'resolver' | 'dialler' | 'icmp'>,
  signal: AbortSignal,
): Promise<AddressVerdict> {
  const parsed = parseHost(host);
  if (!parsed) throw new ProbeFailure('blocked_policy', 'not a host');
  refuseProtected(parsed.host);
  const candidates = familiesOf(parsed, ipv6_first ? 6 : 4).filter((family) => wanted === 0 || wanted === family);
  if (candidates.length === 0) throw new ProbeFailure('dns_no_address', `${parsed.host} is not an IPv${wanted} address`);
  const families = candidates.filter((family) => (family === 4 ? ports.icmp.v4 : ports.icmp.v6));
  if (families.length === 0) throw new ProbeFailure('unsupported', `no ICMP socket for IPv${candidates.join(' or IPv')}`);
  return judgeHost(parsed, ports, { families, signal, onAlias: refuseProtected });
}
