import type { Clock } from '@vedette/contract';
import type { CDPSession } from 'puppeteer-core';
import type { PageWatch } from './watch.ts';
import { DRAWN, inWorld } from './world.ts';

/** Fetched scripts may ask for more once they have run; without any the network is quiet at once. */
const QUIET_MS = { scripts: 400, none: 0 };
/** A page with scripts has settled when it neither changes nor works for so long. */
const STILL_MS = 300;
/** A page that shows next to nothing, and has scripts, is given so long from its first look; longer where requests of it hang. */
const UNFINISHED_MS = { quiet: 2_000, hanging: 4_000 };
const LOOK_MS = { again: 100, ended: 20, timeout: 2_000 };
const DRAWN_MS = { scripts: 500, none: 50 };
/** Where animations were finished, what waits for their end comes next. A slide show would never end. */
const FINISHED_TIMES = 3;
/** A page that never rests: a ticker, a game. */
const RESTLESS_MS = 2_500;

interface Look {
  /** It has scripts that may do more than they have done when it is loaded. */
  scripts: boolean;
  /** ms since it changed or worked. */
  still_ms: number;
  /** How long this document has been looked at. */
  seen_for_ms: number;
  /** Next to nothing is to be seen. */
  unfinished: boolean;
  /** Animations that were finished by this look. */
  finished: number;
  /** Elements and texts that were added since the first look. */
  added: number;
}

/**
 * Code for a page: looks at it, and brings finite animations to their end. The first look at a document begins to watch it. A part that
 * changes again and again, such as a clock, is ignored after some changes.
 */
const LOOK = `(() => {
  const TIMES = 10, ELEMENTS = 20000, FINITE_MS = 10000, TEXT = 40;
  const now = performance.now();
  const begin = () => {
    const state = { begun: now, changed: now, added: 0, times: new WeakMap(), roots: new Set(), observer: undefined };
    state.observer = new MutationObserver((records) => {
      const targets = new Set();
      for (const { target, addedNodes } of records) { targets.add(target); state.added += addedNodes.length; }
      for (const target of targets) {
        const times = (state.times.get(target) ?? 0) + 1;
        state.times.set(target, times);
        if (times <= TIMES) state.changed = performance.now();
      }
    });
    try {
      const tasks = new PerformanceObserver((list) => { for (const { startTime, duration } of list.getEntries()) state.changed = Math.max(state.changed, startTime + duration); });
      tasks.observe({ type: 'longtask', buffered: true });
    } catch {}
    return state;
  };
  const state = globalThis.vedetteLook ??= begin();
  const elements = [];
  const enter = (root) => {
    if (!state.roots.has(root)) {
      state.roots.add(root);
      state.observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
    }
    for (const element of root.querySelectorAll('*')) {
      if (elements.length >= ELEMENTS) return;
      elements.push(element);
      if (element.shadowRoot) enter(element.shadowRoot);
    }
  };
  enter(document);
  const isCover = ({ left, top, right, bottom }) => left <= innerWidth * 0.05 && top <= innerHeight * 0.05 && right >= innerWidth * 0.95 && bottom >= innerHeight * 0.95;
  const unfinished = () => {
    if (document.body === null) return true;
    const boxes = document.querySelectorAll('[aria-busy=true],[class*=skeleton i],[class*=shimmer i]');
    let waiting = 0;
    for (const box of [...boxes].slice(0, 500)) {
      const { left, top, right, bottom } = box.getBoundingClientRect();
      if (box.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        waiting += Math.max(0, Math.min(right, innerWidth) - Math.max(left, 0)) * Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0));
    }
    if (waiting > innerWidth * innerHeight * 0.1) return true;
    let cover = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
    while (cover !== null && !isCover(cover.getBoundingClientRect())) cover = cover.parentElement ?? cover.getRootNode().host ?? null;
    const shown = cover === null || cover.shadowRoot ? document.body : cover;
    if ((shown.innerText ?? shown.textContent ?? '').trim().length >= TEXT) return false;
    const isLarge = ({ width, height }) => width * height > innerWidth * innerHeight * 0.05;
    if (elements.slice(0, 500).some((element) => isLarge(element.getBoundingClientRect()) && getComputedStyle(element).backgroundImage.includes('url('))) return false;
    return !elements.some((element) => {
      if (element.shadowRoot) return true;
      const isMedia = element.matches('img,video,canvas,iframe,object,embed,svg');
      if (!isMedia && !element.matches('input,select,textarea,button') || !shown.contains(element)) return false;
      const box = element.getBoundingClientRect();
      return isMedia ? isLarge(box) : box.width * box.height > 0;
    });
  };
  const isUnfinished = unfinished();
  // Last of all: what is looked for on the screen between this and the next frame may stay as it was.
  let finished = 0;
  for (const root of state.roots)
    for (const animation of root.getAnimations()) {
      const { timeline, playState, playbackRate, currentTime, effect } = animation;
      if (timeline !== document.timeline || playState !== 'running') continue;
      const end = playbackRate < 0 ? 0 : effect?.getComputedTiming().endTime;
      // Endless animations go on; a longer one is not an entrance.
      if (!(Math.abs(end - (currentTime ?? 0)) <= FINITE_MS * Math.abs(playbackRate))) continue;
      try { animation.finish(); finished++; } catch {}
    }
  // A script of the page's own that names none of these is over when it has run.
  const LATER = /\\b(set(Timeout|Interval)|request\\w+|fetch|XMLHttpRequest|import|async|await|then|Promise|addEventListener|on[a-z]+|eval|Function|\\w*Observer|Worker|animate|postMessage|src)\\b/;
  const isScript = ({ type }) => /^$|javascript|^module$/i.test(type);
  const works = document.body?.hasAttribute('onload') || [...document.scripts].some((script) => isScript(script) && (script.src !== '' || LATER.test(script.text)));
  return {
    scripts: works,
    still_ms: now - state.changed, seen_for_ms: now - state.begun, unfinished: isUnfinished, finished, added: state.added,
  };
})()`;

export interface SettleScope {
  session: CDPSession;
  frameId: string;
  watch: PageWatch;
  clock: Clock;
  signal: AbortSignal;
  /** The page's scripts do not run. */
  scriptless: boolean;
}

/**
 * Waits until a page that is loaded rests: its network is quiet, it does not change or work, there is something to see, and its finite animations
 * have ended. Ends after `within_ms`, and sooner with a page that never rests. Returns how many nodes the document was given since it was first looked at.
 */
export async function settle(
  { session, frameId, watch, clock, signal, scriptless }: SettleScope,
  { within_ms }: { within_ms: number },
): Promise<number> {
  const until = clock.now() + within_ms;
  const left = () => until - clock.now();
  let finished = 0;
  const look = async (): Promise<Look | undefined> => {
    const seen = await inWorld<Look>(session, LOOK, { frameId, timeout_ms: Math.max(1, Math.min(LOOK_MS.timeout, left())) });
    if (seen === undefined || seen.finished === 0) return seen;
    finished++;
    await (scriptless
      ? clock.sleep(DRAWN_MS.none, signal)
      : inWorld(session, DRAWN, { frameId, timeout_ms: Math.max(1, Math.min(DRAWN_MS.scripts, left())) }));
    return seen;
  };
  let seen = await look();
  await watch.quiet(({ hasScripts }) => (hasScripts ? QUIET_MS.scripts : QUIET_MS.none), { within_ms: left(), signal });
  const quietAt = clock.now();
  while (left() > 0) {
    seen = await look();
    if (seen === undefined) return 0;
    const isSlideShow = finished > FINISHED_TIMES;
    const rest = restOf(seen, { isSlideShow, hangs: watch.hangs, scriptless });
    const isRestless = clock.now() - quietAt > RESTLESS_MS && !(watch.hangs && seen.unfinished);
    if (rest <= 0 || isRestless) break;
    await clock.sleep(Math.min(rest, Math.max(0, left())), signal);
    await watch.quiet(() => 0, { within_ms: left(), signal });
  }
  return seen?.added ?? 0;
}

/** How long to wait until it is worth looking again; 0 where the page rests. */
function restOf(
  { scripts, still_ms, seen_for_ms, unfinished, finished }: Look,
  { isSlideShow, hangs, scriptless }: { isSlideShow: boolean; hangs: boolean; scriptless: boolean },
): number {
  if (scriptless || !scripts) return 0;
  const still = STILL_MS - still_ms;
  const ended = finished > 0 && !isSlideShow ? LOOK_MS.ended : 0;
  const more = unfinished && seen_for_ms < (hangs ? UNFINISHED_MS.hanging : UNFINISHED_MS.quiet) ? LOOK_MS.again : 0;
  return Math.max(still, ended, more);
}
