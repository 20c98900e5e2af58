import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type Studio } from './pictures.ts';
import { AD, adSites, homePages, PAGE } from './sites/ads.ts';

const SMALL = { viewport_width: 1000, viewport_height: 700 };
const homes = Object.fromEntries(Object.entries(homePages).map(([name, html]) => [`${name}.test`, { '/': html }]));

let studio: Studio;
beforeAll(
  async () =>
    (studio = await openStudio(
      { ...adSites, ...homes },
      { zone: { 'ads.adnxs.com': { A: ['127.0.0.1'] }, 'www.google-analytics.com': { A: ['127.0.0.1'] } } },
    )),
);
afterAll(() => studio.close());

const asked = (host: string) => studio.sites.requests.filter((request) => request.host === host).length;

describe('ads and trackers', () => {
  it('are not asked for, and leave no hole', async () => {
    const { pixels } = await studio.shoot('http://news.test/', { page: SMALL });
    expect([asked('ads.adnxs.com'), asked('www.google-analytics.com'), asked('news.test') > 0]).toEqual([0, 0, true]);
    // The header, what is below the ad, and the banner that is none.
    expect([pixels.at(900, 50), pixels.at(900, 70), pixels.at(900, 170)]).toEqual([PAGE, '#0000ff', '#ff0000']);
    expect(pixels.count(AD)).toBe(0);
  });

  it('stay where nobody wants them away', async () => {
    const { pixels } = await studio.shoot('http://news.test/', { page: { ...SMALL, disable_ads: false } });
    expect(asked('ads.adnxs.com')).toBe(1);
    expect(asked('www.google-analytics.com')).toBe(1);
    expect(pixels.count(AD)).toBeGreaterThan(60_000);
  });
});

describe('ordinary home pages', () => {
  it.each(Object.keys(homePages))('of a %s look as they do without our help', async (name) => {
    const shot = (wanted: boolean) =>
      studio.shoot(`http://${name}.test/`, { page: { ...SMALL, disable_ads: wanted, disable_popups: wanted } });
    const [helped, plain] = [await shot(true), await shot(false)];
    expect(helped.pixels.differenceTo(plain.pixels)).toBe(0);
  });
});
