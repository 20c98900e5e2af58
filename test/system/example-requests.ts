import { LISTED } from './intelligence-world.ts';

const HOST = { host: 'plain.test' };
const SITE = { url: 'http://plain.test/' };
/** Requests about names that this world has; other operations are asked for their own first example. */
export const REQUESTS: Readonly<Record<string, object>> = {
  'bimi-validator': HOST,
  'dkim-validator': HOST,
  'dmarc-validator': HOST,
  'dns-lookup': HOST,
  'dns-propagation': { ...HOST, dns_types: 'A' },
  'dnssec-status': HOST,
  'domain-age': HOST,
  'domain-info': HOST,
  'domain-reputation': HOST,
  'email-verify': { email: 'jane@plain.test' },
  'geo-request': SITE,
  'http-tracker': SITE,
  'http3-status': SITE,
  'ip-reputation': { ip: LISTED },
  'mtu-test': { host: '127.0.0.1' },
  'parked-domain': HOST,
  'ping-test': { host: '127.0.0.1' },
  'port-scan': { host: '127.0.0.1', ports: '1-3' },
  screenshot: SITE,
  'site-trust': HOST,
  'spf-validator': HOST,
  'ssl-info': HOST,
  traceroute: { host: '127.0.0.1' },
  'tcp-test': { host: '127.0.0.1', port: 80, attempts: 1 },
  'security-headers': SITE,
  'tls-check': { host: '127.0.0.1', port: 80 },
  'url-reputation': SITE,
  'url-status': SITE,
  'url-to-pdf': SITE,
  'vpn-test': SITE,
};

/** This machine has no VPN exit and no lists of Tor: the answer is a refusal, with its code. */
export const REFUSED: Readonly<Record<string, unknown>> = { 'vpn-test': [503, 'no_vpn_exit'], 'tor-test': [502, 'upstream_failed'] };
