import { Enum } from '@vedette/contract';
import { Type } from 'typebox';

const Nameserver = Type.Object(
  {
    name: Type.String({ description: 'Host name in lower-case A-labels' }),
    ipv4: Type.String({
      description: 'Its first IPv4 address, as our DNS resolves it; empty when it has none, or was not resolved in time',
    }),
    ipv6: Type.String({ description: 'The same for IPv6' }),
  },
  { title: 'Nameserver' },
);

export const DomainReport = Type.Object({
  host: Type.String({ description: 'In lower-case A-labels' }),
  registrable_domain: Type.String({
    description:
      'The domain whose registration this is: a name below it has none of its own. Below a private registry such as uk.com the name registered there',
  }),
  debug_message: Type.String({ description: 'Who was asked and did not answer, or how old the data is; empty when all went well' }),
  domain_age_found: Type.Boolean({ description: 'Whether the day of its creation is known' }),
  domain_registered: Enum(['yes', 'no', 'unknown'], {
    description:
      'no: the registry itself says that there is no such domain, or keeps the name reserved. unknown: nobody who would know has said',
  }),
  domain_creation_date: Type.String({ description: 'YYYY-MM-DD; empty if unknown. Some registries do not tell it (.de, .eu, .au)' }),
  domain_update_date: Type.String({ description: 'YYYY-MM-DD of the last change; empty if unknown' }),
  domain_expiration_date: Type.String({ description: 'YYYY-MM-DD; empty if unknown' }),
  domain_age_in_days: Type.Integer({ description: '0 if unknown' }),
  domain_age_in_months: Type.Integer({ description: 'Whole months by the calendar, in UTC; 0 if unknown' }),
  domain_age_in_years: Type.Integer({ description: 'Whole years by the calendar, in UTC; 0 if unknown' }),
  registrar: Type.String({ description: 'Its name; empty if unknown' }),
  registrar_iana_id: Type.String({ description: "IANA's number of the registrar; empty if it has none or was not told" }),
  registrar_url: Type.String({ description: 'Its page; empty if unknown' }),
  registrar_abuse_email: Type.String({ description: 'Where abuse is reported' }),
  registrar_abuse_form: Type.String({ description: 'The same as a page; known of the largest registrars' }),
  registrar_socialnet: Type.String({ description: 'Its page at a social network; known of the largest registrars' }),
  owner_organization: Type.String({ description: 'Empty if unavailable; a person is not named' }),
  owner_country: Type.String({ description: 'ISO 3166-1 alpha-2 where the registry tells that; empty if unavailable' }),
  owner_state_province: Type.String({ description: 'Empty if unavailable' }),
  owner_email_hash: Type.String({
    description: 'Lower-case hex SHA-256 of the address, trimmed and in lower case; empty if unavailable. The address itself is not kept',
  }),
  owner_email_domain: Type.String({ description: 'Empty if unavailable' }),
  owner_free_email: Type.Boolean({ description: 'The address is of a provider where anyone opens one without paying' }),
  owner_private_person: Type.Boolean({ description: 'The owner is a person, and not hidden' }),
  whois_data_hidden: Type.Boolean({ description: 'The registry or a privacy service stands before the owner' }),
  dnssec: Enum(['signed', 'unsigned', 'unknown'], { description: 'Whether the delegation is signed: by the registry, else by the DNS' }),
  nameservers: Type.Array(Nameserver, { description: 'As the registry has them, else as the DNS has; thirteen at most' }),
});
