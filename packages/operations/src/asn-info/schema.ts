import { AS_TYPES, Enum, RIRS } from '@vedette/contract';
import { Type } from 'typebox';

const Prefixes = Type.Array(Type.String(), { description: 'As CIDRs' });

export const AsnReport = Type.Object({
  asn: Type.String({ description: 'As AS<number>' }),
  registered: Enum(['yes', 'no', 'unknown'], {
    description: 'Whether a registry has given the number to anybody; unknown: none has answered',
  }),
  debug_message: Type.String({ description: 'What was not heard or is not known here; empty when all went well' }),
  asname: Type.String({ description: 'Its handle, such as GOOGLE' }),
  status: Type.String({
    description: 'As the registry has it, such as active; else allocated, assigned, available or reserved, as its statistics have it',
  }),
  org: Type.String({ description: 'The holder' }),
  country_code: Type.String({ description: 'ISO 3166-1 alpha-2, where the holder is registered' }),
  created: Type.String({ description: 'YYYY-MM-DD; empty if unknown. Some registries date it anew when the number changes hands' }),
  updated: Type.String({ description: 'YYYY-MM-DD of the last change; empty if unknown' }),
  address: Type.String({ description: 'Of the holder, in one line' }),
  abuse_email: Type.String({ description: 'Where abuse is reported' }),
  domain: Type.String({ description: 'Of the holder; where no dataset has it, that of the abuse contact' }),
  type: Enum([...AS_TYPES, ''], { description: 'What the holder does; empty if unknown' }),
  rir: Enum([...RIRS, ''], { description: 'The registry; a national one (JPNIC) only where the answer says so' }),
  days_since_created: Type.Integer({ description: '0 if unknown' }),
  months_since_created: Type.Integer({ description: 'Whole months by the calendar, in UTC; 0 if unknown' }),
  years_since_created: Type.Integer({ description: 'Whole years by the calendar, in UTC; 0 if unknown' }),
  days_since_updated: Type.Integer({ description: '0 if unknown' }),
  months_since_updated: Type.Integer({ description: 'Whole months by the calendar, in UTC; 0 if unknown' }),
  years_since_updated: Type.Integer({ description: 'Whole years by the calendar, in UTC; 0 if unknown' }),
  routes: Type.Object(
    {
      ipv4: Type.Object(
        {
          total_prefixes: Type.Integer({ description: 'How many networks are listed' }),
          total_ips: Type.Integer({ description: 'Addresses in all of them together: a network within another counts once' }),
          prefixes: Prefixes,
        },
        { description: 'Of IPv4' },
      ),
      ipv6: Type.Object(
        {
          total_prefixes: Type.Integer({ description: 'How many networks are listed' }),
          total_ips: Type.String({ description: 'The same as a decimal number: JSON numbers are too short for it' }),
          prefixes: Prefixes,
        },
        { description: 'Of IPv6' },
      ),
    },
    { description: 'What it announces, as far as datasets know' },
  ),
});
