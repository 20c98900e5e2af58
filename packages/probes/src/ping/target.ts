import { type AddressVerdict, type ParsedHost, parseHost, ProbeFailure, type ProbePorts } from '@vedette/contract';
import { refuseProtected } from '../refuse-protected.ts';

export type Family = 4 | 6;

/**
 * Resolves the host and says what its address is. 0 asks for IPv4 first, then IPv6, of the families that the ICMP engine
 * has. When any address of the host is not allowed it is that one: a name that also points inside is an attack or about
 * to become one. Rejects with `ProbeFailure` dns_…, blocked_policy, unsupported, or with the signal's reason.
 */
export async function judgeTarget(
  host: string,
  wanted: Family | 0,
  { resolver, dialler, icmp }: Pick<ProbePorts, 'resolver' | 'dialler' | 'icmp'>,
  signal: AbortSignal,
): Promise<AddressVerdict> {
  const parsed = parseHost(host);
  if (!parsed) throw new ProbeFailure('blocked_policy', 'not a host');
  refuseProtected(parsed.host);
  const candidates = familiesOf(parsed).filter((family) => wanted === 0 || wanted === family);
  if (candidates.length === 0) throw new ProbeFailure('dns_no_address', `${parsed.host} is not an IPv${wanted} address`);
  const families = candidates.filter((family) => (family === 4 ? icmp.v4 : icmp.v6));
  const last = families.at(-1);
  if (last === undefined) throw new ProbeFailure('unsupported', `no ICMP socket for IPv${candidates.join(' or IPv')}`);
  for (const family of families) {
    try {
      const addresses =
        parsed.kind === 'name' ? await resolver.addresses(parsed.host, family, { signal, onAlias: refuseProtected }) : [parsed.host];
      const verdicts = addresses.map((address) => dialler.policy.judge(address));
      const verdict = verdicts.find(({ allowed }) => !allowed) ?? verdicts[0];
      if (verdict) return verdict;
    } catch (error) {
      if (family === last || !(error instanceof ProbeFailure) || error.code !== 'dns_no_address') throw error;
    }
  }
  throw new ProbeFailure('dns_no_address', parsed.host);
}

const familiesOf = ({ kind }: ParsedHost): readonly Family[] => (kind === 'name' ? [4, 6] : kind === 'ipv4' ? [4] : [6]);
