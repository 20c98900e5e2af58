import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type Studio } from './pictures.ts';
import { consentSites, DIALOG, MANAGER_NAMES, PAGE } from './sites/consents.ts';

/** Fewer pixels to look at. */
const SMALL = { viewport_width: 900, viewport_height: 600 };
let studio: Studio;
beforeAll(async () => (studio = await openStudio(consentSites)));
afterAll(() => studio.close());

const choices = (host: string) =>
  studio.sites.requests.filter((request) => request.host === host && request.path.startsWith('/chose')).map(({ path }) => path);

describe.concurrent('cookie consents', () => {
  it.each(MANAGER_NAMES)('of %s are refused, and gone', async (name) => {
    const { pixels } = await studio.shoot(`http://${name}.test/`, { page: SMALL });
    expect([pixels.count(DIALOG), pixels.at(890, 590), choices(`${name}.test`)]).toEqual([0, PAGE, ['/chose?refused']]);
  });

  it.each(['home-made', 'german'])('of nobody’s make (%s) are refused where they can be, and taken away with their veil', async (name) => {
    const { pixels } = await studio.shoot(`http://${name}.test/`, { page: SMALL });
    expect([pixels.count(DIALOG), pixels.at(5, 590), choices(`${name}.test`)]).toEqual([0, PAGE, ['/chose?refused']]);
  });

  it('stay where nobody wants them away', async () => {
    const { pixels } = await studio.shoot('http://onetrust.test/', { page: { disable_popups: false } });
    expect(pixels.at(1900, 1070)).toBe(DIALOG);
  });

  it('cover no page that was locked for them', async () => {
    const { pixels } = await studio.shoot('http://home-made.test/', { full_page: true });
    expect(pixels.height).toBeGreaterThan(3_000);
  });
});
