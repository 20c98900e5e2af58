import { AS_TYPES, RIRS } from '@vedette/intel/ports';
import { Enum } from '@vedette/contract';
import { Type } from 'typebox';

const Prefixes = Type.Array(Type.String(), { description: 'Announced networks in CIDR notation' });

export const AsnReport = Type.Object({
  asn: Type.String({ description: 'Autonomous system number, written AS<number>' }),
  registered: Enum(['yes', 'no', 'unknown'], {
    description: 'Whether a registry has assigned the number; unknown: no registry answered',
  }),
  debug_message: Type.String({
    description: 'Sources that did not answer and facts missing for that reason; empty if the report is complete',
  }),
  asname: Type.String({ description: 'Name (handle) of the autonomous system, such as GOOGLE' }),
  status: Type.String({
    description:
      "Status given by the registry, such as active; otherwise allocated, assigned, available or reserved, from the registry's statistics",
  }),
  org: Type.String({ description: 'Name of the holder' }),
  country_code: Type.String({ description: 'ISO 3166-1 alpha-2 code of the country where the holder is registered' }),
  created: Type.String({
    description: 'Date of registration, YYYY-MM-DD; empty if unknown. Some registries reset this date when the number changes hands',
  }),
  updated: Type.String({ description: 'Date of the last change, YYYY-MM-DD; empty if unknown' }),
  address: Type.String({ description: 'Postal address of the holder, in one line' }),
  abuse_email: Type.String({ description: 'E-mail address for abuse reports' }),
  domain: Type.String({ description: 'Domain of the holder; if no dataset has it, the domain of the abuse address' }),
  type: Enum([...AS_TYPES, ''], { description: 'Business of the holder; empty if unknown' }),
  rir: Enum([...RIRS, ''], { description: 'Regional registry; a national registry (JPNIC) only if the answer names it' }),
  days_since_created: Type.Integer({ description: 'Days since `created`; 0 if unknown' }),
  months_since_created: Type.Integer({ description: 'Calendar months since `created`, in UTC; 0 if unknown' }),
  years_since_created: Type.Integer({ description: 'Calendar years since `created`, in UTC; 0 if unknown' }),
  days_since_updated: Type.Integer({ description: 'Days since `updated`; 0 if unknown' }),
  months_since_updated: Type.Integer({ description: 'Calendar months since `updated`, in UTC; 0 if unknown' }),
  years_since_updated: Type.Integer({ description: 'Calendar years since `updated`, in UTC; 0 if unknown' }),
  routes: Type.Object(
    {
      ipv4: Type.Object(
        {
          total_prefixes: Type.Integer({ description: 'Number of networks in `prefixes`' }),
          total_ips: Type.Integer({ description: 'Number of addresses in `prefixes`; overlapping networks count once' }),
          prefixes: Prefixes,
        },
        { description: 'IPv4 networks' },
      ),
      ipv6: Type.Object(
        {
          total_prefixes: Type.Integer({ description: 'Number of networks in `prefixes`' }),
          total_ips: Type.String({
            description:
              'Number of addresses in `prefixes` as a decimal string, because the value exceeds JSON numbers; overlapping networks count once',
          }),
          prefixes: Prefixes,
        },
        { description: 'IPv6 networks' },
      ),
    },
    { description: 'Networks that the system announces, according to the datasets' },
  ),
});
