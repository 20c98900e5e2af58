import { type Clock, PAGE_MAX } from '@vedette/contract';
import type { CDPSession } from 'puppeteer-core';
import { inWorld } from '../page/world.ts';

interface Scope {
  session: CDPSession;
  frameId: string;
  clock: Clock;
  signal: AbortSignal;
  /** How long it may take in all. */
  within_ms: number;
}

/** So many steps at most, however low the window is. */
const STEPS_MAX = 40;
/** Time for what watches the scrolling to ask for what belongs there. */
const STEP_MS = 40;
/** Two frames, however long they take: observers are told where things are with each. Without scripts there may be none. */
const DRAWN = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(0))))';
const DRAWN_MS = 500;
const ANSWER_MS = 1_000;
const DECODE_MS = 4_000;

/** Pictures and frames that would wait until somebody scrolls to them. */
const EAGER = `document.querySelectorAll('[loading=lazy]').forEach((late) => { late.loading = 'eager'; })`;
/** Whatever the page's own style says of scrolling, at once. */
const scrollTo = (y: number) => `window.scrollTo({ left: 0, top: ${y}, behavior: 'instant' })`;
/** Pictures that were asked for are there and can be drawn. Those that do not come, and those that nobody sees, keep nobody waiting. */
const DECODED = `Promise.allSettled([...document.images].filter((image) => !image.complete || image.naturalWidth > 0).slice(0, 2000).map((image) => image.decode())).then(() => 0)`;

/**
 * Scrolls down the page as a reader would, so that what is fetched late is fetched, and back to its top. A page that grows on the way is followed
 * as far as a picture may be high.
 */
export async function scrollThrough({ session, frameId, clock, signal, within_ms }: Scope): Promise<void> {
  const until = clock.now() + within_ms;
  const left = () => until - clock.now();
  const run = (expression: string, ms = ANSWER_MS) =>
    inWorld(session, expression, { frameId, timeout_ms: Math.max(1, Math.min(ms, left())) });
  await run(EAGER);
  const { cssLayoutViewport } = await session.send('Page.getLayoutMetrics');
  const step = Math.max(cssLayoutViewport.clientHeight, PAGE_MAX.fullHeight / STEPS_MAX);
  for (let y = step; y < (await documentSize(session)).height && left() > 0; y += step) {
    await run(scrollTo(y));
    await run(DRAWN, DRAWN_MS);
    await clock.sleep(STEP_MS, signal);
  }
  await run(EAGER);
  await run(DECODED, DECODE_MS);
  await run(scrollTo(0));
  await run(DRAWN, DRAWN_MS);
  await clock.sleep(STEP_MS, signal);
}

/** The whole document in CSS pixels, as far as a picture may be high. */
export async function documentSize(session: CDPSession): Promise<{ width: number; height: number }> {
  const { cssContentSize, cssLayoutViewport } = await session.send('Page.getLayoutMetrics');
  return { width: cssLayoutViewport.clientWidth, height: Math.min(Math.ceil(cssContentSize.height), PAGE_MAX.fullHeight) };
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
