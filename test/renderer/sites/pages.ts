import type { IncomingMessage, ServerResponse } from 'node:http';
import sharp from 'sharp';
import type { Sites } from './serve.ts';

export const page = (body: string, style = '') => `<!doctype html><title>T</title><style>html,body{margin:0}${style}</style>${body}`;
const block = (height: number, colour: string, more = '') => `<div style="height:${height}px;background:${colour};${more}"></div>`;
const picture = await sharp({ create: { width: 100, height: 100, channels: 3, background: 'blue' } })
  .png()
  .toBuffer();
const html = (body: string) => (_request: IncomingMessage, response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end(body);
const typed = (type: string, body: string) => (_request: IncomingMessage, response: ServerResponse) =>
  response.writeHead(200, { 'content-type': type }).end(body);
const image = (_request: IncomingMessage, response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'image/png' }).end(picture);

/** Sends a page and never ends something that it has. */
const never = (_request: IncomingMessage, response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');

/** Pages whose pictures have to look a certain way. */
export const pictureSites: Sites = {
  'a.test': {
    '/': page(block(200, 'red') + block(100, 'blue')),
    '/next': page(block(200, 'green')),
    // 400 px where the user prefers dark colours, else 200.
    '/dark': page('<div class="d"></div>', '.d{height:200px;background:red}@media (prefers-color-scheme:dark){.d{background:blue}}'),
    '/text': typed('text/plain', 'plain text'),
    '/json': typed('application/json', '{"a":1}'),
    '/xml': typed('application/xml', '<a><b>1</b></a>'),
    '/image.png': image,
    '/file.zip': (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment; filename=a.zip' }).end('PK'),
    '/file.pdf': typed('application/pdf', '%PDF-1.7'),
    '/missing': (_request, response) => response.writeHead(404, { 'content-type': 'text/html' }).end(page(block(200, 'blue'))),
    '/empty': page('<div id="root"></div>'),
    '/to-b': (_request, response) => response.writeHead(302, { location: 'http://b.test/' }).end(),
    '/to-government': (_request, response) => response.writeHead(302, { location: 'http://city.gov/' }).end(),
    '/to-inner': (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    '/script-to-inner': page('<script>location = "http://10.0.0.1/"</script>'),
    '/uses-b': page('<img src="http://b.test/i.png"><img src="/own.png"><script>fetch("/own.json")</script>'),
    '/own.png': image,
    '/own.json': typed('application/json', '{}'),
    '/agent': page(
      '<script>document.title = JSON.stringify([navigator.userAgent, navigator.userAgentData?.platform ?? "", devicePixelRatio, innerWidth, innerHeight, navigator.maxTouchPoints, navigator.languages.join()])</script>',
      '',
    ).replace('<title>', '<meta name="viewport" content="width=device-width"><title>'),
    '/asks': page(
      `${block(200, 'red')}<script>
      alert(1); if (confirm('x')) document.body.style.background = 'blue'; prompt('y'); window.open('/next'); print();
      onbeforeunload = () => 'stay'; Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => {});</script>`,
    ),
    '/loop': page(`${block(200, 'red')}<script>for (;;) alert(1)</script>`),
    '/spin': page(`${block(200, 'red')}<script>while (true);</script>`),
    '/never-idle': page(
      `${block(200, 'red')}<script>new EventSource('/stream'); setInterval(() => fetch('/own.json?' + Math.random()), 50)</script>`,
    ),
    '/never-loaded': page(`${block(200, 'red')}<img src="/stream">`),
    '/stream': never,
    '/reloads': page(`${block(200, 'red')}<script>setTimeout(() => location.reload(), 30)</script>`),
    '/by-script': page(
      '<div id="d"></div><script>d.style.cssText = "height:200px;background:red"</script><noscript><div style="height:200px;background:blue"></div></noscript>',
    ),
    '/late': page(
      '<div id="d" style="height:200px;background:red"></div><script>setTimeout(() => { d.style.background = "blue" }, 700)</script>',
    ),
    '/transparent': page(block(200, 'rgba(255,0,0,1)')),
    '/with-images': page(
      `<img src="/own.png" width="100" height="100" style="display:block">${block(100, 'red')}<img style="display:block" src="data:image/png;base64,${picture.toString('base64')}">`,
    ),
  },
  'b.test': { '/': page(block(200, 'green')), '/i.png': image },
  'long.test': {
    // Red, then 19,900 px of white, the last 100 blue.
    '/20000': page(block(100, 'red') + block(19_800, 'white') + block(100, 'blue')),
    '/9000': page(block(100, 'red') + block(8_800, 'white') + block(100, 'blue')),
    '/sticky': page(
      `<header style="position:sticky;top:0;height:50px;background:red"></header>${block(3_000, 'white')}<footer style="height:50px;background:green"></footer><div style="position:fixed;bottom:0;height:40px;width:100%;background:blue"></div>`,
    ),
    '/100vh': page(`<div style="height:100vh;background:red"></div>${block(2_000, 'blue')}`),
    '/lazy': page(
      Array.from(
        { length: 40 },
        (_, row) =>
          `<div style="height:200px"><img ${row % 2 === 0 ? 'loading="lazy" src' : 'data-src'}="/i.png?${row}" width="100" height="100"></div>`,
      ).join('') +
        `<script>const o = new IntersectionObserver((seen) => { for (const { isIntersecting, target } of seen) if (isIntersecting) { target.src = target.dataset.src; o.unobserve(target); } });
        document.querySelectorAll('[data-src]').forEach((image) => o.observe(image));</script>`,
    ),
    '/i.png': image,
    '/infinite': page(
      `<div id="feed">${block(2_000, 'red')}</div><script>addEventListener('scroll', () => { feed.insertAdjacentHTML('beforeend', '${block(2_000, 'blue')}') })</script>`,
    ),
  },
};
void html;
