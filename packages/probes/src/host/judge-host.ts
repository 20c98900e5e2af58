import {
  type AddressVerdict,
  type Dialler,
  isProtectedHost,
  type ParsedHost,
  parseIp,
  ProbeFailure,
  type Resolver,
  type Service,
} from '@vedette/contract';
import { Type } from 'typebox';

export type Family = 4 | 6;
/** The families that a job may use: one, or with 0 IPv4 where the host has it, else IPv6. */
export const WantedFamily = Type.Unsafe<Family | 0>({
  type: 'integer',
  enum: [0, 4, 6],
  description: '0: IPv4 where the host has it, else IPv6',
});

/** The order of the families. Agents know it since 1.4 for echoes, traces and name servers. */
export const Ipv6First = Type.Optional(Type.Boolean({ description: 'With family 0: IPv6 where the host has it, else IPv4' }));

/** The families in which the host may have addresses, the preferred one first. */
export const familiesOf = ({ kind }: ParsedHost, preferred: Family = 4): readonly Family[] =>
  kind === 'name' ? [preferred, preferred === 4 ? 6 : 4] : kind === 'ipv4' ? [4] : [6];

/** The family in which the host is contacted, as far as it is known without the DNS. */
export function familyAsked({ host, family = 0 }: { host: string; family?: Family | 0 }): Family | undefined {
  return family === 0 ? parseIp(host)?.version : family;
}

/** The resolver, and the policy that judges its addresses. */
export interface JudgePorts {
  resolver: Pick<Resolver, 'addresses'>;
  dialler: Pick<Dialler, 'policy'>;
}

export interface JudgeHostOptions {
  /** Families of `familiesOf`; the first in which there is an address counts. */
  families: readonly Family[];
  signal: AbortSignal;
  /** Judged with the address, where there is one. */
  port?: number;
  /** The URL whose own port is allowed. */
  service?: Service;
  /** Told every name that the host is an alias of; may refuse by throwing. */
  onAlias?(name: string): void;
}

/** What the host's address is: the first, or one that is not allowed. Rejects as `judgeAddresses` does. */
export async function judgeHost(host: ParsedHost, ports: JudgePorts, { families, ...options }: JudgeHostOptions): Promise<AddressVerdict> {
  for (const family of families) {
    try {
      const [verdict] = await judgeAddresses(host, ports, { ...options, family });
      return verdict!;
    } catch (error) {
      if (family === families.at(-1) || !(error instanceof ProbeFailure) || error.code !== 'dns_no_address') throw error;
    }
  }
  throw new ProbeFailure('dns_no_address', host.host);
}

/**
 * Resolves the host and says what its addresses of a family are: at least one. When any of them is not allowed it is that one alone: a name that also
 * points inside is an attack or about to become one. Rejects with `ProbeFailure` dns_…, with what `onAlias` throws, or with the
 * signal's reason.
 */
export async function judgeAddresses(
  { kind, host }: ParsedHost,
  { resolver, dialler }: JudgePorts,
  { family, signal, port, service, onAlias }: Omit<JudgeHostOptions, 'families'> & { family: Family },
): Promise<readonly AddressVerdict[]> {
  const addresses = kind === 'name' ? await resolver.addresses(host, family, { signal, ...(onAlias && { onAlias }) }) : [host];
  if (addresses.length === 0) throw new ProbeFailure('dns_no_address', host);
  const verdicts = addresses.map((address) => dialler.policy.judge(address, port, service));
  const refused = verdicts.find(({ allowed }) => !allowed);
  return refused ? [refused] : verdicts;
}

/** Throws `ProbeFailure` blocked_policy for a government or educational name: the one asked for, or one that it is an alias of. */
export function refuseProtected(name: string): void {
  if (isProtectedHost(name)) throw new ProbeFailure('blocked_policy', name);
}
