import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Sites } from './serve.ts';

const file =
  (type: string, body: string | Buffer, fields: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': type, ...fields }).end(body);
const redirect =
  (location: string): Answer =>
  (_request, response) =>
    response.writeHead(302, { location }).end();
const OPEN = { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'PUT', 'access-control-allow-headers': 'x-visit' };
/** One pixel. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

const PAGE = `<!doctype html><html lang="en"><head><title>Shop</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
<link rel="prefetch" href="/next.html">
<script src="/app.js" defer></script></head>
<body><h1>Shop</h1><p class="letters">Letters of its own</p>
<img src="/logo.gif"><img src="/missing.gif"><img src="data:image/gif;base64,${GIF.toString('base64')}"><img src="https://absent.invalid/x.gif">
<iframe src="https://ads.other.test/frame"></iframe></body></html>`;

const APP = `
new Worker('/worker.js');
new SharedWorker('/shared.js');
navigator.serviceWorker.register('/sw.js');
fetch('https://api.other.test/data', { method: 'PUT', headers: { 'x-visit': '1' }, body: '{}' }).catch(() => {});
fetch(URL.createObjectURL(new Blob(['nothing leaves'])));
navigator.sendBeacon('https://beacon.other.test/collect', 'seen');
new WebSocket('wss://socket.other.test/live');
setTimeout(() => fetch('/late.json'), 600);`;

/** A page with requests of every kind, each of which its server hears of; and how many octets of a body it sends. */
export const TRACKER_SITES: Sites = {
  'shop.test': {
    '/': PAGE,
    '/old': redirect('https://shop.test/'),
    '/style.css': file('text/css', '@font-face{font-family:own;src:url(/own.woff2)}.letters{font-family:own;background:url(/paper.gif)}'),
    '/own.woff2': file('font/woff2', 'no font'),
    '/paper.gif': file('image/gif', GIF),
    '/logo.gif': file('image/gif', GIF),
    '/next.html': file('text/html', '<title>Next</title>'),
    '/app.js': file('text/javascript', APP),
    '/late.json': file('application/json', '{}'),
    '/worker.js': file('text/javascript', "fetch('/from-worker.json')"),
    '/from-worker.json': file('application/json', '{}'),
    '/shared.js': file('text/javascript', "setTimeout(() => fetch('/from-shared.json'), 300)"),
    '/from-shared.json': file('application/json', '{}'),
    '/sw.js': file('text/javascript', "addEventListener('install', (event) => event.waitUntil(fetch('/from-sw.json')))"),
    '/from-sw.json': file('application/json', '{}'),
  },
  'ads.other.test': {
    '/frame': '<title>Ad</title><script src="/tracker.js"></script><img src="/pixel.gif">',
    '/tracker.js': file(
      'text/javascript',
      "fetch('/agent?' + encodeURIComponent(navigator.userAgent + '|' + (navigator.userAgentData?.platform ?? '')))",
    ),
    '/pixel.gif': redirect('https://pixel.third.test/pixel.gif'),
    '/agent': file('application/json', '{}'),
  },
  'pixel.third.test': { '/pixel.gif': file('image/gif', GIF) },
  'api.other.test': { '/data': file('application/json', '{}', OPEN) },
  'beacon.other.test': { '/collect': (_request, response) => response.writeHead(204).end() },
  'plain.test': {
    '/': '<title>Plain</title><link rel="stylesheet" href="/big.css"><script src="http://plain.test/a.js"></script>',
    '/a.js': file('text/javascript', '1'),
    '/big.css': file('text/css', `/*${'x'.repeat(299_996)}*/`),
    '/endless': '<title>Never idle</title><script>setInterval(() => fetch("/tick?" + Math.random()), 200)</script>',
    '/tick': file('text/plain', 'tick'),
    '/download': (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment' }).end('PK'),
    '/slow': '<title>Slow</title><img src="/never.gif">',
    '/never.gif': (_request, response) => void hold(response),
  },
};

/** Sends nothing as long as anybody waits. */
async function hold(response: ServerResponse): Promise<void> {
  while (!response.destroyed) await sleep(50);
}
