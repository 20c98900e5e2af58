import { type BudgetedResolver, isAnswer, isDnsName, type Networks, NOWHERE, recordsOf, text } from '@vedette/contract';
import { reverseName } from '@vedette/probes/dns';
import { type Static, Type } from 'typebox';
import { unlessRefused } from './unless-refused.ts';

/** Where a server is and whose network it is in: the contract's server details without the name of its address, which reports call differently. */
const SERVER_FIELDS = {
  ip: text('IPv4 address, or the IPv6 one where there is no other; empty where the name has none. All else is empty then'),
  continent_code: text('Two letters: AF, AN, AS, EU, NA, OC or SA'),
  continent_name: text('In English'),
  country_code: text('ISO 3166-1 alpha-2'),
  country_name: text('In English'),
  region_name: text('In English'),
  city_name: text('In English'),
  latitude: Type.Number({ description: 'Degrees north; 0 where it is not known' }),
  longitude: Type.Number({ description: 'Degrees east; 0 where it is not known' }),
  isp: text('Who announces the address'),
  asn: text('Its autonomous system, as AS64496'),
};
const REVERSE_NAME = text('What the PTR record of the address says; empty where there is none, or it was not answered');

/** Server details of a report that calls the name of the address `reverse_dns`. */
export const ServerDetails = Type.Object(
  { ...SERVER_FIELDS, reverse_dns: REVERSE_NAME },
  { title: 'ServerDetails', description: 'Place and network of the server' },
);
/** Those of a report that calls it `hostname`. */
export const ServerDetailsByHostname = Type.Object(
  { ...SERVER_FIELDS, hostname: REVERSE_NAME },
  { title: 'ServerDetailsByHostname', description: 'Place and network of the server' },
);

const NO_SERVER: Static<typeof ServerDetails> = { ip: '', ...NOWHERE, isp: '', asn: '', reverse_dns: '' };

interface ServerPorts {
  resolver: BudgetedResolver;
  networks: Networks;
  signal: AbortSignal;
}

/** What the datasets and the reverse DNS say of an address; all empty for an empty one. Where the DNS does not answer, `reverse_dns` is empty. */
export async function serverDetails(ip: string, ports: ServerPorts): Promise<Static<typeof ServerDetails>> {
  const reverse = reverseName(ip);
  if (reverse === undefined) return NO_SERVER;
  const asked = await unlessRefused(ports.resolver.ask(reverse, 'PTR', { signal: ports.signal }));
  const names = asked && isAnswer(asked) ? recordsOf(asked, 'PTR').map(({ data }) => data.toLowerCase()) : [];
  const origin = ports.networks.origin(ip);
  return {
    ip,
    ...ports.networks.place(ip),
    isp: origin?.org ?? '',
    asn: origin ? `AS${origin.asn}` : '',
    reverse_dns: names.find(isDnsName) ?? '',
  };
}

/** The same, under the other name. */
export function byHostname({ reverse_dns, ...details }: Static<typeof ServerDetails>): Static<typeof ServerDetailsByHostname> {
  return { ...details, hostname: reverse_dns };
}
