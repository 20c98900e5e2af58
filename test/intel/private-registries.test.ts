import { describe, expect, it } from 'vitest';
import { registeredName, privateRegistryOf } from '@vedette/intel/names';

describe('the name that a registry knows a host under', () => {
  it.each([
    ['www.example.org', 'example.org', false],
    ['a.b.example.co.uk', 'example.co.uk', false],
    ['co.uk', '', false],
    ['login-paypal.uk.com', 'login-paypal.uk.com', false],
    ['www.shop.co.com', 'shop.co.com', false],
    ['a.shop.de.com', 'shop.de.com', false],
    ['www.shop.fr.eu.org', 'shop.fr.eu.org', false],
    ['shop.in.net', 'shop.in.net', false],
    ['shop.com.de', 'shop.com.de', false],
    ['uk.com', 'uk.com', false],
    ['example.github.io', 'github.io', true],
    ['bucket.s3.amazonaws.com', 'amazonaws.com', true],
    ['github.io', 'github.io', false],
  ])('%s: %s', (host, domain, isLandlords) => {
    expect(registeredName(host)).toEqual({ domain, isLandlords });
  });
});

it.each([
  ['shop.uk.com', { suffix: 'uk.com', rdap: 'https://rdap.centralnic.com/uk.com/', whois: 'whois.centralnic.com' }],
  ['shop.co.com', { suffix: 'co.com', rdap: '', whois: 'whois.centralnic.com' }],
  ['shop.fr.eu.org', { suffix: 'eu.org', rdap: '', whois: 'whois.eu.org' }],
  ['shop.it.com', { suffix: 'it.com', rdap: '', whois: '' }],
  ['uk.com', undefined],
  ['example.org', undefined],
  ['co.uk', undefined],
])('%s is asked for at %j', (name, registry) => {
  expect(privateRegistryOf(name)).toEqual(registry);
});
