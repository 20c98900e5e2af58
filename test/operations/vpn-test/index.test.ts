import { failure } from '@vedette/contract';
import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { vpnTest } from '../../../packages/operations/src/vpn-test/index.ts';
import { read } from '../answer.ts';
import { PLACES, replyFrom, reportOf } from '../measured.ts';

const url = 'https://a.test/';
const result = {
  exit: 'socks5://192.0.2.1:1080',
  remote_addr: '198.51.100.1',
  status_code: 200,
  status_message: 'OK',
  response_headers: { 'content-type': 'text/html' },
  html: '<title>A test</title><meta name="description" content="Nothing to see">',
  error_message: '',
  elapsed_ms: 120,
};
const page = { title: 'A test', description: 'Nothing to see' };

it('asks an exit for the URL as it is written on the wire', () => {
  expect(vpnTest.job(read(vpnTest, { url: 'HTTP://Bücher.example:80/ä' }))).toEqual({ url: 'http://xn--bcher-kva.example/%C3%A4' });
});

it('reports what a page of the site is, and where it was asked from', () => {
  const report = reportOf(vpnTest, { url }, [replyFrom('eu-fra', { result })]);
  expect(report).toEqual({
    url,
    accessible: true,
    status_code: 200,
    debug_message: '',
    response_headers: result.response_headers,
    html_info: page,
    ...PLACES['eu-fra'],
    location: 'eu-fra',
  });
  expect(Value.Check(vpnTest.response, report)).toBe(true);
});

it('says why a page that stands in the way is no access', () => {
  const blocked = { ...result, status_code: 403, status_message: 'Forbidden', response_headers: { 'cf-mitigated': 'challenge' } };
  expect(reportOf(vpnTest, { url }, [replyFrom('eu-fra', { result: blocked })])).toEqual({
    url,
    accessible: false,
    status_code: 403,
    debug_message: 'Blocked or challenged by Cloudflare (HTTP 403 Forbidden)',
    response_headers: { 'cf-mitigated': 'challenge' },
    html_info: page,
    ...PLACES['eu-fra'],
    location: 'eu-fra',
  });
});

it('a certificate that does not verify is told, and does not stand in the way', () => {
  const selfSigned = { ...result, error_message: 'self-signed certificate' };
  expect(reportOf(vpnTest, { url }, [replyFrom('eu-fra', { result: selfSigned })])).toMatchObject({
    accessible: true,
    debug_message: 'self-signed certificate',
  });
});

it('an answer that broke off is no access, and what came of it is shown', () => {
  const broken = failure('http_timeout', 'body');
  expect(reportOf(vpnTest, { url }, [replyFrom('eu-fra', { result, failure: broken })])).toEqual({
    url,
    accessible: false,
    status_code: 200,
    debug_message: broken.error,
    response_headers: result.response_headers,
    html_info: page,
    ...PLACES['eu-fra'],
    location: 'eu-fra',
    reason: 'http_timeout',
  });
});

it('keeps every field when no exit works', () => {
  const none = failure('no_vpn_exit');
  const report = reportOf(vpnTest, { url }, [replyFrom('sat-1', { failure: none, simulated: true, agent_state: 'degraded' })]);
  expect(report).toEqual({
    url,
    accessible: false,
    status_code: 0,
    debug_message: none.error,
    response_headers: {},
    html_info: { title: '', description: '' },
    ...PLACES['sat-1'],
    location: 'sat-1',
    reason: 'no_vpn_exit',
    simulated: true,
    agent_state: 'degraded',
  });
  expect(Value.Check(vpnTest.response, report)).toBe(true);
});
