import { ApiError, type Rendered } from '@vedette/contract';
import { FileBytes, type RenderOptions } from '@vedette/operations/kit';
import { expect, it } from 'vitest';
import { htmlToPng } from '../../../packages/operations/src/html-to-png/index.ts';
import { readableSize } from '../../../packages/operations/src/shared/pages/rendered-file.ts';
import { answer, read } from '../answer.ts';
import { expectExample, fileOfExample } from '../example.ts';
import { SHUT } from '../shut.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

it('renders what was sent, as high as its content, and changes nothing of it', () => {
  const { input, job } = read(htmlToPng, { html_base64: base64('<h1>Hello</h1>') });
  expect(Buffer.from(input).toString()).toBe('<h1>Hello</h1>');
  expect(job).toMatchObject({
    full_page: true,
    auto_height: true,
    image_type: 'png',
    omit_background: false,
    page: { viewport_width: 1920, disable_js: false, disable_popups: false, disable_ads: false },
  });
  expect(job.page).not.toHaveProperty('url');
});

it('takes a width, and no background', () => {
  const { job } = read(htmlToPng, { html_base64: base64('a'), viewport_width: 300, omit_background: true });
  expect(job).toMatchObject({ omit_background: true, page: { viewport_width: 300 } });
});

it('skips the line breaks of MIME encoders', () => {
  const { input } = read(htmlToPng, { html_base64: base64('<p>Hello there</p>').replace(/(.{8})/g, ' $1\r\n') });
  expect(Buffer.from(input).toString()).toBe('<p>Hello there</p>');
});

it.each([
  ['other characters', 'PGgxPg!='],
  ['the alphabet of URLs', '_-_-'],
  ['no padding', 'PGgxPjwvaDE'],
  ['padding inside', 'PA==PGgx'],
  ['a data URL of other text', 'data:text/html,<h1>'],
  ['a data URL after something', 'PGgxPg==data:text/html;base64,PGgxPg=='],
  ['nothing but white space', ' \n'],
  ['an empty page', base64(' \n ')],
])('refuses %s', (_what, html_base64) => {
  let thrown: unknown;
  try {
    read(htmlToPng, { html_base64 });
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(ApiError);
  expect(thrown).toMatchObject({ code: 'invalid_parameter', param: 'html_base64', status: 400 });
});

it.each(['data:text/html;base64,', 'DATA:text/html;charset=utf-8;base64, ', 'data:;base64,'])('reads what follows %j', (prefix) => {
  expect(Buffer.from(read(htmlToPng, { html_base64: `${prefix}${base64('<h1>')}` }).input).toString()).toBe('<h1>');
});

it('takes 5 MB, and no octet more', () => {
  const html = Buffer.alloc(5 * 1024 * 1024, 0x61);
  expect(read(htmlToPng, { html_base64: html.toString('base64') }).input.length).toBe(html.length);
  expect(() => read(htmlToPng, { html_base64: Buffer.concat([html, html.subarray(0, 1)]).toString('base64') })).toThrow(
    expect.objectContaining({ code: 'body_too_large', status: 413 }),
  );
});

const rendering = (page: object) => ({
  ...SHUT,
  renderers: {
    render: (_kind: string, _job: unknown, { input }: RenderOptions) =>
      Promise.resolve({ result: { page, image_width: 7, image_height: 5 }, file: input, html: '' } as unknown as Rendered<never>),
  },
});

it('reports the picture', async () => {
  expect(await answer(htmlToPng, { html_base64: base64('<p>') }, rendering({}))).toEqual({
    rendered_file: {
      format: 'PNG',
      date_time_utc: '2026-11-21 00:00:00',
      base64_file: new FileBytes(Buffer.from('<p>')),
      file_size_readable: '3 B',
      file_size_bytes: 3,
      image_width: 7,
      image_height: 5,
    },
    refused_requests: 0,
    error: '',
    reason: '',
  });
});

it('says why there is no picture: HTML that leads elsewhere, or is too much, is rendered for pay as any other', async () => {
  const failure = { reason: 'too_large', error: 'The answer is larger than the limit' };
  expect(await answer(htmlToPng, { html_base64: base64('<p>') }, rendering({ failure }))).toMatchObject(failure);
});

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KB'],
  [320_000, '312.5 KB'],
  [1_048_575, '1.0 MB'],
  [5_242_880, '5.0 MB'],
])('writes %i bytes for people', (bytes, text) => expect(readableSize(bytes)).toBe(text));

it('answers as the example shows', () => {
  const rendered = {
    result: {
      page: { final_url: '', content_type: 'text/html', ip: '', status_code: 200, page_content_empty: false },
      image_width: 120,
      image_height: 54,
    },
  };
  const render = () => Promise.resolve({ ...rendered, file: fileOfExample('html-to-png'), html: '' } as unknown as Rendered<never>);
  const request = { html_base64: base64('<h1>Hello</h1>'), viewport_width: 120 };
  return expectExample('html-to-png', request, (asked) => answer(htmlToPng, asked, { ...SHUT, renderers: { render } }));
});
