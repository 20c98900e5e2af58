import type { DomainRegistration, RegistryWays } from '@vedette/intel/ports';
import { describe, expect, it } from 'vitest';
import { operations } from '@vedette/operations';
import type { CentralOperation } from '@vedette/operations/kit';
import { mailContext } from '../../intel/mail-context.ts';
import { answer, type Opened, read } from '../answer.ts';
import { expectExample } from '../example.ts';
import { SHUT } from '../shut.ts';

const domainAge = operations.find(({ name }) => name === 'domain-age') as CentralOperation<any, any, any, any>;

type Found = Pick<DomainRegistration, 'state' | 'created' | 'problem' | 'answered' | 'retry_after_s'>;
const REGISTERED: Found = { state: 'registered', created: '2024-02-29', problem: '', answered: true, retry_after_s: 0 };

function opened(found: Partial<Found> = {}) {
  const asked: [name: string, ways: Pick<RegistryWays, 'timeout_ms' | 'cachedOnly'>][] = [];
  const { context, dns } = mailContext({});
  const whole: Opened = {
    ...context,
    registries: {
      domain: async (name, { timeout_ms, cachedOnly }) => {
        asked.push([name, { timeout_ms, cachedOnly }]);
        return { ...REGISTERED, ...found } as DomainRegistration;
      },
      autonomousSystem: SHUT.registries.autonomousSystem,
    },
    today: () => new Date('2026-11-21T12:00:00Z'),
  };
  return { context: whole, asked, dns };
}
const of = async (found: Partial<Found>, host = 'example-shop.com') => await answer(domainAge, { host }, opened(found).context);

describe('domain-age', () => {
  it('tells since when a domain is registered, and contacts nothing of it', async () => {
    const { context, asked, dns } = opened();
    expect(await answer(domainAge, { host: 'WWW.Example-Shop.com.' }, context)).toEqual({
      host: 'www.example-shop.com',
      registrable_domain: 'example-shop.com',
      domain_age_found: true,
      domain_registered: 'yes',
      domain_creation_date: '2024-02-29',
      domain_age_in_days: 996,
      domain_age_in_months: 32,
      domain_age_in_years: 2,
      debug_message: '',
    });
    expect(asked).toEqual([['example-shop.com', { timeout_ms: 25_000, cachedOnly: false }]]);
    expect(dns.queries).toEqual([]);
  });

  it.each<[string, Partial<Found>, object]>([
    ['the first day', { created: '2026-11-21' }, { domain_age_found: true, domain_age_in_days: 0, debug_message: '' }],
    ['the last day of a month that is not over', { created: '2026-10-22' }, { domain_age_in_days: 30, domain_age_in_months: 0 }],
    ['the day on which a month is over', { created: '2026-10-21' }, { domain_age_in_days: 31, domain_age_in_months: 1 }],
    ['a day before a birthday', { created: '2025-11-22' }, { domain_age_in_days: 364, domain_age_in_years: 0 }],
    ['a birthday', { created: '2025-11-21' }, { domain_age_in_days: 365, domain_age_in_years: 1 }],
    [
      'a date that the registry keeps back',
      { created: '' },
      {
        domain_age_found: false,
        domain_registered: 'yes',
        domain_age_in_days: 0,
        debug_message: 'The registry does not say when it was registered',
      },
    ],
    [
      'no such domain',
      { state: 'unregistered', created: '' },
      { domain_age_found: false, domain_registered: 'no', debug_message: 'The registry knows no such domain' },
    ],
    [
      'a name that the registry keeps',
      { state: 'unregistered', created: '', problem: 'the registry keeps this name reserved' },
      { domain_registered: 'no', debug_message: 'the registry keeps this name reserved' },
    ],
    [
      'a top-level domain without a registry',
      { state: 'unknown', created: '', problem: 'no server of .zz tells about registrations' },
      { domain_age_found: false, domain_registered: 'unknown', debug_message: 'no server of .zz tells about registrations' },
    ],
    [
      'an age of the cache',
      { problem: 'this was heard on 2026-11-01' },
      { domain_age_found: true, debug_message: 'this was heard on 2026-11-01' },
    ],
  ])('shows %s', async (_, found, says) => {
    expect(await of(found)).toMatchObject(says);
  });

  it.each([
    ['a.b.example-shop.co.uk', 'example-shop.co.uk'],
    ['www.login-paypal.uk.com', 'login-paypal.uk.com'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['shop.zz', 'shop.zz'],
    ['github.io', 'github.io'],
    ['www.army.mil', 'army.mil'],
  ])('asks for %s about %s', async (host, domain) => {
    const { context, asked } = opened();
    expect(await answer(domainAge, { host }, context)).toMatchObject({ registrable_domain: domain, domain_age_in_years: 2 });
    expect(asked.map(([name]) => name)).toEqual([domain]);
  });

  it('does not give the age of a host to the names that it gives away', async () => {
    const { context, asked } = opened();
    expect(await answer(domainAge, { host: 'someone.github.io' }, context)).toEqual({
      host: 'someone.github.io',
      registrable_domain: '',
      domain_age_found: false,
      domain_registered: 'unknown',
      domain_creation_date: '',
      domain_age_in_days: 0,
      domain_age_in_months: 0,
      domain_age_in_years: 0,
      debug_message: 'github.io gives names to others, and no registry knows since when someone.github.io exists',
    });
    expect(asked).toEqual([]);
  });

  it('asks only the cache with cache_only, and says when that knows nothing', async () => {
    const { context, asked } = opened({ state: 'unknown', created: '', answered: false, problem: 'it is not in the cache' });
    const report = await answer(domainAge, { host: 'example-shop.com', cache_only: true, timeout: 5 }, context);
    expect(report).toMatchObject({ domain_registered: 'unknown', debug_message: 'it is not in the cache' });
    expect(asked).toEqual([['example-shop.com', { timeout_ms: 5_000, cachedOnly: true }]]);
  });

  it('is a free error where no registry answered: later where it is we who ask too much', async () => {
    const unheard = { state: 'unknown', created: '', answered: false } as const;
    await expect(of({ ...unheard, problem: 'rdap.example is silent' })).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining('no registry answered: rdap.example is silent'),
    });
    await expect(of({ ...unheard, problem: 'too often', retry_after_s: 7 })).rejects.toMatchObject({
      code: 'target_limited',
      retryAfterS: 7,
    });
  });

  it.each(['com', 'co.uk', '192.0.2.1', '[2001:db8::1]', 'not a host'])('%s is no domain', (host) => {
    expect(() => read(domainAge, { host })).toThrow(expect.objectContaining({ code: 'invalid_parameter', param: 'host' }) as Error);
  });
});

it('answers as the example shows', () =>
  expectExample(
    'domain-age',
    { host: 'www.example-shop.com' },
    async (request) => (await answer(domainAge, request, opened().context)) as object,
  ));
