import { failure, type LoadedPage, type PageLoad, URL_MAX_CHARS } from '@vedette/contract';
import type { CDPSession } from 'puppeteer-core';
import type { RenderTools } from '../jobs/render.ts';
import { closeAds } from './ads/close-ads.ts';
import type { AdFilter } from './ads/engine.ts';
import { agentOf } from './agents.ts';
import { refuseConsents } from './consent/consent.ts';
import { type Device, deviceOf } from './devices.ts';
import { pageFailure, placeOf } from './failure.ts';
import { mainFrameOf } from './html-of.ts';
import { type Block, intercept } from './intercept.ts';
import { REMOVE_CONSENT_OVERLAYS } from './consent/overlays.ts';
import { closePopups } from './consent/popups.ts';
import { sessionOf } from './session.ts';
import { settle } from './settle.ts';
import { applySettings, sayWho } from './settings.ts';
import { followTargets } from './targets.ts';
import { PageWatch } from './watch.ts';
import { inWorld } from './world.ts';

/** The part of the budget kept for the picture or PDF, and for its transfer. */
const AFTERWARDS_MS = 15_000;
const LOAD_MS = 25_000;
/** A page with its text whose last resources do not come. */
const STALLED_MS = 8_000;
/** No answer came to the first request in time. */
const NOT_IN_TIME = { errorText: 'net::ERR_TIMED_OUT' };
/** How long a page that is loaded may go on asking and changing, at first and after its time to be delayed. */
const SETTLE_MS = { loaded: 5_000, delayed: 2_000 };
const FONTS_MS = 3_000;
/** A page that does not answer for so long never will: it may work for a while once it has loaded, and not after all its time to load. */
const STUCK_MS = { loaded: 6_000, late: 2_000 };
const EVALUATE_MS = 2_000;

/** A page that is open, and the session that has made it what it is: it stays so for as long as the session does. */
export interface Opened {
  loaded: LoadedPage;
  session: CDPSession;
  mainFrameId: string;
  device: Device;
  /** Its document came over TLS, from a server whose certificate Chromium believes. */
  secure: boolean;
  /** Waits until the page rests again, and takes away consents that have come since they were looked for. */
  rest(within_ms: number): Promise<void>;
}

/**
 * Opens the job's page in a blank one and waits until it can be looked at: loaded and quiet, or as far as it comes in time. Faults of the
 * page's servers are in the answer. Throws where nothing is known about the page, as `pageFailure` does, or the signal's reason.
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
  const own = { block: blocksOf(load, filter, refused), admits: (url: string) => egress.admits(url), mainUrl: () => watch.documentUrl };
  const sessions = [session];
  closePopups(session, page, context);
  await Promise.all([
    applySettings(session, load, { device, agent }),
    intercept(session, { ...own, secrets: { load, mainFrameId } }),
    followTargets(session, async (target, type) => {
      const intercepting = intercept(target, own);
      const saying = sayWho(target, load, agent).catch(() => undefined); // worklets have nobody to ask
      if (type !== 'iframe') {
        await intercepting.catch(() => undefined); // some workers' requests are told of, of others the way out has a limit
        return;
      }
      sessions.push(target);
      watch.follow(target);
      await Promise.all([target.send('Network.enable'), intercepting, saying]);
    }),
  ]);

  const navigated = session.send('Page.navigate', { url }).catch((error: Error) => ({ errorText: error.message }));
  const loaded = watch.ready(STALLED_MS, { within_ms: Math.min(LOAD_MS, left()), signal });
  const first = (await Promise.race([navigated, loaded.then(() => undefined)])) ?? NOT_IN_TIME;
  const isLate = first === NOT_IN_TIME || (first.errorText === undefined && !(await loaded));
  // A browser that is on its way to another document answers nothing about this one, and between two documents there is nothing to stop.
  if (isLate) await session.send('Page.stopLoading').catch(() => undefined);
  let content = '';
  const settleWithin = async (ms: number): Promise<boolean> => {
    const before = content;
    const scope = { session, frameId: mainFrameId, watch, clock, signal, scriptless: load.disable_js };
    const added = await settle(scope, { within_ms: Math.min(ms, left()) });
    content = `${watch.documents}: ${added}`;
    return content !== before;
  };
  if (first.errorText === undefined) {
    await freeIfStuck(session, mainFrameId, isLate ? STUCK_MS.late : STUCK_MS.loaded);
    await settleWithin(SETTLE_MS.loaded);
    const clearing = { session, sessions, watch, mainFrameId, filter, refused, clock, signal, left, settle: settleWithin };
    await clear(load, clearing);
    await inWorld(session, FONTS_READY, { frameId: mainFrameId, timeout_ms: Math.min(FONTS_MS, left()) });
    if (load.delay_ms > 0) {
      await clock.sleep(load.delay_ms, signal);
      // A page captured half loaded or after a delay shows later content, with its consent dialogs cleared.
      if (await settleWithin(SETTLE_MS.delayed)) await clear(load, clearing);
    }
  }
  signal.throwIfAborted();
  const came = await whatCame({ load, session, watch, mainFrameId, egress, netError: first.errorText });
  const rest = async (ms: number): Promise<void> => {
    if ((await settleWithin(ms)) && load.disable_popups)
      await inWorld(session, `${REMOVE_CONSENT_OVERLAYS}(false)`, { frameId: mainFrameId, timeout_ms: EVALUATE_MS });
  };
  return { loaded: came, session, mainFrameId, device, secure: watch.answer?.secure ?? false, rest };
}

interface Clearing extends Pick<RenderTools, 'clock' | 'signal'>, Pick<Opened, 'session' | 'mainFrameId'> {
  /** Waits until the page rests again. */
  settle(within_ms: number): Promise<unknown>;
  sessions: readonly CDPSession[];
  watch: PageWatch;
  filter: AdFilter | undefined;
  refused: readonly string[];
  left(): number;
}

/** Takes away from a page that is loaded what the job does not want to see. */
async function clear(
  load: PageLoad,
  { session, sessions, watch, mainFrameId: frameId, filter, refused, clock, signal, left, settle: settleAgain }: Clearing,
): Promise<void> {
  if (load.disable_popups) {
    // Managers of consents are scripts that a page fetches; what a page has of its own is looked for afterwards.
    const isManaged = !load.disable_js && (watch.hasScripts || sessions.length > 1);
    const wasRefused = isManaged && (await refuseConsents(sessions, { clock, signal, within_ms: left() }));
    const removed = await inWorld<number>(session, `${REMOVE_CONSENT_OVERLAYS}(${wasRefused})`, { frameId, timeout_ms: EVALUATE_MS });
    if (wasRefused || (removed ?? 0) > 0) await settleAgain(SETTLE_MS.loaded);
  }
  if (filter !== undefined) await closeAds(session, filter, { frameId, url: watch.documentUrl, blocked: refused });
  if (load.disable_images) await inWorld(session, NO_IMAGES, { frameId, timeout_ms: EVALUATE_MS });
}

/** Waits for fonts that are under way. `ready` alone never comes of a document that never finishes loading. */
const FONTS_READY = `document.fonts.status === 'loading' ? document.fonts.ready.then(() => 0) : 0`;

/** Ads without a request are hidden too, and so are the signs of missing pictures. */
const NO_IMAGES = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('img,video,picture,image,input[type=image]{visibility:hidden!important}');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
})()`;

/** Ends code that never yields, and all scripts of the page with it: what it has drawn until then can still be looked at. */
async function freeIfStuck(session: CDPSession, frameId: string, timeout_ms: number): Promise<void> {
  if ((await inWorld(session, '1', { frameId, timeout_ms })) !== undefined) return;
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
  const leads_to = watch.leadsTo.slice(0, URL_MAX_CHARS);
  const none = {
    final_url: '',
    content_type: answer?.contentType ?? '',
    ip: '',
    status_code: 0,
    page_content_empty: true,
    ...(leads_to !== '' && { leads_to }),
  };
  const error =
    netError ?? (frame.unreachableUrl === undefined && frame.url !== 'about:blank' ? undefined : (watch.netError ?? 'net::ERR_TIMED_OUT'));
  if (error !== undefined) {
    // The server answered, and with something that is kept in a file instead of shown.
    if (answer !== undefined && error === 'net::ERR_ABORTED')
      return {
        ...none,
        ...shown(answer),
        final_url: answer.url.slice(0, URL_MAX_CHARS),
        ip: addressOf(answer.url, egress),
        failure: failure('no_page', answer.contentType),
      };
    return { ...none, failure: pageFailure({ url: watch.documentUrl, jobUrl: load.url }, error, egress) };
  }
  const empty = await inWorld<boolean>(session, IS_EMPTY, { frameId: mainFrameId, timeout_ms: EVALUATE_MS });
  const final_url = load.url === undefined ? '' : `${frame.url}${frame.urlFragment ?? ''}`.slice(0, URL_MAX_CHARS);
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
