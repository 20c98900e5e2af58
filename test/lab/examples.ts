import { operations } from '@vedette/operations';
import { exampleOf, exampleUrl } from '@vedette/operations/kit';
import { expect, it } from 'vitest';
import { EXAMPLE } from '../message/message/messages/example.ts';
import { expectKept } from '../operations/example.ts';
import { system } from './opened.ts';

/** The picture of the operation's own example. */
const QR_CODE = exampleOf('qr-scan')!.request['image_base64'];
const PLACES = { locations: ['eu-fra', 'sg-sin'] };
const HOST = { host: 'lab-good.com' };

/** Requests about names that the lab has. Other operations are asked for the first example of their own. */
const REQUESTS: Readonly<Record<string, object>> = {
  'account-info': {},
  'bimi-validator': HOST,
  'dkim-validator': { ...HOST, selector: 'google' },
  'dmarc-validator': HOST,
  'dns-lookup': { ...HOST, dns_types: 'A,AAAA,MX,NS,TXT,SOA,CAA' },
  'dns-propagation': { host: 'www.lab-good.com', dns_types: 'A,SOA', ...PLACES },
  'dnssec-status': { host: 'www.lab-good.com' },
  'domain-reputation': { host: 'www.lab-good.com' },
  'email-verify': { email: 'jane.doe@lab-good.com' },
  'eml-insights': { eml_base64: EXAMPLE.toString('base64') },
  'geo-request': { url: 'https://www.lab-good.com/', ...PLACES },
  'ip-reputation': { ip: '193.0.6.139', disable_reverse_dns: true },
  'ping-test': { host: 'www.lab-good.com', ...PLACES },
  'port-scan': { host: 'www.lab-good.com', ports: '22,80,443' },
  'qr-scan': { image_base64: QR_CODE },
  'reverse-ip': { ip: '193.0.6.139' },
  'security-headers': { url: 'https://www.lab-good.com/' },
  'url-reputation': { url: 'https://www.lab-good.com/' },
  'tor-test': { ip: '193.0.6.139' },
  traceroute: { host: 'www.lab-good.com', ...PLACES },
  'mtu-test': { host: 'www.lab-good.com', ...PLACES },
  'spf-validator': { ...HOST, iptest: '192.0.2.1' },
  'ssl-info': { host: 'www.lab-regions.com', ...PLACES },
  'tcp-test': { host: 'www.lab-good.com', port: 443, attempts: 1, tls: true, ...PLACES },
  'vpn-test': { url: 'https://www.lab-good.com/' },
};

/**
 * The statuses of operations that know little in the lab, which has no registries, blacklists, passive DNS or renderers. Their unit tests make their
 * examples.
 */
const KNOW_LITTLE: ReadonlyMap<string, number> = new Map([
  ['asn-info', 200],
  ['domain-age', 502],
  ['domain-info', 502],
  ['domain-reputation', 200],
  ['html-to-pdf', 503],
  ['html-to-png', 503],
  ['http-tracker', 503],
  ['http3-status', 200],
  ['ip-reputation', 200],
  ['parked-domain', 200],
  ['reverse-ip', 200],
  ['screenshot', 503],
  ['security-headers', 200],
  ['site-trust', 200],
  ['tls-check', 200],
  ['tor-test', 502],
  ['traceroute', 200],
  ['url-reputation', 200],
  ['url-status', 200],
  ['url-to-pdf', 503],
]);

const LOCATIONS_EXAMPLE = new URL('../../packages/gateway/src/locations/example.json', import.meta.url);

/** Asks every operation once, in the system that is open. */
export function itAnswersAsTheExamples(): void {
  it('answers as the examples show', async () => {
    for (const { name, examples } of operations) {
      const request = REQUESTS[name] ?? examples[0]!;
      const { status, body } = await system.post(name, request);
      expect([name, status]).toEqual([name, KNOW_LITTLE.get(name) ?? 200]);
      if (!KNOW_LITTLE.has(name)) expectKept(exampleUrl(name), { request, report: body });
    }
    expectKept(LOCATIONS_EXAMPLE, { locations: (await system.get('/v2/locations')).body.locations.slice(0, 2) });
  });
}
