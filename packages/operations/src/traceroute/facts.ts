import { parseIp } from '@vedette/contract';
import type { TraceResult } from '@vedette/probes/trace';
import type { CentralContext } from '../kit/index.ts';
import { serverDetails } from '../shared/names/server-details.ts';
import type { HopAnswer } from './schema.ts';

/** The names of so many addresses are looked up for one request, over all locations. */
export const NAMES_MAX = 64;
const NAMES_MS = 2_000;
/** Kept back for the report. */
const REPORT_MS = 100;

type Facts = Pick<HopAnswer, 'ip_hostname' | 'asn' | 'isp' | 'country_code' | 'country_name' | 'city_name'>;
/** The facts of each address. */
export type AddressFacts = ReadonlyMap<string, Facts>;

export const NO_FACTS: Facts = { ip_hostname: '', asn: '', isp: '', country_code: '', country_name: '', city_name: '' };

/** Name, network and place of every address of a path. Names that the DNS does not tell in time are empty. */
export async function factsOf({ hops }: TraceResult, { resolver, networks, signal, remainingMs }: CentralContext): Promise<AddressFacts> {
  const ms = Math.min(NAMES_MS, Math.max(1, remainingMs() - REPORT_MS));
  using names = resolver.share({ ms });
  const addresses = new Set(hops.flatMap(({ answers }) => answers.map(({ ip_address }) => ip_address)).filter(parseIp));
  const facts = await Promise.all(
    Array.from(addresses, async (address): Promise<[string, Facts]> => {
      const { reverse_dns, asn, isp, country_code, country_name, city_name } = await serverDetails(address, {
        resolver: names,
        networks,
        signal,
      });
      return [address, { ip_hostname: reverse_dns, asn, isp, country_code, country_name, city_name }];
    }),
  );
  return new Map(facts);
}
