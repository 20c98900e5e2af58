import { type IpAddress, isDnsName, parseIp, type DnsPorts, lookUp } from '@vedette/contract';

/** A name that the reverse tree has for an address. */
export interface ReverseName {
  name: string;
  /** Whether the name's own addresses have this one among them; `nowhere`: it has none. `unknown` where the DNS did not say, or was not asked. */
  leadsBack: 'yes' | 'no' | 'nowhere' | 'unknown';
}

/** The names of an address. */
export interface ReverseDns {
  /** `none`: the DNS has no name. `failed`: the names are unknown. */
  state: 'found' | 'none' | 'failed';
  /** Confirmed names first, then in the order of the answer. */
  names: readonly ReverseName[];
  /** The reason why the names are unknown; empty otherwise. */
  error: string;
}

/** One address has one name, or a few; the owner of an address with hundreds makes no point by them. */
const NAMES_MAX = 3;

/**
 * Asks for the names of an address and, since an address's owner can claim any name, for the addresses of these (forward-confirmed reverse
 * DNS). `owner` is its reverse name.
 */
export async function reverseDns(address: string, owner: string, ports: DnsPorts): Promise<ReverseDns> {
  const found = await lookUp(ports, owner, 'PTR');
  if (found.state === 'failed') return { state: 'failed', names: [], error: found.error };
  const claimed = [...new Set(found.records.map(({ data }) => data.toLowerCase()).filter(isDnsName))].slice(0, NAMES_MAX);
  if (claimed.length === 0) return { state: 'none', names: [], error: '' };
  const ip = parseIp(address)!;
  const names = await Promise.all(claimed.map(async (name) => ({ name, leadsBack: await leadsBack(name, ip, ports) })));
  return { state: 'found', names: names.toSorted((a, b) => rank(a) - rank(b)), error: '' };
}

const rank = ({ leadsBack }: ReverseName): number => Number(leadsBack !== 'yes');

async function leadsBack(name: string, ip: IpAddress, ports: DnsPorts): Promise<ReverseName['leadsBack']> {
  const found = await lookUp(ports, name, ip.version === 4 ? 'A' : 'AAAA');
  if (found.state === 'failed') return 'unknown';
  if (found.records.length === 0) return 'nowhere';
  return found.records.some(({ data }) => parseIp(data)?.value === ip.value) ? 'yes' : 'no';
}
