import { addressOf, requestOf } from '@vedette/console/ask';
import { certificatesOf, stateOf } from '@vedette/console/everywhere';
import { creditsOf, operationOf } from '@vedette/console/operations';
import { headlineOf } from '@vedette/console/report';
import { offersOf, understand } from '@vedette/console/subject';
import { expect, it } from 'vitest';

it.each([
  [{ valid_ssl: true, revoked: false }, 'good', 'Valid certificate'],
  [{ valid_ssl: true, revoked: true }, 'bad', 'Certificate revoked'],
  [{ parked_domain: false, confidence: 'medium' }, 'good', 'Not parked'],
  [{ parked_domain: false, confidence: 'low' }, 'none', 'No sign of parking, little seen'],
  [{ parked_domain: false, confidence: 'medium', debug_message: 'a list is not loaded' }, 'none', 'Not parked, as far as seen'],
  [{ chain_status: 'complete', final_url: { status_code: 200 } }, 'good', 'Ends with status 200'],
  [{ chain_status: 'complete', final_url: { status_code: 404 } }, 'warn', 'Ends with status 404'],
  [{ chain_status: 'complete', final_url: { status_code: 503 } }, 'bad', 'Ends with status 503'],
  [{ status: 'secure' }, 'good', 'Signed, and its signatures are valid'],
  [{ domain_age_found: true, domain_age_in_days: 996, domain_age_in_years: 2 }, 'none', 'Registered 2 years ago'],
  [{ domain_age_found: true, domain_age_in_days: 20, domain_age_in_years: 0 }, 'none', 'Registered 20 days ago'],
  [{ domain_age_found: false }, 'none', 'Age unknown'],
  [{ accessible: true, status_code: 301 }, 'good', 'Reachable'],
  [{ accessible: true, status_code: 500 }, 'warn', 'Reachable, with an error'],
  [{ valid: true, abusive: false, disposable: false }, 'good', 'Valid'],
  [{ valid: true, abusive: true, disposable: true }, 'warn', 'Valid, but disposable or fictional'],
  [{ accessible: true, blocks_tor: 'no' }, 'good', 'Reachable through Tor'],
  [{ accessible: true, blocks_tor: 'partly' }, 'warn', 'Refuses some of Tor'],
  [{ accessible: false, blocks_tor: 'yes' }, 'warn', 'Refuses Tor'],
  [{ accessible: false, blocks_tor: 'unknown' }, 'none', 'Not reachable through Tor'],
  [{ verdict: 'clean', risk_score: { result: 0, coverage: { missing: [] } } }, 'good', 'clean'],
  [{ verdict: 'clean', risk_score: { result: 0, coverage: { missing: [{ name: 'a list' }] } } }, 'none', 'clean, as far as seen'],
  [{ verdict: 'dangerous', coverage: { missing: [{ name: 'a list' }] } }, 'bad', 'dangerous'],
])('the headline of %j is %s: %s', (report, tone, word) => {
  expect(headlineOf(report)).toMatchObject({ tone, word });
});

it.each([
  [{ ping_output: { percent_packet_loss: 0 } }, 'good', 'answered'],
  [{ mtu_output: { ipv4: { state: 'full' }, ipv6: { state: 'black_hole' } } }, 'warn', 'black hole'],
  [{ tcp_output: { state: 'open', expect_matched: true } }, 'good', 'answered'],
  [{ tcp_output: { state: 'open', expect_matched: false } }, 'warn', 'other answer'],
  [{ tcp_output: { state: 'refused' } }, 'bad', 'refused'],
  [{ request_output: { status_code: 404, error_message: '' } }, 'good', 'answered'],
  [{ request_output: { status_code: 502, error_message: '' } }, 'warn', 'status 502'],
  [{ request_output: { status_code: 0, error_message: 'refused' } }, 'warn', 'with errors'],
  [{ response: [{ status: 'NXDOMAIN', error: '' }] }, 'good', 'answered'],
  [
    {
      response: [
        { status: 'NOERROR', error: '' },
        { status: '', error: 'timeout' },
      ],
    },
    'warn',
    'with errors',
  ],
])('a location with %j is %s: %s', (entry, tone, state) => {
  expect(stateOf(entry, true)).toEqual({ tone, state });
});

it.each([
  ['tor-test', { ip: '192.0.2.1' }, '1 credit'],
  ['tor-test', { url: 'https://a.test/' }, '10 credits'],
  ['url-reputation', { url: 'https://a.test/', include_domain_age: false }, '5 credits'],
  ['url-reputation', { url: 'https://a.test/', include_domain_age: true }, '6 credits'],
  ['ping-test', { host: 'a.test' }, '5 credits'],
  ['ping-test', { host: 'a.test', locations: 'eu-fra' }, '5 credits'],
  ['ping-test', { host: 'a.test', options: { count: 16 } }, 'price by options'],
  ['geo-request', { url: 'https://a.test/', options: { show_body: true } }, '6 credits'],
  ['url-status', { url: 'https://a.test/', method: 'GET' }, '1 credit'],
  ['account-info', {}, 'free'],
])('%s of %j is offered for what it costs: %s', (operation, request, price) => {
  expect(creditsOf(operationOf(operation)!, request)).toBe(price);
});

it('a pasted URL is offered to tor-test for the price of a URL', () => {
  const offer = offersOf(understand('https://a.test/')!).find(({ operation }) => operation.name === 'tor-test')!;
  expect(creditsOf(offer.operation, offer.request)).toBe('10 credits');
});

it('a location that had not answered stays so', () => {
  expect([stateOf(undefined, true).state, stateOf(undefined, false).state]).toEqual(['waiting', 'not answered']);
});

it('groups the certificates that locations were shown, by chain and verdict', () => {
  const row = (id: string, entry: Record<string, unknown> | undefined) => ({
    id,
    city: '',
    entry: entry && {
      location: id,
      certificate_found: true,
      valid_ssl: true,
      revoked: false,
      certificate_error: '',
      ip: '192.0.2.1',
      ...entry,
    },
  });
  const rows = [
    row('a', { chain_sent: ['1'], fingerprint_sha256: '1', valid_ssl: false, certificate_error: 'expired' }),
    row('b', { chain_sent: ['2'], fingerprint_sha256: '2' }),
    row('c', { chain_sent: ['2'], fingerprint_sha256: '2', ip: '192.0.2.2' }),
    row('d', { chain_sent: ['2'], fingerprint_sha256: '2', revoked: true }),
    row('degraded', { chain_sent: ['3'], agent_state: 'degraded' }),
    row('failed', { certificate_found: false, chain_sent: [] }),
    row('waiting', undefined),
  ];
  expect(
    certificatesOf(rows).map(({ fingerprint, isSound, fault, addresses, cities }) => [fingerprint, isSound, fault, addresses, cities]),
  ).toEqual([
    ['2', true, '', ['192.0.2.1', '192.0.2.2'], ['b', 'c']],
    ['1', false, 'expired', ['192.0.2.1'], ['a']],
    ['2', false, 'The certificate, or one above it, was revoked', ['192.0.2.1'], ['d']],
  ]);
});

const { operation } = offersOf(understand('https://example.org/')!).find((offer) => offer.operation.name === 'url-status')!;

it('the address of a question has no password in it', () => {
  const address = addressOf(operation, {
    url: 'https://jane:secret@example.org/a',
    use_premium_proxy: true,
    custom_proxy: 'socks5://jane:secret@192.0.2.1',
    basic_auth_password: 'secret',
  });
  expect(address).toBe('/ask/url-status?url=https%3A%2F%2Fexample.org%2Fa&use_premium_proxy=true');
  expect(requestOf(operation, address.slice(address.indexOf('?')))).toEqual({ url: 'https://example.org/a', use_premium_proxy: true });
});
