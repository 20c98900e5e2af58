import { ApiError } from '@vedette/contract';
import type { Renderers } from '@vedette/operations/kit';
import { describe, expect, it } from 'vitest';
import { httpTracker } from '../../../packages/operations/src/http-tracker/index.ts';
import { answer, read } from '../answer.ts';
import { expectExample } from '../example.ts';
import { SHUT } from '../shut.ts';

const page = {
  final_url: 'https://www.shop.test/',
  content_type: 'text/html',
  ip: '192.0.2.1',
  status_code: 200,
  page_content_empty: false,
};
const request = {
  url: 'https://www.shop.test/',
  method: 'GET',
  resource_type: 'document',
  status_code: 200,
  content_type: 'text/html',
  content_length: 500,
  elapsed_ms: 3,
  started_ms: 0,
  ttfb_ms: 2,
  ip_address: '192.0.2.1',
  error: '',
};
const browser = (result: unknown): Renderers => ({
  render: (() => Promise.resolve({ result, file: new Uint8Array(), html: '' })) as Renderers['render'],
});
const ask = (renderers: Renderers) => answer(httpTracker, { url: 'http://shop.test/#top' }, { ...SHUT, renderers });

it('reads its parameters', () => {
  expect(read(httpTracker, { url: 'http://Shop.test/#top' }).job).toEqual({
    url: 'http://shop.test/#top',
    user_agent: 'desktop',
    accept_language: 'en-US',
  });
  expect(read(httpTracker, { url: 'http://shop.test/', user_agent: 'mobile', accept_language: 'de' }).job).toMatchObject({
    user_agent: 'mobile',
    accept_language: 'de',
  });
  expect(() => read(httpTracker, { url: 'http://shop.test/', accept_language: 'de\r\nx: y' })).toThrow(ApiError);
});

it('gives a user name to the browser, and shows its password to nobody', async () => {
  const url = 'http://user:secret@shop.test/#top';
  expect(read(httpTracker, { url }).job.url).toBe(url);
  const requests = [{ ...request, url: 'http://user:secret@shop.test/' }];
  const renderers = browser({ page: { ...page, final_url: url }, requests, truncated: false });
  const report = await answer(httpTracker, { url }, { ...SHUT, renderers });
  expect(report).toMatchObject({
    url: 'http://user:***@shop.test/#top',
    http_requests: [{ url: 'http://user:***@shop.test/' }],
    hosts_list: ['shop.test'],
    final_url: 'http://user:***@shop.test/#top',
  });
  expect(JSON.stringify(report)).not.toContain('secret');
});

describe('the report', () => {
  it('counts by the origin that the page came from in the end', async () => {
    const report = await ask(
      browser({ page, requests: [{ ...request, url: 'http://shop.test/', status_code: 301 }, request], truncated: false }),
    );
    expect(report).toMatchObject({
      url: 'http://shop.test/#top',
      http_requests: [{ status_code: 301 }, request],
      hosts_list: ['shop.test', 'www.shop.test'],
      ips_list: ['192.0.2.1'],
      final_url: 'https://www.shop.test/',
      truncated: false,
      refused_requests: 0,
      error: '',
      reason: '',
    });
    expect(report.stats).toMatchObject({
      total_requests: 2,
      same_origin_requests: 1,
      unsecure_requests: 1,
      html_files: 1,
      html_files_bytes: 500,
    });
  });

  it('has no times where an older renderer tells none', async () => {
    const { started_ms: _started, ttfb_ms: _ttfb, ...untimed } = request;
    expect(await ask(browser({ page, requests: [untimed], truncated: false }))).toMatchObject({
      http_requests: [{ ...untimed, started_ms: 0, ttfb_ms: 0 }],
    });
  });

  it('is one of a page that did not come, too', async () => {
    const failure = { reason: 'dns_nxdomain', error: 'The name does not exist: shop.test' } as const;
    const empty = { final_url: '', content_type: '', ip: '', status_code: 0, page_content_empty: true, failure };
    const lost = { ...request, url: 'http://shop.test/', status_code: 0, ip_address: '', content_length: 0, error: failure.error };
    const report = await ask(browser({ page: empty, requests: [lost], truncated: false }));
    expect(report).toMatchObject({ final_url: '', reason: 'dns_nxdomain', error: failure.error, ips_list: [], hosts_list: ['shop.test'] });
    expect(report.stats).toMatchObject({ total_requests: 1, same_origin_requests: 1, transferred_bytes: 0 });
  });

  it('is none where no browser could open the page: a free error', async () => {
    const none: Renderers = { render: () => Promise.reject(new ApiError('no_renderer')) };
    await expect(ask(none)).rejects.toMatchObject({ code: 'no_renderer', status: 503 });
  });
});

it('answers as the example shows', () => {
  const pixel = {
    ...request,
    url: 'https://ads.other.test/pixel.gif',
    resource_type: 'image',
    content_type: 'image/gif',
    content_length: 42,
    started_ms: 4,
    ttfb_ms: 3,
  };
  const renderers = browser({ page, requests: [request, pixel], truncated: false });
  return expectExample('http-tracker', { url: 'https://www.shop.test/' }, (asked) => answer(httpTracker, asked, { ...SHUT, renderers }));
});
