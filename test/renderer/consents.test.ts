import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStudio, type Studio } from './pictures.ts';
import { consentSites, DIALOG, MANAGER_NAMES, PAGE, SPOKEN_COUNT } from './sites/consents.ts';
import { everySecond } from '../runs.ts';

/** Fewer pixels to look at. */
const SMALL = { viewport_width: 900, viewport_height: 600 };
let studio: Studio;
beforeAll(async () => (studio = await openStudio(consentSites)));
afterAll(() => studio.close());

const choices = (host: string) =>
  studio.sites.requests.filter((request) => request.host === host && request.path.startsWith('/chose')).map(({ path }) => path);

describe.concurrent('cookie consents', () => {
  it.each(everySecond(MANAGER_NAMES))('of %s are refused, and gone', async (name) => {
    const { pixels } = await studio.shoot(`http://${name}.test/`, { page: SMALL });
    // A busy machine may click a second time before the manager has taken its dialog away.
    expect([pixels.count(DIALOG), pixels.at(890, 590), new Set(choices(`${name}.test`))]).toEqual([0, PAGE, new Set(['/chose?refused'])]);
  });

  it.each(['home-made', 'german'])('of nobody’s make (%s) are refused where they can be, and taken away with their veil', async (name) => {
    const { pixels } = await studio.shoot(`http://${name}.test/`, { page: SMALL });
    expect([pixels.count(DIALOG), pixels.at(5, 590), choices(`${name}.test`)]).toEqual([0, PAGE, ['/chose?refused']]);
  });

  it('that come late are refused too, where somebody waits for them', async () => {
    const { pixels } = await studio.shoot('http://late.test/', { page: { ...SMALL, delay_ms: 2_600 } });
    expect([pixels.count(DIALOG), choices('late.test').toSorted()]).toEqual([0, ['/chose?home-made', '/chose?refused']]);
  });

  it('are known in many languages', async () => {
    const { pixels } = await studio.shoot('http://spoken.test/', { page: SMALL });
    expect([pixels.count(DIALOG), choices('spoken.test').length]).toEqual([0, SPOKEN_COUNT]);
  });

  it('need not be held in the window', async () => {
    const { pixels } = await studio.shoot('http://top.test/', { page: SMALL });
    expect([pixels.count(DIALOG), pixels.at(890, 5)]).toEqual([0, PAGE]);
  });

  it('are not what fills the window, lists links, sells cookies, or is a game', async () => {
    const application = await studio.shoot('http://application.test/', { page: SMALL });
    expect(application.pixels.at(890, 590)).toBe(PAGE);
    const { pixels } = await studio.shoot('http://documentation.test/', { page: SMALL });
    expect([290, 390, 590].map((y) => pixels.at(190, y))).toEqual([PAGE, PAGE, PAGE]);
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
