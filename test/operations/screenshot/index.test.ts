import { ApiError, type LoadedPage, type Rendered, type RenderJob } from '@vedette/contract';
import { FileBytes, type RenderOptions } from '@vedette/operations/kit';
import type { Static } from 'typebox';
import { describe, expect, it } from 'vitest';
import { httpTracker } from '../../../packages/operations/src/http-tracker/index.ts';
import { screenshot } from '../../../packages/operations/src/screenshot/index.ts';
import { urlToPdf } from '../../../packages/operations/src/url-to-pdf/index.ts';
import { answer, read } from '../answer.ts';
import { expectExample, fileOfExample } from '../example.ts';
import { SHUT } from '../shut.ts';

const LOADED: LoadedPage = {
  final_url: 'https://example.org/',
  content_type: 'text/html',
  ip: '192.0.2.10',
  status_code: 200,
  page_content_empty: false,
};

/** A browser that gives back what it is told, and keeps the jobs. */
function browser(page: LoadedPage, { file = Buffer.from('PNG'), html = '' } = {}) {
  const jobs: RenderJob<'screenshot'>[] = [];
  const render = (_kind: string, job: unknown, _options: RenderOptions): Promise<Rendered<never>> => {
    jobs.push(job as RenderJob<'screenshot'>);
    return Promise.resolve({ result: { page, image_width: 4, image_height: 3 }, file, html } as unknown as Rendered<never>);
  };
  return { jobs, context: { ...SHUT, renderers: { render } } };
}

const url = 'https://example.org/';
const refused = (request: Static<typeof screenshot.request>) => {
  try {
    read(screenshot, request);
  } catch (error) {
    if (error instanceof ApiError) return [error.code, error.param];
    throw error;
  }
  return undefined;
};

describe('the job', () => {
  it('has the contract’s defaults', () => {
    expect(read(screenshot, { url }).job).toEqual({
      page: {
        url,
        user_agent: 'desktop',
        accept_language: 'en-US',
        disable_js: false,
        disable_popups: true,
        disable_images: false,
        disable_ads: true,
        disable_fonts: false,
        dark_mode: false,
        emulate_media: 'screen',
        delay_ms: 0,
      },
      image_type: 'png',
      full_page: false,
      auto_height: false,
      add_url_bar: false,
      omit_background: false,
      grayscale: false,
    });
  });

  it('leaves a device its own size, though the gateway fills in defaults', () => {
    const { page } = read(screenshot, { url, emulate_device: 'iphone13' }).job;
    expect([page.emulate_device, page.viewport_width, page.viewport_height]).toEqual(['iphone13', undefined, undefined]);
  });

  it('keeps the fragment, by which applications know their pages', () => {
    expect(read(screenshot, { url: ' http://Example.org/#/login ' }).job.page.url).toBe('http://example.org/#/login');
    expect(read(urlToPdf, { url: 'http://example.org/#/login' }).job.page.url).toBe('http://example.org/#/login');
    expect(read(httpTracker, { url: 'http://example.org/#/login' }).job.url).toBe('http://example.org/#/login');
  });

  it('refuses a URL that is too long once it is encoded', () => {
    expect(refused({ url: `${url}${'\u00e4'.repeat(4_000)}` })).toEqual(['invalid_parameter', 'url']);
    expect(refused({ url: `${url}#${'\u00e4'.repeat(4_000)}` })).toEqual(['invalid_parameter', 'url']);
  });

  it('has every parameter', () => {
    const { job } = read(screenshot, {
      url: 'http://EXAMPLE.org/a%20b',
      image_type: 'avif',
      full_page: true,
      viewport_width: 800,
      viewport_height: 600,
      image_width: 100,
      image_height: 50,
      add_url_bar: true,
      user_agent: 'mobile',
      accept_language: 'de-DE,de;q=0.8',
      basic_auth_username: 'u',
      basic_auth_password: 'p:q',
      custom_header: 'X-Preview:  1 ',
      disable_js: true,
      disable_popups: false,
      disable_images: true,
      disable_ads: false,
      disable_fonts: true,
      omit_background: true,
      grayscale: true,
      emulate_device: 'ipad',
      dark_mode: true,
      delay: 10,
    });
    expect(job).toEqual({
      page: {
        url: 'http://example.org/a%20b',
        viewport_width: 800,
        viewport_height: 600,
        user_agent: 'mobile',
        accept_language: 'de-DE,de;q=0.8',
        basic_auth: { username: 'u', password: 'p:q' },
        custom_header: { name: 'X-Preview', value: '1' },
        disable_js: true,
        disable_popups: false,
        disable_images: true,
        disable_ads: false,
        disable_fonts: true,
        dark_mode: true,
        emulate_media: 'screen',
        emulate_device: 'ipad',
        delay_ms: 10_000,
      },
      image_type: 'avif',
      full_page: true,
      auto_height: false,
      image_width: 100,
      image_height: 50,
      add_url_bar: true,
      omit_background: true,
      grayscale: true,
    });
  });

  it.each([
    ['a line break', 'X: a\r\nHost: b'],
    ['a character that would be cut to one', 'X: a\u010aY: b'],
    ['Host', 'Host: 169.254.169.254'],
    ['Transfer-Encoding', 'Transfer-Encoding: chunked'],
    ['Content-Length', 'Content-Length: 0'],
    ['Connection', 'connection: close'],
    ['Upgrade', 'Upgrade: h2c'],
    ['Expect', 'Expect: 100-continue'],
    ['TE', 'TE: trailers'],
    ['metadata services of Google', 'Metadata-Flavor: Google'],
    ['metadata services of Amazon', 'X-aws-ec2-metadata-token: x'],
    ['Proxy-Authorization', 'Proxy-Authorization: Basic eA=='],
    ['X-Forwarded-For', 'X-Forwarded-For: 127.0.0.1'],
    ['Forwarded', 'Forwarded: for=127.0.0.1'],
    ['who we are', 'User-Agent: other'],
    ['no colon', 'X-Preview'],
    ['no name', ': value'],
    ['no value', 'X-Preview: '],
    ['a space in the name', 'X Preview: 1'],
    ['a name of 8 KB', `${'x'.repeat(8_192)}: 1`],
    ['a value of 70 KB', `X: ${'x'.repeat(70_000)}`],
  ])('refuses a custom_header with %s', (_what, custom_header) => {
    expect(refused({ url, custom_header })).toEqual(['invalid_parameter', 'custom_header']);
  });

  it('takes a header named like a property of objects for what it is', () => {
    expect(read(screenshot, { url, custom_header: '__proto__: x' }).job.page.custom_header).toEqual({ name: '__proto__', value: 'x' });
  });

  it.each([
    [{ basic_auth_username: 'u', authorization_bearer: 't' }, 'authorization_bearer'],
    [{ basic_auth_username: 'u', custom_header: 'Authorization: x' }, 'custom_header'],
    [{ authorization_bearer: 't', custom_header: 'authorization: x' }, 'custom_header'],
  ])('refuses two of the same header: %o', (request, param) => {
    expect(refused({ url, ...request })).toEqual(['parameter_conflict', param]);
  });

  it.each([
    [{ basic_auth_username: 'a:b' }, 'basic_auth_username'],
    [{ basic_auth_password: 'a\nb' }, 'basic_auth_password'],
    [{ authorization_bearer: 'a b' }, 'authorization_bearer'],
    [{ accept_language: 'en_US' }, 'accept_language'],
    [{ accept_language: 'en\r\nX: y' }, 'accept_language'],
    [{ accept_language: 'en;q=2' }, 'accept_language'],
  ])('refuses %o', (request, param) => {
    expect(refused({ url, ...request })).toEqual(['invalid_parameter', param]);
  });
});

describe('the report', () => {
  it('has the picture, the answer and what the page says of itself', async () => {
    const html =
      '<html lang="en"><title>An example</title><link rel="icon" href="/i.png"><meta property="og:site_name" content="Examples"></html>';
    const { context } = browser(LOADED, { file: Buffer.alloc(2_000, 1), html });
    const report = await answer(screenshot, { url }, context);
    expect(report).toEqual({
      url,
      rendered_file: {
        format: 'PNG',
        date_time_utc: '2026-11-21 00:00:00',
        base64_file: new FileBytes(Buffer.alloc(2_000, 1)),
        file_size_readable: '2.0 KB',
        file_size_bytes: 2_000,
        image_width: 4,
        image_height: 3,
      },
      http_response: LOADED,
      html_info: {
        title: 'An example',
        description: '',
        og_image: '',
        icon: 'https://example.org/i.png',
        og_site_name: 'Examples',
        ld_organization: '',
        canonical: '',
        robots: '',
        socialnet_site: '',
        lang: 'en',
      },
      leads_to: '',
      refused_requests: 0,
      error: '',
      reason: '',
    });
  });

  it('says where the page led that is no page', async () => {
    const { context } = browser({ ...LOADED, leads_to: 'mailto:someone@example.org' });
    const report = await answer(screenshot, { url }, context);
    expect([report.leads_to, report.http_response]).toEqual(['mailto:someone@example.org', LOADED]);
  });

  it('says why there is no page, with an empty file', async () => {
    const failure = { reason: 'connect_refused', error: 'The target refused the connection' } as const;
    const { context } = browser({ ...LOADED, final_url: '', status_code: 0, page_content_empty: true, failure }, { file: Buffer.alloc(0) });
    const report = await answer(screenshot, { url }, context);
    expect(report).toMatchObject({
      rendered_file: { base64_file: new FileBytes(Buffer.alloc(0)), file_size_bytes: 0, file_size_readable: '0 B' },
      http_response: { final_url: '', content_type: 'text/html', ip: '192.0.2.10', status_code: 0, page_content_empty: true },
      html_info: { title: '' },
      error: 'The target refused the connection',
      reason: 'connect_refused',
    });
    expect(report.http_response).not.toHaveProperty('failure');
  });

  it('is none where no browser is there', async () => {
    const renderers = { render: () => Promise.reject(new ApiError('no_renderer')) };
    await expect(answer(screenshot, { url }, { ...SHUT, renderers })).rejects.toMatchObject({ code: 'no_renderer', status: 503 });
  });
});

it.each([screenshot, urlToPdf])('gives a user name to the browser, and shows its password to nobody: $name', async (operation) => {
  const named = 'https://user:secret@example.org/';
  const { jobs, context } = browser(
    { ...LOADED, final_url: named },
    { html: '<link rel="icon" href="/i.ico"><link rel="canonical" href="/c">' },
  );
  const report = await answer(operation as typeof screenshot, { url: named }, context);
  expect(jobs[0]!.page.url).toBe(named);
  expect(report).toMatchObject({
    url: 'https://user:***@example.org/',
    http_response: { final_url: 'https://user:***@example.org/' },
    html_info: { icon: 'https://example.org/i.ico', canonical: 'https://example.org/c' },
  });
  expect(JSON.stringify(report)).not.toContain('secret');
});

it('answers as the example shows', () => {
  const html =
    '<html lang="en"><title>Example Domain</title><link rel="icon" href="/favicon.ico"><link rel="canonical" href="/"><h1>Example Domain</h1>';
  const { context } = browser(LOADED, { file: fileOfExample('screenshot'), html });
  return expectExample('screenshot', { url, image_type: 'webp', image_width: 160 }, (request) => answer(screenshot, request, context));
});
