import type { CentralContext } from '../kit/index.ts';
import { isAnswer, type QueryOptions, recordsOf } from '@vedette/contract';

/** A referral has no room for more. */
const NAMESERVERS_MAX = 13;

type Ways = Pick<CentralContext, 'resolver'>;

/** Whether the parent has a DS record for the domain (RFC 4035 §5.2). */
export async function signedInDns(domain: string, { resolver }: Ways, options: QueryOptions): Promise<'signed' | 'unsigned' | 'unknown'> {
  const response = await resolver.ask(domain, 'DS', options);
  if (!isAnswer(response) || response.rcode !== 'NOERROR') return 'unknown';
  return recordsOf(response, 'DS').length > 0 ? 'signed' : 'unsigned';
}

/** Name servers with an address of each family: the registered ones, else those of the zone. */
export async function resolveNameservers(registered: readonly string[], domain: string, { resolver }: Ways, options: QueryOptions) {
  const first = async (name: string, type: 'A' | 'AAAA'): Promise<string> => {
    const response = await resolver.ask(name, type, options);
    return isAnswer(response) ? (recordsOf(response, type)[0]?.data ?? '') : '';
  };
  const names = registered.length > 0 ? registered : await nameserversInDns(domain, { resolver }, options);
  return await Promise.all(
    names.slice(0, NAMESERVERS_MAX).map(async (name) => {
      const [ipv4, ipv6] = await Promise.all([first(name, 'A'), first(name, 'AAAA')]);
      return { name, ipv4, ipv6 };
    }),
  );
}

async function nameserversInDns(domain: string, { resolver }: Ways, options: QueryOptions): Promise<string[]> {
  const response = await resolver.ask(domain, 'NS', options);
  return isAnswer(response)
    ? recordsOf(response, 'NS')
        .map(({ data }) => data.toLowerCase())
        .sort()
    : [];
}
