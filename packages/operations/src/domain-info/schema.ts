import { Enum, schemasOf } from '@vedette/contract';
import { Type } from 'typebox';
import { AGE_FIELDS } from '../shared/names/domain-age.ts';

const Nameserver = Type.Object(
  {
    name: Type.String({ description: 'Host name in lower-case A-labels' }),
    ipv4: Type.String({
      description: 'First IPv4 address of the name server, as resolved by the service; empty if absent or not resolved in time',
    }),
    ipv6: Type.String({
      description: 'First IPv6 address of the name server, as resolved by the service; empty if absent or not resolved in time',
    }),
  },
  { title: 'Nameserver' },
);

export const DomainReport = Type.Object({
  host: Type.String({ description: 'Host from the request, in lower-case A-labels' }),
  registrable_domain: Type.String({
    description:
      'Registered domain that the report describes: the host or a parent domain. Below a private registry such as uk.com, the name registered there',
  }),
  debug_message: Type.String({
    description: 'Sources that did not answer, or the age of the data; empty if the report is complete and current',
  }),
  ...schemasOf(AGE_FIELDS),
  domain_update_date: Type.String({ description: 'Date of the last change, YYYY-MM-DD; empty if unknown' }),
  domain_expiration_date: Type.String({ description: 'Expiration date, YYYY-MM-DD; empty if unknown' }),
  registrar: Type.String({ description: 'Name of the registrar; empty if unknown' }),
  registrar_iana_id: Type.String({ description: 'IANA number of the registrar; empty if absent or unknown' }),
  registrar_url: Type.String({ description: 'Website of the registrar; empty if unknown' }),
  registrar_abuse_email: Type.String({ description: 'E-mail address of the registrar for abuse reports' }),
  registrar_abuse_form: Type.String({ description: 'Web form of the registrar for abuse reports; known for the largest registrars' }),
  registrar_socialnet: Type.String({ description: 'Social network page of the registrar; known for the largest registrars' }),
  owner_organization: Type.String({
    description: 'Organization that owns the domain; empty if unavailable. Private persons are never named',
  }),
  owner_country: Type.String({
    description: 'Country of the owner, as ISO 3166-1 alpha-2 if the registry provides the code; empty if unavailable',
  }),
  owner_state_province: Type.String({ description: 'State or province of the owner; empty if unavailable' }),
  owner_email_hash: Type.String({
    description:
      "SHA-256 of the owner's e-mail address, trimmed and lower-cased, in lower-case hex; empty if unavailable. The address is not stored",
  }),
  owner_email_domain: Type.String({ description: "Domain of the owner's e-mail address; empty if unavailable" }),
  owner_free_email: Type.Boolean({ description: "The owner's e-mail address belongs to a free mail provider" }),
  owner_private_person: Type.Boolean({ description: 'The owner is a private person whose data is not hidden' }),
  whois_data_hidden: Type.Boolean({ description: 'The registry or a privacy service hides the owner' }),
  dnssec: Enum(['signed', 'unsigned', 'unknown'], {
    description: 'Whether the delegation is signed, according to the registry, or otherwise to the DNS',
  }),
  nameservers: Type.Array(Nameserver, { description: 'Name servers from the registry, or otherwise from the DNS; at most thirteen' }),
});
