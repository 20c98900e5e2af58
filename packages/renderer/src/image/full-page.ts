import { type Clock, PAGE_MAX } from '@vedette/contract';
import type { CDPSession } from 'puppeteer-core';
import { KEEP_HEIGHTS, PIN_HEIGHTS } from '../page/heights.ts';
import type { Opened } from '../page/open-page.ts';
import { sizeWindow } from '../page/settings.ts';
import { DRAWN, inWorld } from '../page/world.ts';

interface Scope {
  clock: Clock;
  signal: AbortSignal;
  /** How long it may take in all. */
  within_ms: number;
}

/** The most steps, however low the window is. */
const STEPS_MAX = 40;
/** Time for what watches the scrolling to ask for what belongs there. */
const STEP_MS = 40;
const DRAWN_MS = 500;
const ANSWER_MS = 1_000;
const DECODE_MS = 4_000;

/**
 * Loads content that waits for scrolling: pictures and frames that are fetched then, and elements drawn only then. Elements hidden by
 * `content-visibility: hidden` stay hidden. A background that stands still in the window would end with the first window.
 */
const UNROLL = `(() => {
  let left = 20000;
  const unroll = (root) => {
    root.querySelectorAll('[loading=lazy]').forEach((late) => { late.loading = 'eager'; });
    for (const element of root.querySelectorAll('*')) {
      if (--left < 0) return;
      const { contentVisibility, backgroundAttachment } = getComputedStyle(element);
      if (contentVisibility === 'auto') element.style?.setProperty('content-visibility', 'visible', 'important');
      if (backgroundAttachment.includes('fixed')) element.style?.setProperty('background-attachment', 'scroll', 'important');
      if (element.shadowRoot) unroll(element.shadowRoot);
    }
  };
  unroll(document);
})()`;
/** Scrolls at once, whatever the page's own style sets. */
const scrollTo = (y: number) => `window.scrollTo({ left: 0, top: ${y}, behavior: 'instant' })`;
/** Pictures that were asked for are there and can be drawn. Missing and invisible pictures are not waited for. */
const DECODED = `Promise.allSettled([...document.images].filter((image) => !image.complete || image.naturalWidth > 0).slice(0, 2000).map((image) => image.decode())).then(() => 0)`;

/**
 * Scrolls down the page as a reader would, so that what is fetched late is fetched, and back to its top, and waits until it rests. A page that grows
 * on the way is followed as far as a picture may be high.
 */
export async function scrollThrough(opened: Opened, { clock, signal, within_ms }: Scope): Promise<void> {
  const { session, mainFrameId: frameId } = opened;
  const until = clock.now() + within_ms;
  const left = () => until - clock.now();
  const run = (expression: string, ms = ANSWER_MS) =>
    inWorld(session, expression, { frameId, timeout_ms: Math.max(1, Math.min(ms, left())) });
  await run(UNROLL);
  const { cssLayoutViewport } = await session.send('Page.getLayoutMetrics');
  const step = Math.max(cssLayoutViewport.clientHeight, PAGE_MAX.fullHeight / STEPS_MAX);
  for (let y = step; y < (await documentArea(session)).height && left() > 0; y += step) {
    await run(scrollTo(y));
    await run(DRAWN, DRAWN_MS);
    await clock.sleep(STEP_MS, signal);
  }
  await run(UNROLL);
  await opened.rest(left());
  await run(DECODED, DECODE_MS);
  await run(scrollTo(0));
  await run(DRAWN, DRAWN_MS);
  await clock.sleep(STEP_MS, signal);
}

/** A document laid out to be captured as a whole. */
export interface Whole {
  /** Left edge of what the window shows, in CSS pixels from the document's: more than 0 where a page that is read from the right reaches further left. */
  x: number;
  width: number;
  height: number;
  /** Pixels of the screen to a CSS pixel. */
  scale: number;
}

/**
 * Code for a page: what of it is drawn inside the window only. `inner`: how much higher the window must be so that an application shows all of the part
 * that scrolls by itself; `frames`: there are frames of other sites below the window.
 */
const BEYOND = `(() => {
  const isBelow = (frame) => { const { width, height, bottom } = frame.getBoundingClientRect(); return width * height > 5000 && bottom > innerHeight && frame.contentDocument === null; };
  const frames = [...document.querySelectorAll('iframe')].slice(0, 500).some(isBelow);
  let scroller, area = innerWidth * innerHeight / 4;
  if (document.documentElement.scrollHeight <= innerHeight + 40)
    for (const element of [...document.querySelectorAll('body *')].slice(0, 20000)) {
      const { clientWidth, clientHeight, scrollHeight } = element;
      if (scrollHeight - clientHeight < 40 || clientWidth * clientHeight <= area || clientWidth < innerWidth / 2) continue;
      if (/auto|scroll/.test(getComputedStyle(element).overflowY)) { scroller = element; area = clientWidth * clientHeight; }
    }
  globalThis.vedetteScroller = scroller && { element: scroller, width: scroller.clientWidth, height: scroller.clientHeight };
  return { frames, inner: scroller === undefined ? 0 : scroller.scrollHeight - scroller.clientHeight };
})()`;

/** Code for a page in its higher window: keeps what follows the window as it was, and says whether the page is the same otherwise. */
const GROWN = `((documentHeight, by) => {
  const pin = ${PIN_HEIGHTS};
  const scroller = globalThis.vedetteScroller;
  pin(scroller?.element ?? document);
  if (scroller === undefined) return Math.abs(document.documentElement.scrollHeight - documentHeight) <= documentHeight * 0.02;
  const { clientWidth, clientHeight } = scroller.element;
  return clientWidth === scroller.width && clientHeight - scroller.height >= by * 0.9;
})`;
/** An application may show more content when the window is higher. */
const GROW_TIMES = 2;

/**
 * Lays out the page so that all of it can be captured, with what is fetched or drawn late. Where something is drawn inside the window only, the window
 * is made as high as it needs; what is as high as the window stays so high. A page that is another one in a high window is left as it was.
 */
export async function layOutWhole(opened: Opened, scope: Scope): Promise<Whole> {
  const { session, device, mainFrameId: frameId } = opened;
  const until = scope.clock.now() + scope.within_ms;
  const run = <T>(expression: string, ms = ANSWER_MS) => inWorld<T>(session, expression, { frameId, timeout_ms: ms });
  await scrollThrough(opened, scope);
  let { height: windowHeight, scale } = device;
  for (let times = 0; times < GROW_TIMES && scope.clock.now() < until; times++) {
    const { height: documentHeight } = await documentArea(session);
    const { inner, frames } = (await run<{ inner: number; frames: boolean }>(BEYOND)) ?? { inner: 0, frames: false };
    const wanted = Math.min(PAGE_MAX.fullHeight, inner > 0 ? windowHeight + inner : frames ? documentHeight : 0);
    if (wanted <= windowHeight) break;
    const higher = { ...device, height: wanted, scale: Math.min(device.scale, PAGE_MAX.fullHeight / wanted) };
    await run(KEEP_HEIGHTS);
    await sizeWindow(session, higher);
    await run(DRAWN, DRAWN_MS);
    const isSame = await run<boolean>(`${GROWN}(${documentHeight}, ${wanted - windowHeight})`);
    if (isSame !== true) {
      await sizeWindow(session, { ...device, height: windowHeight, scale });
      await run(DRAWN, DRAWN_MS);
      break;
    }
    ({ height: windowHeight, scale } = higher);
    await run(UNROLL);
    await opened.rest(Math.max(0, until - scope.clock.now()));
    if (inner === 0) break;
  }
  return { ...(await documentArea(session)), scale };
}

/** The whole document in CSS pixels, as far as a picture may be high. */
async function documentArea(session: CDPSession): Promise<{ x: number; width: number; height: number }> {
  const { cssContentSize, cssLayoutViewport } = await session.send('Page.getLayoutMetrics');
  return {
    x: cssLayoutViewport.pageX,
    width: cssLayoutViewport.clientWidth,
    height: Math.min(Math.ceil(cssContentSize.height), PAGE_MAX.fullHeight),
  };
}

/** The lowest end of anything that is to be seen, in CSS pixels from the top of the document. Text that stands in no element but the body counts too. */
const LOWEST = `(() => {
  let lowest = 0, left = 50000;
  const words = document.createRange();
  for (const node of document.body?.childNodes ?? []) {
    if (node.nodeType !== Node.TEXT_NODE) continue;
    if (--left < 0) break;
    words.selectNode(node);
    const { bottom, width, height } = words.getBoundingClientRect();
    if (width > 0 && height > 0 && bottom > lowest) lowest = bottom;
  }
  const skipped = new Set(['HTML', 'BODY', 'HEAD', 'SCRIPT', 'STYLE']);
  for (const element of document.body === null ? [] : document.body.getElementsByTagName('*')) {
    if (--left < 0) break;
    if (skipped.has(element.tagName)) continue;
    const { bottom, width, height } = element.getBoundingClientRect();
    if (width > 0 && height > 0 && bottom > lowest) lowest = bottom;
  }
  const body = document.body?.getBoundingClientRect();
  const margin = body === undefined ? 0 : parseFloat(getComputedStyle(document.body).marginBottom) || 0;
  const end = document.compatMode === 'BackCompat' ? 0 : (body?.bottom ?? 0);
  return Math.ceil(Math.max(lowest, end) + margin + window.scrollY);
})()`;

/** How high the document's content is, which may be less than the window. */
export async function contentHeight(session: CDPSession, frameId: string): Promise<number> {
  const lowest = (await inWorld<number>(session, LOWEST, { frameId, timeout_ms: ANSWER_MS })) ?? 0;
  return Math.max(1, Math.min(lowest, PAGE_MAX.fullHeight));
}
