import { type BudgetedResolver, isAnswer, isDnsName, recordsOf, text } from '@vedette/contract';
import { type Networks, NOWHERE } from '@vedette/intel/ports';
import { reverseName } from '@vedette/probes/dns';
import { type Static, Type } from 'typebox';
import { unlessRefused } from './unless-refused.ts';

/** Where a server is and whose network it is in: the contract's server details without the name of its address, which reports call differently. */
const SERVER_FIELDS = {
  ip: text('IPv4 address of the server, else its IPv6 address; all fields are empty if the name has no address'),
  continent_code: text('Continent of the server: AF, AN, AS, EU, NA, OC or SA'),
  continent_name: text('English name of the continent'),
  country_code: text('Country of the server, ISO 3166-1 alpha-2'),
  country_name: text('English name of the country'),
  region_name: text('English name of the region'),
  city_name: text('English name of the city'),
  latitude: Type.Number({ description: 'Latitude in degrees north; 0 if it is not known' }),
  longitude: Type.Number({ description: 'Longitude in degrees east; 0 if it is not known' }),
  isp: text('Organization that announces the address'),
  asn: text('Autonomous system of the address, such as AS64496'),
};
const REVERSE_NAME = text('Name in the PTR record of the address; empty if there is none or the DNS did not answer');

/** Server details of a report that calls the name of the address `reverse_dns`. */
export const ServerDetails = Type.Object(
  { ...SERVER_FIELDS, reverse_dns: REVERSE_NAME },
  { title: 'ServerDetails', description: 'Place and network of the server' },
);
/** The details of a report that names the field `hostname`. */
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

/**
 * The facts about an address from the datasets and the reverse DNS; all empty for an empty one. Where the DNS does not answer,
 * `reverse_dns` is empty.
 */
export async function serverDetails(ip: string, ports: ServerPorts): Promise<Static<typeof ServerDetails>> {
  const reverse = reverseName(ip);
  if (reverse === undefined) return NO_SERVER;
  const response = await unlessRefused(ports.resolver.ask(reverse, 'PTR', { signal: ports.signal }));
  const names = response && isAnswer(response) ? recordsOf(response, 'PTR').map(({ data }) => data.toLowerCase()) : [];
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
