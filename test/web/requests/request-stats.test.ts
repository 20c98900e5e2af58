import type { SentRequest } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { fileClass, summarize } from '@vedette/web/requests';

const sent = (url: string, more: Partial<SentRequest> = {}): SentRequest => ({
  url,
  method: 'GET',
  resource_type: 'other',
  status_code: 200,
  content_type: '',
  content_length: 100,
  elapsed_ms: 1,
  ip_address: '192.0.2.1',
  error: '',
  ...more,
});

describe('fileClass', () => {
  it.each([
    ['a document', sent('https://a.test/', { resource_type: 'document', content_type: 'text/html; charset=utf-8' }), 'html'],
    ['a document of no type', sent('https://a.test/', { resource_type: 'document' }), 'html'],
    ['a PDF as document', sent('https://a.test/x', { resource_type: 'document', content_type: 'application/pdf' }), undefined],
    ['a picture whatever its type says', sent('https://a.test/x', { resource_type: 'image', content_type: 'text/plain' }), 'image'],
    [
      'a page about a picture that is not there',
      sent('https://a.test/x.gif', { resource_type: 'image', status_code: 404, content_type: 'text/html' }),
      'html',
    ],
    [
      'a script that was fetched',
      sent('https://a.test/x', { resource_type: 'fetch', content_type: 'Application/JavaScript' }),
      'javascript',
    ],
    ['a sheet that was prefetched', sent('https://a.test/x', { content_type: 'text/css;charset=utf-8' }), 'css'],
    ['a font of no type by its name', sent('https://a.test/own.WOFF2?v=1', { content_type: 'application/octet-stream' }), 'font'],
    ['an old type of font', sent('https://a.test/x', { content_type: 'application/vnd.ms-fontobject' }), 'font'],
    ['a name against a type', sent('https://a.test/x.js', { content_type: 'application/json' }), undefined],
    ['a redirect', sent('https://a.test/x.js', { resource_type: 'script', status_code: 302 }), undefined],
    ['what did not come', sent('https://a.test/x.js', { resource_type: 'script', status_code: 0 }), undefined],
    ['a preflight', sent('https://a.test/x.js', { resource_type: 'preflight', status_code: 200 }), undefined],
  ])('%s', (_, request, kind) => {
    expect(fileClass(request)).toBe(kind);
  });
});

it('sums up what a page asked for', () => {
  const requests = [
    sent('http://shop.test/', { resource_type: 'document', status_code: 301 }),
    sent('https://shop.test/', { resource_type: 'document', content_length: 1_000 }),
    sent('https://shop.test/a.css', { resource_type: 'stylesheet', content_length: 10 }),
    sent('https://shop.test:8443/b.css', { resource_type: 'stylesheet', content_length: 20 }),
    sent('https://www.shop.test/c.gif', { resource_type: 'image', ip_address: '2001:db8::1' }),
    sent('ws://shop.test/live', { resource_type: 'websocket', status_code: 101, content_length: 5 }),
    sent('https://one.github.io/x.js', { resource_type: 'script', ip_address: '192.0.2.2' }),
    sent('https://two.github.io/y.woff', { resource_type: 'font', status_code: 503 }),
    sent('https://[2001:db8::2]/z', { status_code: 0, ip_address: '', content_length: 0 }),
    sent('https://absent.other.test/', { status_code: 404 }),
  ];
  expect(summarize(requests, 'https://shop.test/')).toEqual({
    hosts: ['shop.test', 'www.shop.test', 'one.github.io', 'two.github.io', '2001:db8::2', 'absent.other.test'],
    ips: ['192.0.2.1', '2001:db8::1', '192.0.2.2'],
    stats: {
      total_requests: 10,
      unsecure_requests: 2,
      same_origin_requests: 2,
      cross_origin_requests: 8,
      unique_hosts: 6,
      external_hosts: 4,
      unique_ips: 3,
      '2xx_status_codes': 5,
      '3xx_status_codes': 1,
      '4xx_status_codes': 1,
      '5xx_status_codes': 1,
      transferred_bytes: 1_535,
      html_files: 1,
      html_files_bytes: 1_000,
      image_files: 1,
      image_files_bytes: 100,
      javascript_files: 1,
      javascript_files_bytes: 100,
      css_files: 2,
      css_files_bytes: 30,
      font_files: 1,
      font_files_bytes: 100,
    },
  });
});

it('a page of a tenant has other tenants beside it', () => {
  expect(summarize([sent('https://two.github.io/')], 'https://one.github.io/').stats.external_hosts).toBe(1);
});

it('a page without requests has nothing to count', () => {
  const { hosts, ips, stats } = summarize([], 'https://shop.test/');
  expect([hosts, ips, new Set(Object.values(stats))]).toEqual([[], [], new Set([0])]);
});
