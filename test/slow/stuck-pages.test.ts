import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStudio, type Studio } from '../renderer/pictures.ts';
import { pictureSites } from '../renderer/sites/pages.ts';

let studio: Studio;
beforeAll(async () => (studio = await openStudio(pictureSites)));
afterAll(() => studio.close());

// Each takes all the time that a page has to load.
it.concurrent.each(['spin', 'loop', 'never-loaded'])(
  'a page that never ends is shown as far as it came: %s',
  async (path) => {
    const { result, pixels } = await studio.shoot(`http://a.test/${path}`, { page: { viewport_width: 800, viewport_height: 600 } });
    expect([result.page.status_code, pixels.at(5, 5), pixels.at(5, 500)]).toEqual([200, '#ff0000', '#ffffff']);
  },
  90_000,
);
