import { central } from '../kit/index.ts';
import { FREE_PROVIDERS } from '@vedette/intel/mailboxes';
import { registrarOf } from '@vedette/intel/registration';
import { ageFields, askForRegistration, INQUIRY } from '../shared/names/domain-age.ts';
import { resolveNameservers, signedInDns } from './delegation.ts';
import { DomainReport } from './schema.ts';

/** The time for the DNS in addition. */
const DNS_MS = 1_500;

/** Tells what the registry and the registrar of a domain say of its registration. Nothing of the domain itself is contacted. */
export const domainInfo = central({
  name: 'domain-info',
  summary: 'Get the registration of a domain: age, registrar, owner, name servers',
  description:
    'Queries the registry and then the registrar over RDAP, or over WHOIS without RDAP. Answers are cached for a day, and concurrent requests share a query. docs/registries.md lists the sources and their limits.',
  cost: 2,
  ...INQUIRY,
  references: ['RFC 9083', 'RFC 9224', 'RFC 9537', 'RFC 3912'],
  response: DomainReport,
  async run(query, context) {
    const { host, domain, isLandlords, cachedOnly } = query;
    const { resolver, signal } = context;
    const options = { signal, cachedOnly };
    const inDns = signedInDns(domain, context, options);
    inDns.catch(() => {}); // not awaited when the registries do not answer
    const found = await askForRegistration(query, context);
    using last = resolver.share({ ms: DNS_MS });
    const [signed, nameservers] = await Promise.all([
      inDns,
      found.state === 'unregistered' ? [] : resolveNameservers(found.nameservers, domain, { resolver: last }, options),
    ]);
    const registrar = registrarOf(found.registrar_iana_id);
    return {
      host,
      registrable_domain: domain,
      debug_message: [isLandlords ? `${domain} gives names to others: the registration is its own, not that of ${host}` : '', found.problem]
        .filter((part) => part !== '')
        .join('; '),
      ...ageFields(found, context.today()),
      domain_update_date: found.updated,
      domain_expiration_date: found.expires,
      registrar: found.registrar,
      registrar_iana_id: found.registrar_iana_id,
      registrar_url: found.registrar_url || registrar.url,
      registrar_abuse_email: found.registrar_abuse_email || registrar.abuse_email,
      registrar_abuse_form: registrar.abuse_form,
      registrar_socialnet: registrar.social,
      owner_organization: found.owner_organization,
      owner_country: found.owner_country,
      owner_state_province: found.owner_state_province,
      owner_email_hash: found.owner_email_hash,
      owner_email_domain: found.owner_email_domain,
      owner_free_email: FREE_PROVIDERS.has(found.owner_email_domain),
      owner_private_person: found.owner_private_person,
      whois_data_hidden: found.hidden,
      dnssec: found.dnssec === 'unknown' ? signed : found.dnssec,
      nameservers,
    };
  },
});
