import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { openStudio, type Shot, type Studio } from './pictures.ts';
import { page, pictureSites } from './sites/pages.ts';
import { everySecond } from '../runs.ts';

const RED = '#ff0000';
const GREEN = '#008000';
const BLUE = '#0000ff';
const WHITE = '#ffffff';
const SMALL = { viewport_width: 800, viewport_height: 600 };

/** Names that lead where nothing may be contacted. */
const INWARDS = { 'inner.test': { A: ['10.0.0.1'] }, 'alias-of-government.test': { CNAME: ['city.gov'] } };

let studio: Studio;
beforeAll(async () => (studio = await openStudio(pictureSites, { zone: INWARDS })));
afterAll(() => studio.close());

const size = ({ pixels }: Shot) => [pixels.width, pixels.height];
const sent = (host: string, path: string) => studio.sites.requests.filter((request) => request.host === host && request.path === path);

describe.concurrent('a picture of the window', () => {
  it('has the size of the window and the colours of the page', async () => {
    const shot = await studio.shoot('http://a.test/');
    expect(shot.result).toEqual({
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
    expect(size(shot)).toEqual([1920, 1080]);
    expect([shot.pixels.at(5, 5), shot.pixels.at(1900, 250), shot.pixels.at(5, 400)]).toEqual([RED, BLUE, WHITE]);
  });

  it.each(['png', 'jpeg', 'webp', 'avif'] as const)('is a %s where one was asked for', async (image_type) => {
    const { file, pixels } = await studio.shoot('http://a.test/', { image_type, page: SMALL });
    const { format, compression } = await sharp(file).metadata();
    expect([format, compression]).toEqual(image_type === 'avif' ? ['heif', 'av1'] : [image_type, undefined]);
    expect([pixels.width, pixels.height]).toEqual([800, 600]);
    expect([...pixels.at(5, 5).matchAll(/[0-9a-f]{2}/g)].map(([part]) => Math.round(Number.parseInt(part, 16) / 32))).toEqual([8, 0, 0]);
  });

  it('has no colours where none are wanted', async () => {
    const { pixels } = await studio.shoot('http://a.test/', { grayscale: true, page: SMALL });
    expect(pixels.at(5, 5)).toMatch(/^#([0-9a-f]{2})\1\1$/);
    expect(pixels.at(5, 5)).not.toBe(pixels.at(5, 250));
  });

  it('is transparent where the page paints nothing, if that is wanted, and white otherwise', async () => {
    const shot = (more: object) => studio.shoot('http://a.test/transparent', { page: SMALL, ...more });
    const [without, opaque, jpeg] = await Promise.all([
      shot({ omit_background: true }),
      shot({}),
      shot({ omit_background: true, image_type: 'jpeg' }),
    ]);
    expect([without.pixels.at(5, 5), without.pixels.at(5, 400)]).toEqual([RED, '#00000000']);
    expect([opaque.pixels.at(5, 400), jpeg.pixels.at(5, 400)]).toEqual([WHITE, WHITE]);
  });

  it.each(
    everySecond([
      [{ image_width: 400 }, [400, 300]],
      [{ image_height: 150 }, [200, 150]],
      [{ image_width: 100, image_height: 100 }, [100, 100]],
      [{ image_width: 1600 }, [1600, 1200]],
    ]),
  )('becomes a thumbnail of %o', async (wanted, expected) => {
    const shot = await studio.shoot('http://a.test/', { ...wanted, page: SMALL });
    expect(size(shot)).toEqual(expected);
    expect([shot.result.image_width, shot.result.image_height]).toEqual(expected);
    expect(shot.pixels.at(2, 2)).toBe(RED);
  });

  it('is dark where the page has it so', async () => {
    const colour = async (dark_mode: boolean) =>
      (await studio.shoot('http://a.test/dark', { page: { ...SMALL, dark_mode } })).pixels.at(5, 5);
    expect([await colour(false), await colour(true)]).toEqual([RED, BLUE]);
  });

  it('comes with an address bar above the page, which is not cut', async () => {
    const shot = await studio.shoot('http://a.test/', { add_url_bar: true, page: SMALL });
    expect(size(shot)).toEqual([800, 652]);
    expect([shot.pixels.at(400, 2), shot.pixels.at(5, 54), shot.pixels.at(5, 255), shot.pixels.at(5, 640)]).toEqual([
      WHITE,
      RED,
      BLUE,
      WHITE,
    ]);
  });
});

describe.concurrent('what is asked of the page', () => {
  it.each(
    everySecond([
      ['ipad', 768, 1024, 2],
      ['ipad_landscape', 1024, 768, 2],
      ['iphone5', 320, 568, 2],
      ['iphone5_landscape', 568, 320, 2],
      ['iphone8', 375, 667, 2],
      ['iphone8_landscape', 667, 375, 2],
      ['iphone13', 390, 844, 3],
      ['iphone13_landscape', 844, 390, 3],
    ] as const),
  )('as %s: its window, pixels, touch and browser', async (emulate_device, width, height, scale) => {
    const { html, ...shot } = await studio.shoot('http://a.test/agent', { page: { emulate_device } });
    const [agent, platform, ...seen] = JSON.parse(/<title>(.*?)<\/title>/.exec(html!)![1]!) as unknown[];
    expect(seen).toEqual([scale, width, height, 5, 'en-US']);
    expect([agent, platform]).toEqual([expect.stringMatching(/^Mozilla\/5\.0 \((iPhone|iPad); .*Safari\/[\d.]+ Vedette\/test$/), '']);
    expect(size(shot as Shot)).toEqual([width * scale, height * scale]);
  });

  it('has eight processors, in frames and workers too', async () => {
    const { html } = await studio.shoot('http://a.test/processors', { page: { delay_ms: 500 } });
    expect(/<title>(.*?)<\/title>/.exec(html!)![1]).toBe('[8,8,8]');
  });

  it('draws a large window of a fine device less fine', async () => {
    const shot = await studio.shoot('http://a.test/', {
      page: { emulate_device: 'iphone13', viewport_width: 5_000, viewport_height: 10_000 },
      image_width: 500,
    });
    expect(size(shot)).toEqual([500, 1000]);
  });

  it('is Chrome with client hints that agree, on a telephone too', async () => {
    for (const user_agent of ['desktop', 'mobile'] as const) {
      const { html } = await studio.shoot('https://a.test/agent', {
        page: { user_agent, accept_language: 'de-DE,fr;q=0.5', viewport_width: 700 },
      });
      const [agent, platform, , width, , , languages] = JSON.parse(/<title>(.*?)<\/title>/.exec(html!)![1]!) as string[];
      const major = /Chrome\/(\d+)\.0\.0\.0 /.exec(agent!)![1]!;
      const { headers } = sent('a.test', '/agent').find((request) => request.headers['user-agent'] === agent)!;
      expect(headers['sec-ch-ua']).toContain(`"Chromium";v="${major}"`);
      expect(headers['sec-ch-ua-platform']).toBe(`"${platform!}"`);
      expect(headers['sec-ch-ua-mobile']).toBe(user_agent === 'mobile' ? '?1' : '?0');
      expect(headers['accept-language']).toBe('de-DE,fr;q=0.9');
      expect([agent!.endsWith(' Vedette/test'), width, languages]).toEqual([true, 700, 'de-DE,fr']);
    }
  });

  it('runs without its scripts', async () => {
    const colour = async (disable_js: boolean) =>
      (await studio.shoot('http://a.test/by-script', { page: { ...SMALL, disable_js } })).pixels.at(5, 5);
    expect([await colour(false), await colour(true)]).toEqual([RED, BLUE]);
  });

  it('fetches no pictures, shows none, and keeps their places', async () => {
    const { pixels } = await studio.shoot('http://a.test/with-images', { page: { ...SMALL, disable_images: true } });
    expect([pixels.at(50, 50), pixels.at(50, 150), pixels.at(50, 250)]).toEqual([WHITE, RED, WHITE]);
    const { pixels: shown } = await studio.shoot('http://a.test/with-images', { page: SMALL });
    expect([shown.at(50, 50), shown.at(50, 150), shown.at(50, 250)]).toEqual([BLUE, RED, BLUE]);
  });

  it('waits as long as it is told', async () => {
    const colour = async (delay_ms: number) => (await studio.shoot('http://a.test/late', { page: { ...SMALL, delay_ms } })).pixels.at(5, 5);
    expect(await colour(1_500)).toBe(BLUE);
  });
});

describe.concurrent('a whole page', () => {
  const whole = { full_page: true, page: SMALL };

  it('is as long as the page, in one piece where it takes several', async () => {
    const shot = await studio.shoot('http://long.test/9000', whole);
    expect(size(shot)).toEqual([800, 9_000]);
    expect([99, 100, 8_191, 8_192, 8_899, 8_900, 8_999].map((y) => shot.pixels.at(400, y))).toEqual([
      RED,
      WHITE,
      WHITE,
      WHITE,
      WHITE,
      BLUE,
      BLUE,
    ]);
  });

  it('ends at 15,000 px', async () => {
    const shot = await studio.shoot('http://long.test/20000', whole);
    expect(size(shot)).toEqual([800, 15_000]);
    expect([shot.pixels.at(5, 5), shot.pixels.at(5, 14_999)]).toEqual([RED, WHITE]);
  });

  it('ends there also where it grows while it is read', async () => {
    expect(size(await studio.shoot('http://long.test/infinite', whole))).toEqual([800, 15_000]);
  });

  it('is less fine on a fine device instead of shorter', async () => {
    const shot = await studio.shoot('http://long.test/9000', { full_page: true, page: { emulate_device: 'iphone5' } });
    expect(shot.pixels.height).toBe(15_000);
    expect([shot.pixels.at(5, 5), shot.pixels.at(5, 14_990)]).toEqual([RED, BLUE]);
  });

  it('has what sticks to the window once', async () => {
    const { pixels } = await studio.shoot('http://long.test/sticky', whole);
    const rows = Array.from({ length: pixels.height }, (_, y) => pixels.at(400, y));
    const count = (colour: string) => rows.filter((row) => row === colour).length;
    expect([pixels.height, count(RED), count(BLUE), rows[10]]).toEqual([3_100, 50, 40, RED]);
  });

  it('leaves sections as high as the window as high as they were', async () => {
    const { pixels } = await studio.shoot('http://long.test/100vh', whole);
    expect([pixels.height, pixels.at(5, 599), pixels.at(5, 600)]).toEqual([2_600, RED, BLUE]);
  });

  it('begins at the right where it is read from there', async () => {
    const { pixels } = await studio.shoot('http://long.test/right-to-left', whole);
    expect([pixels.width, pixels.at(799, 50), pixels.at(600, 50), pixels.at(5, 120)]).toEqual([800, RED, WHITE, GREEN]);
  });

  it('has what is drawn or fetched only where somebody looks, and not what is hidden', async () => {
    const { pixels } = await studio.shoot('http://long.test/late', whole);
    const middles = [500, 1_500, 2_500, 3_500, 4_500, 5_250, 5_750, 6_250, 6_750];
    expect([pixels.height, ...middles.map((y) => pixels.at(400, y))]).toEqual([
      7_000,
      RED,
      GREEN,
      GREEN,
      GREEN,
      GREEN,
      WHITE,
      BLUE,
      GREEN,
      BLUE,
    ]);
  });

  it('has all of an application that scrolls within itself', async () => {
    const { pixels } = await studio.shoot('http://long.test/application', whole);
    const rows = Array.from({ length: pixels.height }, (_, y) => pixels.at(400, y));
    expect([pixels.height, ...[RED, GREEN, BLUE].map((colour) => rows.filter((row) => row === colour).length)]).toEqual([
      2_400, 300, 2_000, 100,
    ]);
  });

  it('has the pictures that are fetched while somebody scrolls', async () => {
    const { pixels } = await studio.shoot('http://long.test/lazy', whole);
    const rows = Array.from({ length: 40 }, (_, row) => pixels.at(50, row * 200 + 50));
    expect(rows).toEqual(Array.from({ length: 40 }, () => BLUE));
  });
});

describe.concurrent('a page that is not at rest when it is loaded', () => {
  it('is shown when its entrance is over and its own scripts have done what they do at once', async () => {
    const { pixels } = await studio.shoot('http://rest.test/entrance', { page: SMALL });
    expect([pixels.at(400, 150), pixels.at(400, 250), pixels.at(50, 350)]).toEqual([RED, GREEN, BLUE]);
  });

  it.each(['application', 'loading'])('is shown when there is something to see: %s', async (path) => {
    const { pixels } = await studio.shoot(`http://rest.test/${path}`, { page: { ...SMALL, disable_popups: false } });
    expect(Array.from({ length: 600 }, (_, y) => pixels.at(400, y)).filter((colour) => colour === RED).length).toBe(200);
  });

  it.each(
    everySecond([
      ['to-mail', 'mailto:someone@example.org', RED],
      ['to-nothing', 'http://rest.test/nothing', RED],
      ['to-file', 'http://rest.test/file.zip', RED],
      ['to-b', 'mailto:x@b.test', GREEN],
    ]),
  )('stays where it leads to no other page, and says where that was: %s', async (path, leads_to, colour) => {
    const { result, pixels } = await studio.shoot(`http://rest.test/${path}`, { page: SMALL });
    expect(result.page).toMatchObject({ status_code: 200, content_type: 'text/html; charset=utf-8', leads_to });
    expect(pixels.at(5, 5)).toBe(colour);
  });
});

describe.concurrent('a page that gives trouble', () => {
  it.each(['asks', 'never-idle', 'reloads'])('is shown all the same: %s', async (path) => {
    const { result, pixels } = await studio.shoot(`http://a.test/${path}`, { page: SMALL });
    expect([result.page.status_code, pixels.at(5, 5), pixels.at(5, 500)]).toEqual([200, RED, WHITE]);
  });

  it.each(
    everySecond([
      ['missing', 404, 'text/html'],
      ['text', 200, 'text/plain'],
      ['json', 200, 'application/json'],
      ['xml', 200, 'application/xml'],
      ['image.png', 200, 'image/png'],
    ]),
  )('is a page too: %s', async (path, status_code, content_type) => {
    const { result, pixels } = await studio.shoot(`http://a.test/${path}`, { page: SMALL });
    expect(result.page).toMatchObject({ status_code, content_type, page_content_empty: false, final_url: `http://a.test/${path}` });
    expect(pixels.width).toBe(800);
  });

  it('is empty where nothing can be seen', async () => {
    const { result, pixels } = await studio.shoot('http://a.test/empty', { page: SMALL });
    expect([result.page.page_content_empty, pixels.width]).toEqual([true, 800]);
  });

  it.each(['file.zip', 'file.pdf'])('is none where browsers keep a file: %s', async (path) => {
    const { result, file = Buffer.alloc(0) } = await studio.shoot(`http://a.test/${path}`, { page: SMALL });
    expect(result.page).toMatchObject({ status_code: 200, page_content_empty: true, failure: { reason: 'no_page' } });
    expect([file.length, result.image_width]).toEqual([0, 0]);
  });

  it.each([
    ['to-government', 'blocked_policy'],
    ['to-inner', 'blocked_private_address'],
    ['script-to-inner', 'blocked_private_address'],
    ['to-inner-name', 'blocked_private_address'],
  ])('is none where it leads to places that are not open: %s', async (path, reason) => {
    const { result } = await studio.shoot(`http://a.test/${path}`, { page: SMALL });
    expect(result.page).toMatchObject({ final_url: '', status_code: 0, failure: { reason } });
  });

  it.each([
    ['http://inner.test/', 'blocked_private_address'],
    ['http://alias-of-government.test/', 'blocked_policy'],
  ])('is refused, and no report, where its own name leads to such a place: %s', async (url, code) => {
    await expect(studio.render(url, { page: SMALL })).rejects.toMatchObject({ name: 'ProbeFailure', code });
  });

  it('is none where its name does not exist', async () => {
    const { result } = await studio.shoot('http://nowhere.invalid-tld/', { page: SMALL });
    expect(result.page.failure?.reason).toMatch(/^dns_/);
  });
});

describe.concurrent('what a job tells its origin', () => {
  const secret = { basic_auth: { username: 'u', password: 'p' }, custom_header: { name: 'X-Preview', value: '1' } };

  it('goes to what the origin’s own page asks of it, and nowhere else', async () => {
    await studio.shoot('http://a.test/uses-b', { page: { ...SMALL, ...secret } });
    for (const path of ['/uses-b', '/own.json'])
      expect(sent('a.test', path).at(-1)?.headers).toMatchObject({ authorization: 'Basic dTpw', 'x-preview': '1' });
    expect(sent('b.test', '/i.png').at(-1)?.headers).not.toHaveProperty('authorization');
    expect(sent('b.test', '/i.png').at(-1)?.headers).not.toHaveProperty('x-preview');
  });

  it('does not go where it redirects to', async () => {
    const { result } = await studio.shoot('http://a.test/to-b', { page: { ...SMALL, authorization_bearer: 't0ken' } });
    expect(result.page.final_url).toBe('http://b.test/');
    expect(sent('a.test', '/to-b').at(-1)?.headers).toMatchObject({ authorization: 'Bearer t0ken' });
    expect(sent('b.test', '/').some(({ headers }) => headers.authorization !== undefined)).toBe(false);
  });

  it.each(['http://user:secret@a.test/members', 'http://a.test/to-members'])(
    'is what stands before the @ of %s, where the origin asks for it, and nobody else',
    async (url) => {
      const { result, pixels } = await studio.shoot(url, { page: SMALL, add_url_bar: true });
      expect(result.page).toMatchObject({ status_code: 200, final_url: 'http://user:secret@a.test/members' });
      expect(pixels.at(5, 60)).toBe(BLUE);
      expect(
        sent('a.test', '/members')
          .slice(-2)
          .map(({ headers }) => headers.authorization),
      ).toContain(`Basic ${btoa('user:secret')}`);
      expect(sent('b.test', '/i.png').some(({ headers }) => headers.authorization !== undefined)).toBe(false);
    },
  );

  it('is not asked for by a page that a user name only disguises', async () => {
    const { result } = await studio.shoot('http://www.irs.gov@a.test/transparent', { page: SMALL });
    expect(result.page).toMatchObject({ status_code: 200, final_url: 'http://www.irs.gov@a.test/transparent', ip: '127.0.0.1' });
    expect(sent('a.test', '/transparent').some(({ headers }) => headers.authorization !== undefined)).toBe(false);
  });

  it('is told to nobody whose certificate is not to be believed', async () => {
    const plain = await studio.shoot('https://a.test/', { page: SMALL, add_url_bar: true });
    expect(plain.result.page).toMatchObject({ final_url: 'https://a.test/', status_code: 200 });
    const { result } = await studio.shoot('https://a.test/next', { page: { ...SMALL, ...secret } });
    expect(result.page.failure?.reason).toBe('tls_cert_invalid');
    const named = await studio.shoot('https://user:secret@a.test/next', { page: SMALL });
    expect(named.result.page.failure?.reason).toBe('tls_cert_invalid');
    expect(sent('a.test', '/next')).toEqual([]);
  });
});

describe.concurrent('HTML of the client', () => {
  const own = { full_page: true, auto_height: true };

  it('is as high as its content', async () => {
    const shot = await studio.shoot(undefined, { html: page('<div style="height:120px;background:red"></div>'), ...own });
    expect(size(shot)).toEqual([1920, 120]);
    expect(shot.pixels.at(1900, 110)).toBe(RED);
  });

  it('is as high as words that stand in no element, without a doctype too', async () => {
    const shot = await studio.shoot(undefined, { html: '<style>body{margin:0;font:20px/50px serif}</style>Words', ...own });
    expect(shot.result.image_height).toBeGreaterThan(30);
  });

  it('may be higher than the window, and has the width it was told', async () => {
    const html = page('<div style="height:2500px;background:red"></div><p style="margin:0;height:10px;background:blue"></p>');
    const shot = await studio.shoot(undefined, { html, ...own, page: { viewport_width: 300 } });
    expect(size(shot)).toEqual([300, 2510]);
    expect(shot.pixels.at(5, 2505)).toBe(BLUE);
  });

  it('is transparent where it paints nothing', async () => {
    const html = page('<div style="height:50px"></div><div style="height:50px;width:50px;background:green"></div>');
    const { pixels } = await studio.shoot(undefined, { html, ...own, omit_background: true, page: { viewport_width: 100 } });
    expect([pixels.at(5, 5), pixels.at(5, 60), pixels.at(90, 60)]).toEqual(['#00000000', GREEN, '#00000000']);
  });

  it('has no address that could be told', async () => {
    const { result } = await studio.shoot(undefined, { html: '<p>x', ...own });
    expect(result.page).toMatchObject({ final_url: '', ip: '' });
  });
});
