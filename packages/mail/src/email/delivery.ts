import {
  type AddressPolicy,
  type DnsAnswer,
  isAnswer,
  isSpecialUseName,
  parseIp,
  type RecordType,
  recordsOf,
  type Unanswered,
  type DnsPorts,
  isOurs,
} from '@vedette/contract';

/** Whether a sender finds a host to give a domain's mail to. */
export interface Delivery {
  /** `fails`: what a sender must ask fails, so that mail waits and comes back in the end. `unknown`: we did not ask. */
  state: 'possible' | 'impossible' | 'fails' | 'unknown';
  /** Why not, for people; empty where it is possible. */
  detail: string;
}

interface Ports extends DnsPorts {
  policy: AddressPolicy;
}

/** Mail hosts that are resolved: by preference, first the first alone, and the others only when it has no address. */
const MAX_HOSTS = 5;

/**
 * Finds the host as RFC 5321 §5.1 does: the mail exchangers by preference, without any the domain itself; a null MX (RFC 7505) says no.
 * `exchange`: what the question for them brought.
 */
export async function judgeDelivery(domain: string, exchange: DnsAnswer | Unanswered, ports: Ports): Promise<Delivery> {
  const mx = outcomeOf(exchange);
  if (mx.state !== 'answered') return mx.state === 'fails' ? { state: 'fails', detail: `${domain} MX: ${mx.error}` } : UNKNOWN;
  const records = recordsOf(mx.answer, 'MX').toSorted((one, other) => one.data.preference - other.data.preference);
  const hosts = [...new Set(records.map(({ data }) => data.exchange.toLowerCase()))];
  if (hosts.length === 0) return await judgeHost(domain, ports);
  const exchangers = hosts.filter((host) => host !== '.');
  if (exchangers.length === 0) return { state: 'impossible', detail: 'a null MX (RFC 7505)' };
  const first = await judgeHost(exchangers[0]!, ports);
  if (first.state === 'possible') return first;
  const others = exchangers.slice(1, MAX_HOSTS).map((host) => judgeHost(host, ports));
  const all = bestOf([first, ...(await Promise.all(others))]);
  return all.state === 'impossible' && exchangers.length > MAX_HOSTS ? UNKNOWN : all;
}

const UNKNOWN: Delivery = { state: 'unknown', detail: '' };

/** One host is enough. */
function bestOf(found: readonly Delivery[]): Delivery {
  const details = found.map(({ detail }) => detail).join('; ');
  const state = (['possible', 'unknown', 'fails'] as const).find((wanted) => found.some((host) => host.state === wanted)) ?? 'impossible';
  return { state, detail: state === 'possible' || state === 'unknown' ? '' : details };
}

/** Names of inner networks are not mail hosts, and are not resolved. */
async function judgeHost(host: string, ports: Ports): Promise<Delivery> {
  if (!host.includes('.') || isSpecialUseName(host) || parseIp(host))
    return { state: 'impossible', detail: `${host} is no name of the Internet` };
  const ask = async (type: RecordType) => outcomeOf(await ports.resolver.ask(host, type, { signal: ports.signal }));
  const outcomes = await Promise.all([ask('A'), ask('AAAA')]);
  const answers = outcomes.flatMap((one) => (one.state === 'answered' ? [one.answer] : []));
  const addresses = answers.flatMap((answer) => [...recordsOf(answer, 'A'), ...recordsOf(answer, 'AAAA')].map(({ data }) => data));
  if (addresses.some((address) => isReachable(address, ports.policy))) return { state: 'possible', detail: '' };
  if (outcomes.some(({ state }) => state === 'unknown')) return UNKNOWN;
  const failed = outcomes.flatMap((one) => (one.state === 'fails' ? [one.error] : []));
  if (failed.length > 0) return { state: 'fails', detail: `${host}: ${failed[0]}` };
  return { state: 'impossible', detail: addresses.length > 0 ? `${host} has no public address` : `${host} has no address` };
}

/** Our own addresses are refused as targets, but mail for us arrives there. */
function isReachable(address: string, policy: AddressPolicy): boolean {
  const verdict = policy.judge(address);
  return verdict.allowed || verdict.class === 'public';
}

type DnsOutcome = { state: 'answered'; answer: DnsAnswer } | { state: 'fails'; error: string } | { state: 'unknown' };

/** `unknown` is what we refuse to ask, and what the request may not ask any more. */
function outcomeOf(response: DnsAnswer | Unanswered): DnsOutcome {
  if (!isAnswer(response)) return isOurs(response) ? { state: 'unknown' } : { state: 'fails', error: response.error };
  if (response.rcode === 'NOERROR' || response.rcode === 'NXDOMAIN') return { state: 'answered', answer: response };
  return { state: 'fails', error: response.rcode };
}
