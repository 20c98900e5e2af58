import { failure, type LoadedPage, type PageLoad } from '@vedette/contract';
import type { CDPSession } from 'puppeteer-core';
import type { RenderTools } from '../render.ts';
import { closeAds } from './ads/close-ads.ts';
import type { AdFilter } from './ads/engine.ts';
import { agentOf } from './agents.ts';
import { refuseConsents } from './consent.ts';
import { type Device, deviceOf } from './devices.ts';
import { pageFailure, placeOf } from './failure.ts';
import { mainFrameOf } from './html-of.ts';
import { type Block, intercept } from './intercept.ts';
import { REMOVE_CONSENT_OVERLAYS } from './overlays.ts';
import { closePopups } from './popups.ts';
import { sessionOf } from './session.ts';
import { applySettings, sayWho } from './settings.ts';
import { followTargets } from './targets.ts';
import { PageWatch } from './watch.ts';
import { inWorld } from './world.ts';

/** What is kept of the budget for what comes after the page: the picture or PDF, and its way. */
const AFTERWARDS_MS = 15_000;
const LOAD_MS = 25_000;
/** A page with its text whose last resources do not come. */
const STALLED_MS = 8_000;
/** No answer came to the first request in time. */
const NOT_IN_TIME = { errorText: 'net::ERR_TIMED_OUT' };
/** How long a page that is loaded may go on asking. */
const QUIET_WITHIN_MS = 5_000;
/** Scripts may ask for more once they are loaded; without any that were fetched nothing does. */
const QUIET_MS = { scripts: 400, none: 0 };
const FONTS_MS = 3_000;
/** A page that does not answer for so long after its time to load never will. */
const STUCK_MS = 2_000;
const EVALUATE_MS = 2_000;

/** A page that is open, and the session that has made it what it is: it stays so for as long as the session does. */
export interface Opened {
  loaded: LoadedPage;
  session: CDPSession;
  mainFrameId: string;
  device: Device;
  /** Its document came over TLS, from a server whose certificate Chromium believes. */
  secure: boolean;
}

/**
 * Opens the job's page in a blank one and waits until it can be looked at: loaded and quiet, or as far as it comes in time. What the page's
 * servers do wrong is in the answer. Throws `ApiError` where our network failed, or the signal's reason.
 */
export const openPage = async (load: PageLoad, tools: RenderTools): Promise<LoadedPage> => (await openForPicture(load, tools)).loaded;

/** Does what `openPage` does, and keeps what a picture is taken with. */
export async function openForPicture(load: PageLoad, tools: RenderTools): Promise<Opened> {
  const { page, context, egress, clock, userAgent, signal, budget_ms } = tools;
  const url = load.url ?? egress.inputUrl;
  if (url === undefined) throw new TypeError('a job without URL has an input');
  const started = clock.now();
  const left = () => Math.max(1_000, budget_ms - AFTERWARDS_MS - load.delay_ms - (clock.now() - started));
  const session = await sessionOf(page);
  const mainFrameId = await mainFrameOf(session);
  const device = deviceOf(load);
  const agent = agentOf(device.agent, { browserVersion: await page.browser().version(), identity: userAgent, draw: context.id ?? '' });
  const watch = new PageWatch(session, mainFrameId, { clock, onDocument: (host) => egress.isDocument(host) });
  const filter = load.disable_ads ? tools.adFilter() : undefined;
  const refused: string[] = [];
  const own = { block: blocksOf(load, filter, refused), mainUrl: () => watch.asked };
  const sessions = [session];
  closePopups(session, page, context);
  await Promise.all([
    applySettings(session, load, { device, agent }),
    intercept(session, { ...own, secrets: { load, mainFrameId } }),
    followTargets(session, async (target, type) => {
      await sayWho(target, load, agent).catch(() => undefined); // worklets have nobody to ask
      if (type !== 'iframe') return;
      sessions.push(target);
      watch.follow(target);
      await Promise.all([target.send('Network.enable'), intercept(target, own)]);
    }),
  ]);

  const navigated = session.send('Page.navigate', { url }).catch((error: Error) => ({ errorText: error.message }));
  const loaded = watch.ready(STALLED_MS, { within_ms: Math.min(LOAD_MS, left()), signal });
  const first = (await Promise.race([navigated, loaded.then(() => undefined)])) ?? NOT_IN_TIME;
  // A browser that is on its way to another document answers nothing about this one, and between two documents there is nothing to stop.
  if (first === NOT_IN_TIME || (first.errorText === undefined && !(await loaded)))
    await session.send('Page.stopLoading').catch(() => undefined);
  if (first.errorText === undefined) {
    await freeIfStuck(session, mainFrameId);
    await growQuiet(watch, { within_ms: Math.min(QUIET_WITHIN_MS, left()), signal });
    await clear(load, { session, sessions, watch, mainFrameId, filter, refused, clock, signal, left });
    await inWorld(session, 'document.fonts.ready.then(() => 0)', { frameId: mainFrameId, timeout_ms: Math.min(FONTS_MS, left()) });
    if (load.delay_ms > 0) await clock.sleep(load.delay_ms, signal);
  }
  signal.throwIfAborted();
  const came = await whatCame({ load, session, watch, mainFrameId, egress, netError: first.errorText });
  return { loaded: came, session, mainFrameId, device, secure: watch.answer?.secure ?? false };
}

const growQuiet = (watch: PageWatch, limits: { within_ms: number; signal: AbortSignal }): Promise<boolean> =>
  watch.quiet(({ hasScripts }) => (hasScripts ? QUIET_MS.scripts : QUIET_MS.none), limits);

interface Clearing extends Pick<RenderTools, 'clock' | 'signal'>, Pick<Opened, 'session' | 'mainFrameId'> {
  sessions: readonly CDPSession[];
  watch: PageWatch;
  filter: AdFilter | undefined;
  refused: readonly string[];
  left(): number;
}

/** Takes away from a page that is loaded what the job does not want to see. */
async function clear(
  load: PageLoad,
  { session, sessions, watch, mainFrameId: frameId, filter, refused, clock, signal, left }: Clearing,
): Promise<void> {
  if (load.disable_popups) {
    // Managers of consents are scripts that a page fetches; what a page has of its own is looked for afterwards.
    const isManaged = !load.disable_js && (watch.hasScripts || sessions.length > 1);
    const wasRefused = isManaged && (await refuseConsents(sessions, { clock, signal, within_ms: left() }));
    const removed = await inWorld<number>(session, `${REMOVE_CONSENT_OVERLAYS}(${wasRefused})`, { frameId, timeout_ms: EVALUATE_MS });
    if (wasRefused || (removed ?? 0) > 0) await growQuiet(watch, { within_ms: Math.min(QUIET_WITHIN_MS, left()), signal });
  }
  if (filter !== undefined) await closeAds(session, filter, { frameId, url: watch.asked, blocked: refused });
  if (load.disable_images) await inWorld(session, NO_IMAGES, { frameId, timeout_ms: EVALUATE_MS });
}

/** What needs no request is hidden too, and so are the signs of pictures that did not come. */
const NO_IMAGES = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('img,video,picture,image,input[type=image]{visibility:hidden!important}');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
})()`;

/** Ends code that never yields, and all scripts of the page with it: what it has drawn until then can still be looked at. */
async function freeIfStuck(session: CDPSession, frameId: string): Promise<void> {
  if ((await inWorld(session, '1', { frameId, timeout_ms: STUCK_MS })) !== undefined) return;
  session.send('Emulation.setScriptExecutionDisabled', { value: true }).catch(() => undefined);
  await session.send('Runtime.terminateExecution').catch(() => undefined);
}

/** How many refused requests are remembered, to find what they were for. */
const REFUSED_MAX = 1_000;

/** Requests that the job does not want; those for ads are noted in `refused`. */
function blocksOf(load: PageLoad, filter: AdFilter | undefined, refused: string[]): Block[] {
  const blocks: Block[] = [];
  if (load.disable_images) blocks.push(({ type }) => type === 'Image' || type === 'Media');
  if (load.disable_fonts) blocks.push(({ type }) => type === 'Font');
  if (filter !== undefined)
    blocks.push((request) => {
      const blocked = filter.blocks(request);
      if (blocked && refused.length < REFUSED_MAX) refused.push(request.url);
      return blocked;
    });
  return blocks;
}

/** Neither text, nor anything embedded, nor a box that is painted. */
const IS_EMPTY = `(() => {
  const root = document.body ?? document.documentElement;
  if (root === null) return true;
  if ((root.innerText ?? root.textContent ?? '').trim() !== '' || root.localName === 'svg') return false;
  if (root.querySelector('img,svg,canvas,video,audio,object,embed,iframe,input,button,select,textarea') !== null) return false;
  return ![...root.getElementsByTagName('*')].slice(0, 2000).some((element) => {
    const { width, height } = element.getBoundingClientRect();
    if (width * height === 0) return false;
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    return backgroundColor !== 'rgba(0, 0, 0, 0)' || backgroundImage !== 'none';
  });
})()`;

interface Came extends Pick<RenderTools, 'egress'> {
  load: PageLoad;
  session: CDPSession;
  watch: PageWatch;
  mainFrameId: string;
  netError: string | undefined;
}

async function whatCame({ load, session, watch, mainFrameId, egress, netError }: Came): Promise<LoadedPage> {
  const { frame } = (await session.send('Page.getFrameTree')).frameTree;
  const { answer } = watch;
  const none = { final_url: '', content_type: answer?.contentType ?? '', ip: '', status_code: 0, page_content_empty: true };
  const error =
    netError ?? (frame.unreachableUrl === undefined && frame.url !== 'about:blank' ? undefined : (watch.netError ?? 'net::ERR_TIMED_OUT'));
  if (error !== undefined) {
    // The server answered, and with something that is kept in a file instead of shown.
    if (answer !== undefined && error === 'net::ERR_ABORTED')
      return {
        ...none,
        ...shown(answer),
        final_url: answer.url.slice(0, 8_192),
        ip: addressOf(answer.url, egress),
        failure: failure('no_page', answer.contentType),
      };
    return { ...none, failure: pageFailure(watch.asked, error, egress) };
  }
  const empty = await inWorld<boolean>(session, IS_EMPTY, { frameId: mainFrameId, timeout_ms: EVALUATE_MS });
  const final_url = load.url === undefined ? '' : `${frame.url}${frame.urlFragment ?? ''}`.slice(0, 8_192);
  return {
    ...none,
    ...(answer !== undefined && shown(answer)),
    final_url,
    ip: addressOf(answer?.url ?? frame.url, egress),
    page_content_empty: empty ?? false,
  };
}

const shown = ({ contentType, status }: { contentType: string; status: number }) => ({
  content_type: contentType.slice(0, 300),
  status_code: status,
});

const addressOf = (url: string, egress: RenderTools['egress']): string =>
  URL.canParse(url) ? egress.addressOf(...placeOf(new URL(url))) : '';
