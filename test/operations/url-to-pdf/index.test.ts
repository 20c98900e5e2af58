import { ApiError, type LoadedPage, type Rendered, type RenderJob } from '@vedette/contract';
import { FileBytes } from '@vedette/operations/kit';
import type { Static } from 'typebox';
import { describe, expect, it } from 'vitest';
import { urlToPdf } from '../../../packages/operations/src/url-to-pdf/index.ts';
import { answer, read } from '../answer.ts';
import { expectExample, fileOfExample } from '../example.ts';
import { SHUT } from '../shut.ts';

const url = 'https://example.org/';
const LOADED: LoadedPage = { final_url: url, content_type: 'text/html', ip: '192.0.2.10', status_code: 200, page_content_empty: false };

type Request = Static<typeof urlToPdf.request>;
const job = (request: Omit<Request, 'url'>): RenderJob<'pdf'> => read(urlToPdf, { url, ...request }).job;
const refused = (request: Omit<Request, 'url'>): unknown => {
  try {
    return job(request);
  } catch (error) {
    if (error instanceof ApiError) return [error.status, error.code, error.param];
    throw error;
  }
};

/** A browser that brings this back. */
const bringing = ({ page = LOADED, pages = 1, file = Buffer.from('%PDF'), html = '' } = {}) => ({
  ...SHUT,
  renderers: { render: () => Promise.resolve({ result: { page, pages }, file, html } as unknown as Rendered<never>) },
});

describe('the job', () => {
  it('has the defaults of the contract', () => {
    expect(job({})).toEqual({
      page: {
        url, viewport_width: 1920, viewport_height: 1080, user_agent: 'desktop', accept_language: 'en-US', disable_js: false, disable_popups: true, disable_images: false, disable_ads: true,
        disable_fonts: false, dark_mode: false, emulate_media: 'screen', delay_ms: 0,
      },
      width: 0, height: 0, format: 'A4', landscape: false, margin: 0, show_background: true, page_ranges: '', scale: 1, one_page: false,
    }); // prettier-ignore
  });

  it('has what was asked for', () => {
    const request: Omit<Request, 'url'> = {
      viewport_width: 800, viewport_height: 600, user_agent: 'mobile', accept_language: 'de', delay: 3, basic_auth_username: 'u', basic_auth_password: 'p',
      custom_header: 'X-A: b', disable_js: true, disable_popups: false, disable_images: true, disable_ads: false, emulate_media: 'print',
      pdf_papersize_width: 700, pdf_papersize_height: 900, pdf_format: 'Legal', pdf_margin: 20, pdf_show_background: false, pdf_landscape: true,
      pdf_page_ranges: ' 1 - 3, 5 ', pdf_scale: 0.5, pdf_one_page: false,
    }; // prettier-ignore
    expect(job(request)).toEqual({
      page: {
        url, viewport_width: 800, viewport_height: 600, user_agent: 'mobile', accept_language: 'de', basic_auth: { username: 'u', password: 'p' },
        custom_header: { name: 'X-A', value: 'b' }, disable_js: true, disable_popups: false, disable_images: true, disable_ads: false, disable_fonts: false,
        dark_mode: false, emulate_media: 'print', delay_ms: 3_000,
      },
      width: 700, height: 900, format: 'Legal', landscape: true, margin: 20, show_background: false, page_ranges: '1-3,5', scale: 0.5, one_page: false,
    }); // prettier-ignore
  });

  it.each(['', ' ', '1', '10000', '1-3', '2-2', '1,3,5-7', '-4', '4-', ' 1 , 2 '])('keeps pages %j', (ranges) => {
    expect(job({ pdf_page_ranges: ranges }).page_ranges).toBe(ranges.replaceAll(' ', ''));
  });

  it.each(['1-999999999', '9-1', '1,,2', '0', '0-3', '-', '1-2-3', 'a', '1;2', ',', '1,', '10001', '1.5', '+1', '１', '--2', '1--2'])(
    'refuses pages %j',
    (ranges) => {
      expect(refused({ pdf_page_ranges: ranges })).toEqual([400, 'invalid_parameter', 'pdf_page_ranges']);
    },
  );

  it('refuses ranges of a document of one page', () => {
    expect(refused({ pdf_page_ranges: '1', pdf_one_page: true })).toEqual([400, 'parameter_conflict', 'pdf_page_ranges']);
  });

  it.each<[Omit<Request, 'url'>, boolean]>([
    [{ pdf_margin: 390 }, true],
    [{ pdf_margin: 392 }, false],
    [{ pdf_format: 'A6', pdf_margin: 200 }, false],
    [{ pdf_papersize_width: 30, pdf_margin: 10 }, true],
    [{ pdf_papersize_width: 29, pdf_margin: 10 }, false],
    [{ pdf_papersize_height: 9 }, false],
  ])('leaves room between the margins: %j, %s', (request, isRoom) => {
    expect(Array.isArray(refused(request))).toBe(!isRoom);
  });
});

describe('the report', () => {
  it('has the file, and what came of the page', async () => {
    const report = await answer(urlToPdf, { url }, bringing({ html: '<html lang="en"><title>T</title><link rel=canonical href="/c">' }));
    expect(report).toEqual({
      url,
      rendered_file: {
        format: 'PDF', date_time_utc: '2026-11-21 00:00:00', base64_file: new FileBytes(Buffer.from('%PDF')), file_size_readable: '4 B', file_size_bytes: 4,
      },
      http_response: LOADED,
      html_info: {
        title: 'T', description: '', og_image: '', icon: `${url}favicon.ico`, og_site_name: '', ld_organization: '', canonical: `${url}c`, robots: '', socialnet_site: '', lang: 'en',
      },
      leads_to: '',
      refused_requests: 0,
      error: '',
      reason: '',
    }); // prettier-ignore
  });

  it('says why there is no file', async () => {
    const page: LoadedPage = {
      final_url: '', content_type: '', ip: '', status_code: 0, page_content_empty: true,
      failure: { reason: 'dns_nxdomain', error: 'The name does not exist' },
    }; // prettier-ignore
    const report = await answer(urlToPdf, { url }, bringing({ page, pages: 0, file: Buffer.alloc(0) }));
    expect(report).toMatchObject({
      rendered_file: { format: 'PDF', base64_file: new FileBytes(Buffer.alloc(0)), file_size_bytes: 0, file_size_readable: '0 B' },
      http_response: { status_code: 0, final_url: '' },
      error: 'The name does not exist',
      reason: 'dns_nxdomain',
    });
  });

  it('is none where the document has no such page', async () => {
    const asked = answer(urlToPdf, { url, pdf_page_ranges: '7' }, bringing({ pages: 0, file: Buffer.alloc(0) }));
    await expect(asked).rejects.toMatchObject({ code: 'invalid_parameter', param: 'pdf_page_ranges' });
  });
});

it('answers as the example shows', () => {
  const html =
    '<html lang="en"><title>Example Domain</title><link rel="icon" href="/favicon.ico"><link rel="canonical" href="/"><h1>Example Domain</h1>';
  const file = fileOfExample('url-to-pdf');
  return expectExample('url-to-pdf', { url, pdf_format: 'A5', pdf_page_ranges: '1' }, (request) =>
    answer(urlToPdf, request, bringing({ file, html })),
  );
});
