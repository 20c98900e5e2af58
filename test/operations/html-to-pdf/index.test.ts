import { FileBytes, type Renderers, type RenderOptions } from '@vedette/operations/kit';
import type { LoadedPage, Rendered } from '@vedette/contract';
import { expect, it } from 'vitest';
import { htmlToPdf } from '../../../packages/operations/src/html-to-pdf/index.ts';
import { answer, read } from '../answer.ts';
import { expectExample, fileOfExample } from '../example.ts';
import { SHUT } from '../shut.ts';

const html_base64 = Buffer.from('<h1>Hello</h1>').toString('base64');
const LOADED: LoadedPage = { final_url: '', content_type: 'text/html', ip: '', status_code: 200, page_content_empty: false };

/** A browser that gives the input back. */
const printing = (page = LOADED, pages = 1) => ({
  ...SHUT,
  renderers: {
    render: (_kind: string, _job: unknown, { input }: RenderOptions) =>
      Promise.resolve({ result: { page, pages }, file: input, html: '' } as unknown as Rendered<never>),
  },
});

it('prints what was sent, and changes nothing of it', () => {
  const { input, job } = read(htmlToPdf, { html_base64, pdf_format: 'Ledger', pdf_one_page: true });
  expect(Buffer.from(input).toString()).toBe('<h1>Hello</h1>');
  expect(job).toEqual({
    page: {
      user_agent: 'desktop', accept_language: 'en-US', disable_js: false, disable_popups: false, disable_images: false, disable_ads: false,
      disable_fonts: false, dark_mode: false, delay_ms: 0, emulate_media: 'screen',
    },
    width: 0, height: 0, format: 'Ledger', landscape: false, margin: 0, show_background: true, page_ranges: '', scale: 1, one_page: true,
  }); // prettier-ignore
});

it('takes every option that url-to-pdf has', () => {
  const query = read(htmlToPdf, { html_base64, emulate_media: 'print', pdf_page_ranges: '2-', pdf_scale: 2, pdf_margin: 5 });
  expect(query.job).toMatchObject({ page: { emulate_media: 'print' }, page_ranges: '2-', scale: 2, margin: 5 });
  expect(() => read(htmlToPdf, { html_base64, pdf_page_ranges: '9-1' })).toThrow(expect.objectContaining({ param: 'pdf_page_ranges' }));
});

it('refuses what is no base64, before anything is done', () => {
  expect(() => read(htmlToPdf, { html_base64: 'PGgx!' })).toThrow(
    expect.objectContaining({ code: 'invalid_parameter', param: 'html_base64' }),
  );
});

it('reports the file', async () => {
  expect(await answer(htmlToPdf, { html_base64 }, printing())).toEqual({
    rendered_file: {
      format: 'PDF',
      date_time_utc: '2026-11-21 00:00:00',
      base64_file: new FileBytes(Buffer.from('<h1>Hello</h1>')),
      file_size_readable: '14 B',
      file_size_bytes: 14,
    },
    refused_requests: 0,
    error: '',
    reason: '',
  });
});

it('costs nothing where there is no such page', async () => {
  const asked = answer(htmlToPdf, { html_base64 }, printing(LOADED, 0));
  await expect(asked).rejects.toMatchObject({ code: 'invalid_parameter', param: 'pdf_page_ranges' });
});

it('says why there is no file: HTML that leads elsewhere, or is too much, is rendered for pay as any other', async () => {
  const page: LoadedPage = {
    ...LOADED,
    failure: { reason: 'blocked_private_address', error: 'The address is not a public one: 127.0.0.1' },
  };
  expect(await answer(htmlToPdf, { html_base64 }, printing(page, 0))).toMatchObject({
    error: 'The address is not a public one: 127.0.0.1',
    reason: 'blocked_private_address',
  });
});

it('answers as the example shows', () =>
  expectExample('html-to-pdf', { html_base64, pdf_format: 'A6' }, (request) => {
    const renderers: Renderers = {
      render: () =>
        Promise.resolve({ result: { page: LOADED, pages: 1 }, file: fileOfExample('html-to-pdf'), html: '' } as unknown as Rendered<never>),
    };
    return answer(htmlToPdf, request, { ...SHUT, renderers });
  }));
