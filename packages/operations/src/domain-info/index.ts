import { ApiError } from '@vedette/contract';
import { central, Host, Defaulted, Flag } from '../kit/index.ts';
import type { DomainRegistration } from '@vedette/intel/ports';
import { FREE_PROVIDERS } from '@vedette/intel/mailboxes';
import { registeredName } from '@vedette/intel/names';
import { ageOf, registrarOf } from '@vedette/intel/registration';
import { Type } from 'typebox';
import { unheard } from '../shared/names/unheard.ts';
import { resolveNameservers, signedInDns } from './delegation.ts';
import { DomainReport } from './schema.ts';

const [TIMEOUT_MIN, TIMEOUT_MAX] = [5, 30];
/** The time for the DNS in addition. */
const DNS_MS = 1_500;
const REGISTERED: Record<DomainRegistration['state'], 'yes' | 'no' | 'unknown'> = {
  registered: 'yes',
  unregistered: 'no',
  unknown: 'unknown',
};

/** Tells what the registry and the registrar of a domain say of its registration. Nothing of the domain itself is contacted. */
export const domainInfo = central({
  name: 'domain-info',
  subject: 'domains',
  summary: 'Get the registration of a domain: age, registrar, owner, name servers',
  description:
    'Queries the registry and then the registrar over RDAP, or over WHOIS without RDAP. Answers are cached for a day, and concurrent requests share a query. docs/registries.md lists the sources and their limits.',
  cost: 2,
  deadline_ms: (TIMEOUT_MAX + 2) * 1_000,
  dns: { questions: 60, ms: (TIMEOUT_MAX + 1) * 1_000 },
  contactsTarget: false,
  references: ['RFC 9083', 'RFC 9224', 'RFC 9537', 'RFC 3912'],
  request: Type.Object(
    {
      host: Host({
        description:
          'Domain name. A name below a registered domain stands for that domain; below a private registry such as uk.com, for the name registered there',
      }),
      timeout: Defaulted(
        Type.Integer({
          minimum: TIMEOUT_MIN,
          maximum: TIMEOUT_MAX,
          examples: [10],
          description: 'Seconds to wait for registries; the report contains what arrived in that time',
        }),
        25,
      ),
      cache_only: Flag(false, 'Answer only from cached data, up to 30 days old, without a query to any registry'),
    },
    { additionalProperties: false },
  ),
  response: DomainReport,
  bulk: 'host',
  targets: { host: 'name' },
  examples: [{ host: 'example.org' }, { host: 'www.example.org', timeout: 10 }],
  read({ timeout, cache_only: cachedOnly }, { host: { host } }) {
    const { domain, isLandlords } = registeredName(host);
    if (domain === '') throw new ApiError('invalid_parameter', `${host} is not a domain but a public suffix`, { param: 'host' });
    return { host, domain, isLandlords, timeout_ms: timeout * 1_000, cachedOnly };
  },
  async run({ host, domain, isLandlords, timeout_ms, cachedOnly }, context) {
    const { registries, resolver, signal } = context;
    const options = { signal, cachedOnly };
    const inDns = signedInDns(domain, context, options);
    inDns.catch(() => {}); // not awaited when the registries do not answer
    const { dialler, isDenied, account } = context;
    const found = await registries.domain(domain, { resolver, dialler, isDenied, account, signal, timeout_ms, cachedOnly });
    if (!found.answered && !cachedOnly) throw unheard(found);
    using last = resolver.share({ ms: DNS_MS });
    const [signed, nameservers] = await Promise.all([
      inDns,
      found.state === 'unregistered' ? [] : resolveNameservers(found.nameservers, domain, { resolver: last }, options),
    ]);
    const age = ageOf(found.created, context.today());
    const registrar = registrarOf(found.registrar_iana_id);
    return {
      host,
      registrable_domain: domain,
      debug_message: [isLandlords ? `${domain} gives names to others: the registration is its own, not that of ${host}` : '', found.problem]
        .filter((part) => part !== '')
        .join('; '),
      domain_age_found: age !== undefined,
      domain_registered: REGISTERED[found.state],
      domain_creation_date: found.created,
      domain_update_date: found.updated,
      domain_expiration_date: found.expires,
      domain_age_in_days: age?.days ?? 0,
      domain_age_in_months: age?.months ?? 0,
      domain_age_in_years: age?.years ?? 0,
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
