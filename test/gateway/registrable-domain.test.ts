import { expect, it } from 'vitest';
import { registrableDomain } from '../../packages/gateway/src/shares/registrable-domain.ts';

it.each([
  ['www.example.org', 'example.org'],
  ['EXAMPLE.org.', 'example.org'],
  ['a.b.example.co.uk', 'example.co.uk'],
  ['_dmarc.example.com', 'example.com'],
  ['sel._domainkey.shop.github.io', 'shop.github.io'],
  ['github.io', 'github.io'],
  ['com', 'com'],
  ['co.uk', 'co.uk'],
  ['', ''],
  ['.', ''],
  ['a b!/x?.example.org', 'example.org'],
  ['x.example.\\111rg', 'example.org'],
  ['7.2.0.192.in-addr.arpa', '2.0.192.in-addr.arpa'],
  ['9.7.2.0.192.in-addr.arpa', '2.0.192.in-addr.arpa'],
  [`${'0.'.repeat(20)}1.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa`, '1.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'],
])('%s is answered for by %j', (name, domain) => {
  expect(registrableDomain(name)).toBe(domain);
});
