import type { IncomingMessage, ServerResponse } from 'node:http';
import sharp from 'sharp';
import type { Sites } from './serve.ts';

export const page = (body: string, style = '') => `<!doctype html><title>T</title><style>html,body{margin:0}${style}</style>${body}`;
const block = (height: number, colour: string, more = '') => `<div style="height:${height}px;background:${colour};${more}"></div>`;
const picture = await sharp({ create: { width: 100, height: 100, channels: 3, background: 'blue' } })
  .png()
  .toBuffer();
/** So many that a page does not look unfinished. */
const words = '<p>There is a page here, with more to read than a sign that something comes.</p>';
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
    '/members': (request, response) =>
      request.headers.authorization === undefined
        ? response.writeHead(401, { 'www-authenticate': 'Basic realm="members"', 'content-type': 'text/html' }).end(page(block(200, 'red')))
        : response
            .writeHead(200, { 'content-type': 'text/html' })
            .end(page(`${block(200, 'blue')}<img src="/own.png"><img src="http://b.test/i.png">`)),
    '/to-members': (_request, response) => response.writeHead(302, { location: 'http://user:secret@a.test/members' }).end(),
    '/to-government': (_request, response) => response.writeHead(302, { location: 'http://city.gov/' }).end(),
    '/to-inner': (_request, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    '/to-inner-name': (_request, response) => response.writeHead(302, { location: 'http://inner.test/' }).end(),
    '/script-to-inner': page('<script>location = "http://10.0.0.1/"</script>'),
    '/uses-b': page('<img src="http://b.test/i.png"><img src="/own.png"><script>fetch("/own.json")</script>'),
    '/own.png': image,
    '/own.json': typed('application/json', '{}'),
    '/agent': page(
      '<script>document.title = JSON.stringify([navigator.userAgent, navigator.userAgentData?.platform ?? "", devicePixelRatio, innerWidth, innerHeight, navigator.maxTouchPoints, navigator.languages.join()])</script>',
      '',
    ).replace('<title>', '<meta name="viewport" content="width=device-width"><title>'),
    '/processors': page(
      `<script>
      const own = navigator.hardwareConcurrency;
      const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(navigator.hardwareConcurrency)'])));
      worker.onmessage = ({ data }) => document.title = JSON.stringify([own, data, frames[0].navigator.hardwareConcurrency]);</script><iframe></iframe>`,
      '',
    ),
    '/asks': page(
      `${block(200, 'red')}${words}<script>
      alert(1); if (confirm('x')) document.body.style.background = 'blue'; prompt('y'); window.open('/next'); print();
      onbeforeunload = () => 'stay'; Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => {});</script>`,
    ),
    '/loop': page(`${block(200, 'red')}<script>for (;;) alert(1)</script>`),
    '/spin': page(`${block(200, 'red')}<script>while (true);</script>`),
    '/never-idle': page(
      `${block(200, 'red')}${words}<script>new EventSource('/stream'); setInterval(() => fetch('/own.json?' + Math.random()), 50)</script>`,
    ),
    '/never-loaded': page(`${block(200, 'red')}<img src="/stream">`),
    '/stream': never,
    '/reloads': page(`${block(200, 'red')}${words}<script>setTimeout(() => location.reload(), 30)</script>`),
    '/by-script': page(
      '<div id="d"></div><script>d.style.cssText = "height:200px;background:red"</script><noscript><div style="height:200px;background:blue"></div></noscript>',
    ),
    '/late': page(
      '<div id="d" style="height:200px;background:red"></div><p>There is a page here, with more to read than a sign that something comes.</p><script>setTimeout(() => { d.style.background = "blue" }, 700)</script>',
    ),
    '/transparent': page(block(200, 'rgba(255,0,0,1)')),
    '/with-images': page(
      `<img src="/own.png" width="100" height="100" style="display:block">${block(100, 'red')}<img style="display:block" src="data:image/png;base64,${picture.toString('base64')}">`,
    ),
  },
  'b.test': { '/': page(block(200, 'green')), '/i.png': image, '/frame': '<!doctype html><body style="background:blue">' },
  // They never come to rest by themselves, or not at once.
  'rest.test': {
    // An entrance that nobody has to wait for, one that never ends, and what a script of the page's own does after a while.
    '/entrance': page(
      `${words}<div class="in">${block(100, 'red')}</div><div id="late" style="height:100px"></div><div class="round"></div>
      <script>setTimeout(() => { late.style.background = 'green' }, 250)</script>`,
      'p{margin:0;height:100px}.in{animation:in 20s -12s both}.round{width:100px;height:100px;background:blue;animation:round 1s linear infinite}@keyframes in{from{opacity:0}99%{opacity:0}}@keyframes round{to{transform:translateX(9px)}}',
    ),
    // Nothing is there before its script has worked, waited, and asked for it.
    '/application': page('<div id="root"></div><script src="/application.js"></script>'),
    '/application.js': typed(
      'text/javascript',
      `setTimeout(() => { const until = performance.now() + 500; while (performance.now() < until);
        setTimeout(() => fetch('/data').then((answer) => answer.text()).then((text) => { root.innerHTML = text }), 600) }, 0)`,
    ),
    '/data': (_request, response) => void setTimeout(() => html(words + block(200, 'red'))(_request, response), 100),
    // Its page is there, behind a curtain.
    '/loading': page(
      `${block(200, 'red')}${words}<div id="curtain" style="position:fixed;inset:0;background:white">Loading…</div><script>onload = () => setTimeout(() => curtain.remove(), 1_200)</script>`,
    ),
    '/to-mail': page(`${block(200, 'red')}${words}<script>location = 'mailto:someone@example.org'</script>`),
    '/to-nothing': page(`${block(200, 'red')}${words}<script>location = '/nothing'</script>`),
    '/nothing': (_request, response) => response.writeHead(204).end(),
    '/to-file': page(`${block(200, 'red')}${words}<script>location = '/file.zip'</script>`),
    '/file.zip': (_request, response) => response.writeHead(200, { 'content-type': 'application/zip' }).end('PK'),
    // It thinks better of it.
    '/to-b': page(
      `${block(200, 'red')}${words}<script>location = 'mailto:x@b.test'; setTimeout(() => { location = 'http://b.test/' }, 100)</script>`,
    ),
  },
  'long.test': {
    // Red, then 19,900 px of white, the last 100 blue.
    '/20000': page(block(100, 'red') + block(19_800, 'white') + block(100, 'blue')),
    '/9000': page(block(100, 'red') + block(8_800, 'white') + block(100, 'blue')),
    '/sticky': page(
      `<header style="position:sticky;top:0;height:50px;background:red"></header>${block(3_000, 'white')}<footer style="height:50px;background:green"></footer><div style="position:fixed;bottom:0;height:40px;width:100%;background:blue"></div>`,
    ),
    '/100vh': page(`<div style="height:100vh;background:red"></div>${block(2_000, 'blue')}`),
    // Reaches 5,000 px to the left of what a window shows.
    '/right-to-left': page(
      `<a style="position:absolute;left:-5000px">x</a><div style="width:100px;height:100px;background:red"></div><div style="width:1500px;height:50px;background:green"></div>${block(1_000, 'white')}`,
    ).replace('<title>', '<html dir="rtl"><title>'),
    // What is drawn, or fetched, only where somebody looks.
    '/late': page(
      `${block(1_000, 'red')}${Array.from({ length: 4 }, () => `<section style="height:1000px"><div style="height:1000px;background:green"></div></section>`).join('')}
      <div style="height:500px;content-visibility:hidden"><div style="height:400px;background:red"></div></div>
      <div class="seen" style="height:500px"></div><div style="height:500px;background:linear-gradient(green,green) fixed"></div>
      <iframe loading="lazy" src="http://b.test/frame" style="display:block;height:500px;width:100%;border:0"></iframe>
      <script>new IntersectionObserver(([{ isIntersecting, target }]) => { if (isIntersecting) target.style.backgroundImage = 'url(/slow.png)' }).observe(document.querySelector('.seen'))</script>`,
      'section{content-visibility:auto;contain-intrinsic-size:auto 1000px}',
    ),
    '/slow.png': (request, response) => void setTimeout(() => image(request, response), 300),
    // Scrolls within itself, and has something as high as half of the window.
    '/application': page(
      `<header style="height:50px;background:blue"></header><main style="position:absolute;top:50px;bottom:0;width:100%;overflow:auto"><div style="height:50vh;background:red"></div>${block(2_000, 'green')}<div style="height:50px;background:blue"></div></main>`,
      'html,body{height:100%}',
    ),
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
