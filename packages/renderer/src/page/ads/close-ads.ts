import type { CDPSession } from 'puppeteer-core';
import { inWorld } from '../world.ts';
import type { AdFilter } from './engine.ts';

const TIMEOUT_MS = 1_500;
const NAMES_MAX = 5_000;

const NAMES = `(() => {
  const ids = new Set(), classes = new Set();
  for (const element of document.querySelectorAll('[id],[class]')) {
    if (ids.size + classes.size > ${NAMES_MAX}) break;
    if (element.id) ids.add(element.id);
    for (const name of element.classList) classes.add(name);
  }
  return { ids: [...ids], classes: [...classes] };
})()`;

/**
 * Code for a page: what was to show a blocked resource goes, and with it what stood around it alone, so that no hole is left. A place with anything
 * else in it stays.
 */
const CLOSE = `((style, blocked) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const urls = new Set(blocked);
  const LABEL = /^(advertisement|advertising|ads?|sponsored|anzeige|werbung|publicité|publicidad|pubblicità|reklama|annons|advertentie)?$/i;
  const NAMED = /(^|[-_ ])(ads?|advert\\w*|sponsor\\w*|dfp|gpt|bannerads?|adbanners?)([-_ 0-9]|$)/i;
  const isPainted = (element) => { const { backgroundImage } = getComputedStyle(element); return backgroundImage !== 'none'; };
  const shows = (element) => element.getBoundingClientRect().height > 0;
  const isEmpty = (element) => !isPainted(element) && LABEL.test((element.innerText ?? '').trim()) &&
    ![...element.querySelectorAll('img,video,canvas,svg,iframe,input,button,picture,object')].some((one) => shows(one));
  const hide = (element) => element.style.setProperty('display', 'none', 'important');
  let places = [...document.querySelectorAll('iframe[src],img[src],embed[src],object[data],video[src]')].filter((element) => urls.has(element.src || element.data));
  for (const place of places) hide(place);
  if (blocked.length > 0) places.push(...[...document.querySelectorAll('[id],[class]')].slice(0, 20000).filter((element) =>
    NAMED.test((element.id || '') + ' ' + (element.getAttribute('class') ?? '')) && element.matches('div,aside,section,ins,span') && shows(element) && isEmpty(element)));
  for (const place of places) {
    if (isEmpty(place) && place.matches('div,aside,section,ins,span')) hide(place);
    for (let around = place.parentElement, level = 0; around !== null && level < 3; around = around.parentElement, level++) {
      if (around.matches('body,main,article,header,footer,nav,html,td,tr,form') || !isEmpty(around)) break;
      hide(around);
    }
  }
})`;

/** Closes the places of ads on a page that is loaded. `blocked`: URLs that were not let out. */
export async function closeAds(
  session: CDPSession,
  filter: AdFilter,
  { frameId, url, blocked }: { frameId: string; url: string; blocked: readonly string[] },
): Promise<void> {
  const seen = await inWorld<{ ids: string[]; classes: string[] }>(session, NAMES, { frameId, timeout_ms: TIMEOUT_MS });
  const style = filter.styleFor(url, seen ?? { ids: [], classes: [] });
  await inWorld(session, `${CLOSE}(${JSON.stringify(style)}, ${JSON.stringify(blocked)})`, { frameId, timeout_ms: TIMEOUT_MS });
}
