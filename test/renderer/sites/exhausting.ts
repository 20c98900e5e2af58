import type { ServerResponse } from 'node:http';
import type { Sites } from './serve.ts';

const page = (body: string): string => `<!doctype html><title>exhausting</title><h1 style="background: #0a0">Still here</h1>${body}`;
const script = (code: string): string => page(`<script>${code}</script>`);
const after = (code: string): string => script(`addEventListener('load', () => setTimeout(() => { ${code} }, 100))`);

/** Writes on as long as it is read. */
function endless(response: ServerResponse, chunk: string): void {
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more).on('error', () => {});
  more();
}

/** Pages that take what they can get, by path. What they take at once is bounded here where a test would suffer rather than a browser. */
export const EXHAUSTING: Sites[string] = {
  '/forever': script('while (true);'),
  '/forever-later': after('while (true);'),
  '/alerts': script('for (;;) alert(1);'),
  '/confirms': after('for (;;) confirm(prompt(1));'),
  '/prints': after('for (;;) print();'),
  '/windows': script('for (let i = 0; i < 500; i++) open("/forever");'),
  '/leave-me-not': script('onbeforeunload = (e) => { e.preventDefault(); return "stay" }; document.onclick = () => {};'),
  '/heap': after('const all = []; for (;;) all.push(new Array(1e6).fill({}));'),
  '/buffers': after('const all = []; try { for (;;) all.push(new Uint8Array(256 * 1024 * 1024).fill(1)) } catch {}'),
  '/strings': after('let s = "x"; try { for (;;) s += s + Math.random() } catch {}'),
  '/canvas': page('<canvas id="c" width="32767" height="32767"></canvas><script>c.getContext("2d").fillRect(0, 0, 32767, 32767)</script>'),
  '/canvases': after(
    'for (let i = 0; i < 40; i++) { const c = document.createElement("canvas"); c.width = c.height = 8192; c.getContext("2d").fillRect(0, 0, 8192, 8192); document.body.append(c) }',
  ),
  '/frames': page('<iframe src="about:blank"></iframe>'.repeat(2_000)),
  '/fork-bomb': page('<iframe src="/fork-bomb?a"></iframe><iframe src="/fork-bomb?b"></iframe>'),
  '/workers': script('for (let i = 0; i < 10000; i++) new Worker(URL.createObjectURL(new Blob(["for(;;);"])));'),
  '/nodes': after('for (;;) document.body.append(...Array.from({ length: 1e4 }, () => document.createElement("p")));'),
  '/styles': page(`<style>${'div '.repeat(200)}{color:red}</style>${'<div>'.repeat(5_000)}`),
  '/redirects': (request, response) => {
    const n = Number(new URL(request.url!, 'http://x/').searchParams.get('n') ?? 0);
    response.writeHead(302, { location: `/redirects?n=${n + 1}` }).end();
  },
  '/refreshes': page('<meta http-equiv="refresh" content="0; url=/refreshes">'),
  '/reloads': script('location.reload()'),
  '/writes': script('for (;;) document.write("<p>more".repeat(1000))'),
  '/never-idle': page('<script>setInterval(() => fetch("/tick?" + Math.random()), 20)</script>'),
  '/histories': after('for (;;) history.pushState({}, "", "/never-idle?" + Math.random())'),
  '/endless': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write(page(''));
    endless(response, '<p>and more</p>'.repeat(4_000));
  },
  '/endless-image': page('<img src="/endless-image.png">'),
  '/endless-image.png': (_request, response) => endless(response.writeHead(200, { 'content-type': 'image/png' }), 'x'.repeat(65_536)),
  '/endless-download': (_request, response) =>
    endless(
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' }),
      'x'.repeat(65_536),
    ),
  '/dripping': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write(page(''));
    const timer = setInterval(() => response.write('<p>.'), 100);
    response.once('close', () => clearInterval(timer));
  },
  '/silent': () => {},
  '/fifty-mb': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.end('0123456789abcdef'.repeat((50 * 1024 * 1024) / 16));
  },
  '/entities': (_request, response) => {
    const levels = Array.from({ length: 12 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('');
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(`<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "ha">${levels}]><x>&e12;</x>`);
  },
  '/victim': page(Array.from({ length: 10_000 }, (_, i) => `<img src="http://victim.test/?${i}">`).join('')),
  '/shader': after(
    'const g = document.createElement("canvas").getContext("webgl"); for (let i = 0; g && i < 1e9; i++) g.getParameter(g.VERSION); while (!g);',
  ),
};
