import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { PageWatch } from '../../../packages/renderer/src/page/watch.ts';

const MAIN = 'main';
const LIMITS = { within_ms: 60_000, signal: new AbortController().signal };

/** A page that does what it is told, with a clock that is as late as somebody waits. */
function page() {
  const session = new EventEmitter();
  const told = (event: string, what: object = {}): void => void session.emit(event, { frameId: MAIN, ...what });
  let now = 0;
  const clock = {
    now: () => now,
    async sleep(ms: number) {
      await Promise.resolve();
      now += ms;
    },
  };
  const hosts: string[] = [];
  const watch = new PageWatch(session as unknown as ConstructorParameters<typeof PageWatch>[0], MAIN, {
    clock,
    onDocument: (host) => hosts.push(host),
  });
  return {
    watch,
    now: clock.now,
    asks: (requestId: string, type = 'XHR') =>
      told('Network.requestWillBeSent', { requestId, loaderId: 'l', type, request: { url: `http://a.test/${requestId}` } }),
    opens: (requestId: string, url: string) =>
      told('Network.requestWillBeSent', { requestId, loaderId: requestId, type: 'Document', request: { url } }),
    answers: (requestId: string, status = 200) =>
      told('Network.responseReceived', {
        requestId,
        response: { url: 'http://a.test/', status, headers: { 'Content-Type': 'text/html' } },
      }),
    commits: (loaderId: string, url: string) => told('Page.frameNavigated', { frame: { id: MAIN, loaderId, url } }),
    fails: (requestId: string, errorText = 'net::ERR_ABORTED') => told('Network.loadingFailed', { requestId, errorText, canceled: true }),
    ends: (requestId: string) => told('Network.loadingFinished', { requestId }),
    told,
  };
}

/** Its document is there, with its text. */
function shown() {
  const shows = page();
  shows.opens('D1', 'http://a.test/');
  shows.answers('D1');
  shows.commits('D1', 'http://a.test/');
  shows.ends('D1');
  shows.told('Page.domContentEventFired');
  return shows;
}

it('gives up few requests that keep a page from quiet alone, and not again', async () => {
  const { watch, asks, told, now } = shown();
  told('Page.loadEventFired');
  for (const poll of ['1', '2', '3']) asks(poll);
  expect([await watch.quiet(() => 400, LIMITS), now(), watch.hangs]).toEqual([true, 2_000, true]);
  expect([await watch.quiet(() => 400, LIMITS), now()]).toEqual([true, 2_000]);
});

it('waits for requests that are many, and for what still comes', async () => {
  const many = shown();
  many.told('Page.loadEventFired');
  for (const image of ['1', '2', '3', '4']) many.asks(image, 'Image');
  expect([await many.watch.quiet(() => 400, { ...LIMITS, within_ms: 5_000 }), many.now()]).toEqual([false, 5_000]);
});

it('takes a page for loaded whose last requests hang', async () => {
  const { watch, asks, now } = shown();
  asks('pixel', 'Image');
  expect([await watch.ready(8_000, LIMITS), now()]).toEqual([true, 2_000]);
  expect([await watch.quiet(() => 0, LIMITS), now()]).toEqual([true, 2_000]);
  const slow = shown();
  for (const image of ['1', '2', '3', '4']) slow.asks(image, 'Image');
  expect([await slow.watch.ready(8_000, LIMITS), slow.now()]).toEqual([true, 8_000]);
});

it('stays with the page that is shown where another does not come', async () => {
  const { watch, opens, answers, fails, told, now } = shown();
  opens('D2', 'http://a.test/file.zip');
  answers('D2', 206);
  fails('D2');
  expect([await watch.ready(8_000, LIMITS), now(), watch.leadsTo, watch.documentUrl, watch.answer?.status, watch.netError]).toEqual([
    true,
    0,
    'http://a.test/file.zip',
    'http://a.test/',
    200,
    undefined,
  ]);
  // And leads on from there.
  opens('D3', 'http://a.test/next');
  told('Page.frameScheduledNavigation', { delay: 0 });
  fails('D3');
  expect(watch.leadsTo).toBe('http://a.test/file.zip');
});

it('does not stay where an error takes the place of the page', () => {
  const { watch, opens, fails } = shown();
  opens('D2', 'http://gone.test/');
  fails('D2', 'net::ERR_CONNECTION_REFUSED');
  expect([watch.documentUrl, watch.netError, watch.answer, watch.leadsTo]).toEqual([
    'http://gone.test/',
    'net::ERR_CONNECTION_REFUSED',
    undefined,
    '',
  ]);
});
