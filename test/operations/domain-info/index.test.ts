import type { DomainRegistration, Registries, RegistryWays } from '@vedette/intel/ports';
import { describe, expect, it } from 'vitest';
import { domainInfo } from '../../../packages/operations/src/domain-info/index.ts';
import type { FakeZone } from '../../intel/fake-resolver.ts';
import { mailContext } from '../../intel/mail-context.ts';
import { answer, type Opened, read } from '../answer.ts';
import { expectExample } from '../example.ts';
import { SHUT } from '../shut.ts';

const HASH = 'ab'.repeat(32);
const FOUND: DomainRegistration = {
  state: 'registered',
  answered: true,
  problem: '',
  retry_after_s: 0,
  created: '2024-02-29',
  updated: '2026-09-09',
  expires: '2028-02-28',
  registrar: 'Example Registrar, Inc.',
  registrar_url: 'https://www.registrar.example',
  registrar_abuse_email: 'abuse@registrar.example',
  registrar_iana_id: '9999',
  owner_organization: 'Example Shop LLC',
  owner_country: 'US',
  owner_state_province: 'OR',
  owner_email_hash: HASH,
  owner_email_domain: 'example-shop.com',
  owner_private_person: false,
  hidden: false,
  dnssec: 'unsigned',
  nameservers: ['ns1.example-shop.com', 'ns2.example.net', 'ns3.example.net'],
};
const ZONE: FakeZone = {
  'example-shop.com': { NS: ['NS9.example.net', 'ns8.example.net'] },
  'ns1.example-shop.com': { A: ['192.0.2.1', '192.0.2.2'], AAAA: ['2001:db8::1'] },
  'ns2.example.net': { A: ['192.0.2.3'] },
  'ns3.example.net': 'TIMEOUT',
};

function opened(found: Partial<DomainRegistration> = {}, zone: FakeZone = ZONE) {
  const asked: [name: string, ways: Pick<RegistryWays, 'timeout_ms' | 'cachedOnly'>][] = [];
  const { context, dns } = mailContext(zone);
  const domain: Registries['domain'] = async (name, { timeout_ms, cachedOnly }) => {
    asked.push([name, { timeout_ms, cachedOnly }]);
    return { ...FOUND, ...found };
  };
  const registries: Registries = { domain, autonomousSystem: SHUT.registries.autonomousSystem };
  const whole: Opened = { ...context, registries, today: () => new Date('2026-11-21T12:00:00Z') };
  return { context: whole, asked, dns };
}
const NOTHING: Partial<DomainRegistration> = Object.fromEntries(
  Object.entries(FOUND).map(([key, value]) => [key, typeof value === 'string' ? '' : Array.isArray(value) ? [] : value]),
);
const UNKNOWN: Partial<DomainRegistration> = { ...NOTHING, state: 'unknown', dnssec: 'unknown', answered: false };

describe('domain-info', () => {
  it('tells what is registered, with the addresses of the name servers', async () => {
    const { context, asked, dns } = opened();
    expect(await answer(domainInfo, { host: 'WWW.Example-Shop.com.' }, context)).toEqual({
      host: 'www.example-shop.com',
      registrable_domain: 'example-shop.com',
      debug_message: '',
      domain_age_found: true,
      domain_registered: 'yes',
      domain_creation_date: '2024-02-29',
      domain_update_date: '2026-09-09',
      domain_expiration_date: '2028-02-28',
      domain_age_in_days: 996,
      domain_age_in_months: 32,
      domain_age_in_years: 2,
      registrar: 'Example Registrar, Inc.',
      registrar_iana_id: '9999',
      registrar_url: 'https://www.registrar.example',
      registrar_abuse_email: 'abuse@registrar.example',
      registrar_abuse_form: '',
      registrar_socialnet: '',
      owner_organization: 'Example Shop LLC',
      owner_country: 'US',
      owner_state_province: 'OR',
      owner_email_hash: HASH,
      owner_email_domain: 'example-shop.com',
      owner_free_email: false,
      owner_private_person: false,
      whois_data_hidden: false,
      dnssec: 'unsigned',
      nameservers: [
        { name: 'ns1.example-shop.com', ipv4: '192.0.2.1', ipv6: '2001:db8::1' },
        { name: 'ns2.example.net', ipv4: '192.0.2.3', ipv6: '' },
        { name: 'ns3.example.net', ipv4: '', ipv6: '' },
      ],
    });
    expect(asked).toEqual([['example-shop.com', { timeout_ms: 25_000, cachedOnly: false }]]);
    expect(dns.queries).not.toContain('example-shop.com NS');
  });

  it('knows the largest registrars by their IANA numbers, and an answer of their own counts for more', async () => {
    const at = async (found: Partial<DomainRegistration>) => await answer(domainInfo, { host: 'example-shop.com' }, opened(found).context);
    expect(await at({ registrar_iana_id: '1861', registrar_url: '', registrar_abuse_email: '' })).toMatchObject({
      registrar_url: 'https://porkbun.com',
      registrar_abuse_email: 'abuse@porkbun.com',
      registrar_abuse_form: 'https://porkbun.com/abuse',
      registrar_socialnet: 'https://x.com/porkbun',
    });
    expect(await at({ registrar_iana_id: '1861' })).toMatchObject({ registrar_url: 'https://www.registrar.example' });
  });

  it.each<[string, Partial<DomainRegistration>, object]>([
    ['a free mailbox', { owner_email_domain: 'gmail.com' }, { owner_free_email: true }],
    ['a mailbox whose name only looks so', { owner_email_domain: 'gmail.com.example' }, { owner_free_email: false }],
    ['a person', { owner_private_person: true }, { owner_private_person: true }],
    ['a hidden owner', { hidden: true }, { whois_data_hidden: true }],
    ['a signed delegation', { dnssec: 'signed' }, { dnssec: 'signed' }],
    ['no day of creation', { created: '' }, { domain_age_found: false, domain_registered: 'yes', domain_age_in_days: 0 }],
    ['an answer in part', { problem: 'the registrar was silent' }, { debug_message: 'the registrar was silent' }],
    ['no such domain', { ...NOTHING, state: 'unregistered' }, { domain_registered: 'no', domain_age_found: false, nameservers: [] }],
    ['servers that know nothing', { ...UNKNOWN, answered: true }, { domain_registered: 'unknown', domain_creation_date: '' }],
  ])('shows %s', async (_, found, says) => {
    expect(await answer(domainInfo, { host: 'example-shop.com' }, opened(found).context)).toMatchObject(says);
  });

  it('asks the DNS where the registry does not tell of the delegation', async () => {
    const untold = { nameservers: [], dnssec: 'unknown' } as const;
    const ds = { keyTag: 1, algorithm: 13, digestType: 2, digest: new Uint8Array(32) };
    const signed: FakeZone = { ...ZONE, 'example-shop.com': { NS: ['NS9.example.net', 'ns8.example.net'], DS: [ds] } };
    expect(await answer(domainInfo, { host: 'example-shop.com' }, opened(untold, signed).context)).toMatchObject({
      dnssec: 'signed',
      nameservers: [{ name: 'ns8.example.net' }, { name: 'ns9.example.net' }],
    });
    expect(await answer(domainInfo, { host: 'example-shop.com' }, opened(untold).context)).toMatchObject({ dnssec: 'unsigned' });
    const silent = opened(untold, { 'example-shop.com': 'TIMEOUT' });
    expect(await answer(domainInfo, { host: 'example-shop.com' }, silent.context)).toMatchObject({ dnssec: 'unknown', nameservers: [] });
  });

  it('asks nobody with cache_only, and says when it knows nothing', async () => {
    const { context, asked, dns } = opened({ ...UNKNOWN, problem: 'it is not in the cache, and no registry was asked' });
    expect(await answer(domainInfo, { host: 'example-shop.com', cache_only: true }, context)).toMatchObject({
      domain_registered: 'unknown',
      debug_message: 'it is not in the cache, and no registry was asked',
      nameservers: [],
    });
    expect(asked).toEqual([['example-shop.com', { timeout_ms: 25_000, cachedOnly: true }]]);
    expect(dns.queries).toEqual([]);
  });

  it('waits as long as it is told', async () => {
    const { context, asked } = opened();
    for (const timeout of [5, 30]) await answer(domainInfo, { host: 'example-shop.com', timeout }, context);
    expect(asked.map(([, { timeout_ms }]) => timeout_ms)).toEqual([5_000, 30_000]);
  });

  it('is an error where nobody has answered: later where it is we who ask too much', async () => {
    const at = (found: Partial<DomainRegistration>) =>
      answer(domainInfo, { host: 'example-shop.com' }, opened({ ...UNKNOWN, ...found }).context);
    await expect(at({ problem: 'rdap.example is silent' })).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining('rdap.example is silent'),
    });
    await expect(at({ problem: 'too often', retry_after_s: 7 })).rejects.toMatchObject({ code: 'target_limited', retryAfterS: 7 });
  });

  it.each([
    ['a.b.example-shop.co.uk', 'example-shop.co.uk'],
    ['someone.github.io', 'github.io'],
    ['www.login-paypal.uk.com', 'login-paypal.uk.com'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['shop.zz', 'shop.zz'],
  ])('%s is registered as %s', (host, domain) => {
    expect(read(domainInfo, { host })).toMatchObject({ domain });
  });

  it('says whose registration it is where the name is one that a host gave away', async () => {
    const report = await answer(
      domainInfo,
      { host: 'someone.github.io' },
      opened({ ...UNKNOWN, state: 'registered', answered: true }).context,
    );
    expect(report).toMatchObject({
      registrable_domain: 'github.io',
      debug_message: 'github.io gives names to others: the registration is its own, not that of someone.github.io',
    });
  });

  it.each(['com', 'co.uk', '192.0.2.1', '[2001:db8::1]', 'not a host'])('%s is no domain', (host) => {
    expect(() => read(domainInfo, { host })).toThrow(expect.objectContaining({ code: 'invalid_parameter', param: 'host' }) as Error);
  });
});

it('answers as the example shows', () =>
  expectExample('domain-info', { host: 'www.example-shop.com' }, (request) => answer(domainInfo, request, opened().context)));
