import { describe, expect, it } from 'vitest';
import { certificateHosts, HARMFUL_LISTS, judgeCertificate, shippedNames, type ShownCertificate } from '@vedette/intel/names';
import { ENGINE_CATALOGUE } from '@vedette/intel/engines';
import { namesOfFeeds } from './names-of-feeds.ts';

const NAMES = shippedNames();
const NAMES_OF_FEEDS = await namesOfFeeds();
const judge = (host: string, shape: Partial<ShownCertificate>) =>
  judgeCertificate(host, { names: [host], organization: '', isChecked: false, isSelfIssued: false, ...shape }, NAMES);
const NOTHING = { forgeries: '', oddNames: '', listed: { names: '', share: 0 }, claim: '', owner: undefined };

describe('the names of a certificate', () => {
  it('are hosts, each once; what is no host is left out', () => {
    const names = [
      '*.a.example',
      'www.a.example',
      'a.example',
      'localhost',
      '127.0.0.1',
      '\u202emoc.b',
      'a b.example',
      '',
      '*.*.c.example',
    ];
    expect(certificateHosts(names)).toEqual(['a.example']);
    expect(certificateHosts(Array.from({ length: 10_000 }, (_, i) => `a${i}.example`))).toHaveLength(100);
  });

  it.each<[string, string[], string]>([
    ['garden.example', ['paypal-login.example'], 'paypal-login.example'],
    ['garden.example', ['www.garden.example', 'secure-netflix-login.garden.example'], 'secure-netflix-login.garden.example'],
    ['garden.example', ['shop.example', 'chase-verify.example', 'paypal-login.example'], 'chase-verify.example, paypal-login.example'],
    ['garden.example', ['paypal.com.garden.example', ...many(60)], 'paypal.com.garden.example'],
    ['garden.example', ['paypai-login.example', '*.xn--pypal-4ve.com'], 'paypai-login.example, xn--pypal-4ve.com'],
  ])('%s beside %j: %s', (host, others, forgeries) => {
    expect(judge(host, { names: [host, ...others] })).toEqual({ ...NOTHING, forgeries });
  });

  it.each<[string, string, string[]]>([
    ['a landlord with one bad customer', 'garden.example', [...many(98), 'paypal-login.example']],
    ['two neighbours with one bad one', 'garden.example', ['choir.example', 'mill.example', 'paypal-login.example']],
    [
      'names of services that a firm uses',
      'garden.example',
      ['slack.garden.example', 'outlook.garden.example', 'autodiscover.garden.example'],
    ],
    ["a brand's own, with forgeries that it has bought", 'paypal.com', ['paypal-login.example', 'paypall.example']],
    ['one that shares it with a brand', 'pypl.example', ['paypal.com', 'paypal-login.example']],
    ['a tenant of a free host', 'garden.github.io', ['*.github.io', 'paypal-login.example']],
    ['one that is accused by its own name', 'paypal-login.example', ['secure.paypal-login.example', 'mail.paypal-login.example']],
  ])('say nothing of %s', (_what, host, others) => {
    expect(judge(host, { names: [host, ...others] })).toEqual(NOTHING);
  });

  it('are odd where three domains of others are, and half of all', () => {
    const odd = ['usps.com-trackywg.top', 'usps.com-tracktzl.top', 'x7k2m9q4z1.example'];
    expect(judge('garden.example', { names: ['garden.example', 'mill.example', ...odd] }).oddNames).toBe(odd.join(', '));
    expect(judge('garden.example', { names: ['garden.example', ...odd.slice(1)] }).oddNames).toBe('');
    expect(judge('garden.example', { names: ['garden.example', ...odd, ...many(5)] }).oddNames).toBe('');
  });
});

describe('the listed names of a certificate', () => {
  it.each<[string, string[], string, number]>([
    ['garden.example', ['www.garden.example', 'oszustwo.example.org'], 'oszustwo.example.org (cert-polska: phishing)', 1],
    ['garden.example', ['www.update-flash.example.org', 'choir.example'], 'update-flash.example.org (maltrail: malware)', 0.5],
    ['garden.example', ['oszustwo.example.org', ...many(98)], 'oszustwo.example.org (cert-polska: phishing)', 1 / 99],
    [
      'garden.example',
      ['oszustwo.example.org', 'a.oszustwo.example.org', 'c2.example.net', 'choir.example', 'mill.example'],
      'a.oszustwo.example.org (cert-polska: phishing), c2.example.net (maltrail: malware)',
      0.5,
    ],
  ])('%s beside %j: %s, %d', (host, others, names, share) => {
    const { listed } = judgeCertificate(host, shown([host, ...others]), NAMES_OF_FEEDS);
    expect(listed).toEqual({ names, share });
  });

  it.each<[string, string, string[]]>([
    ['its own domain', 'garden.example.org', ['oszustwo.example.org']],
    ['one of the best known', 'wikipedia.org', ['oszustwo.example.org']],
    ['a tenant of a free host', 'garden.github.io', ['oszustwo.example.org']],
    ['one that shares it with a brand', 'garden.example', ['paypal.com', 'oszustwo.example.org']],
    ['a neighbour that many people visit', 'garden.example', ['sites.google.com']],
    ['a host of many authors', 'garden.example', ['telegra.ph']],
    ['honest neighbours', 'garden.example', many(99)],
  ])('are none of %s', (_what, host, others) => {
    const { listed } = judgeCertificate(host, shown([host, ...others]), NAMES_OF_FEEDS);
    expect(listed).toEqual(NOTHING.listed);
  });

  it('are of lists of the catalogue that mean what they are said to mean', () => {
    const meanings = ENGINE_CATALOGUE.filter(({ subject }) => subject === 'name').map(({ list, meaning }) => [list, meaning] as const);
    for (const entry of HARMFUL_LISTS) expect(meanings).toContainEqual(entry);
  });
});

const shown = (names: readonly string[]): ShownCertificate => ({ names, organization: '', isChecked: false, isSelfIssued: false });

describe('the organization of a certificate', () => {
  it.each<[string, Partial<ShownCertificate>, string]>([
    ['netflix-partners.example', { organization: 'Netflix, Inc.', isChecked: true }, 'Netflix'],
    ['paypal-corp.example', { organization: 'PayPal, Inc.', isChecked: true, names: ['www.paypal-corp.example'] }, 'PayPal'],
    ['paypal-corp.example', { organization: 'PayPal, Inc.' }, ''],
    ['paypal-corp.example', { organization: 'PayPal Fan Club', isChecked: true }, ''],
    ['paypal-corp.example', { organization: 'PayPal, Inc.', isChecked: true, names: ['*.example'] }, ''],
    ['paypal.github.io', { organization: 'PayPal, Inc.', isChecked: true }, ''],
    ['chase.example', { organization: 'Chase Ltd', isChecked: true }, ''],
    ['garden.example', { organization: 'Imperva, Inc.', isChecked: true, names: ['imperva.com', 'garden.example', ...many(60)] }, ''],
  ])('%s of %j is of "%s"', (host, shape, brand) => {
    expect(judge(host, shape).owner?.name ?? '').toBe(brand);
  });

  it.each<[string, Partial<ShownCertificate>, string]>([
    ['garden.example', { organization: 'PayPal, Inc.', isSelfIssued: true }, 'PayPal, Inc.'],
    ['garden.example', { organization: 'Pay\u202ePal', isSelfIssued: true }, 'Pay Pal'],
    ['garden.example', { organization: 'PayPal, Inc.' }, ''],
    ['paypal.com', { organization: 'PayPal, Inc.', isSelfIssued: true }, ''],
    ...['Google LLC', 'Zoho Corporation', 'Verizon', 'Comcast'].map((organization): [string, Partial<ShownCertificate>, string] => [
      'garden.example',
      { organization, isSelfIssued: true },
      '',
    ]),
    ['garden.example', { organization: 'Acme Co', isSelfIssued: true }, ''],
  ])('%s of %j claims "%s"', (host, shape, claim) => {
    expect(judge(host, shape).claim).toBe(claim);
  });

  it('of many letters claims nothing', () => {
    expect(judge('garden.example', { organization: `PayPal${', Inc'.repeat(100_000)}`, isSelfIssued: true }).claim).toBe('');
  });
});

function many(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${'bakery choir mill school parish'.split(' ')[i % 5]}${i}.example`);
}
