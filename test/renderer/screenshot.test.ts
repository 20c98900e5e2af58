import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type Studio } from './pictures.ts';

const RED = '#ff0000';

const BLUE = '#0000ff';
const WHITE = '#ffffff';
const page = (body: string, style = '') => `<!doctype html><title>T</title><style>html,body{margin:0}${style}</style>${body}`;
/** Red above, blue below 200 px. */
const TWO = page('<div style="height:200px;background:red"></div><div style="height:100px;background:blue"></div>');

let studio: Studio;
beforeAll(async () => (studio = await openStudio({ 'a.test': { '/': TWO } })));
afterAll(() => studio.close());

describe('a picture of the window', () => {
  it('has the size of the window and the colours of the page', async () => {
    const { result, pixels } = await studio.shoot('http://a.test/');
    expect(result).toEqual({
      page: {
        final_url: 'http://a.test/',
        content_type: 'text/html; charset=utf-8',
        ip: '127.0.0.1',
        status_code: 200,
        page_content_empty: false,
      },
      image_width: 1920,
      image_height: 1080,
    });
    expect([pixels.width, pixels.height]).toEqual([1920, 1080]);
    expect([pixels.at(5, 5), pixels.at(1900, 250), pixels.at(5, 400)]).toEqual([RED, BLUE, WHITE]);
  });
});
