import type { Sites } from './serve.ts';

/** Where a vector is to lead: `http://host:port`, and the same for WebSockets and TLS. */
export interface Reach {
  http: string;
  ws: string;
  https: string;
  /** `host:port`. */
  authority: string;
}

export const reachOf = (authority: string): Reach => ({
  http: `http://${authority}`,
  ws: `ws://${authority}`,
  https: `https://${authority}`,
  authority,
});

const inWorker = (code: string): string => `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}])))`;
const script = (code: string): string => `<script>try { ${code} } catch {}</script>`;

/** Ways in which a page asks for something while it stays where it is, by name; each asks for the path of its name. */
export const QUIET_VECTORS: Record<string, (to: Reach, path: string) => string> = {
  iframe: ({ http }, path) => `<iframe src="${http}${path}"></iframe>`,
  srcdoc: ({ http }, path) => `<iframe srcdoc="<img src='${http}${path}'>"></iframe>`,
  object: ({ http }, path) => `<object data="${http}${path}"></object>`,
  embed: ({ http }, path) => `<embed src="${http}${path}">`,
  image: ({ http }, path) => `<img src="${http}${path}">`,
  srcset: ({ http }, path) => `<img srcset="${http}${path} 1x">`,
  'lazy-image': ({ http }, path) => `<img loading="lazy" src="${http}${path}">`,
  'input-image': ({ http }, path) => `<input type="image" src="${http}${path}">`,
  'body-background': ({ http }, path) => `<table background="${http}${path}"><tr><td>x</table>`,
  'css-import': ({ http }, path) => `<style>@import url("${http}${path}");</style>`,
  'css-image': ({ http }, path) => `<p style="background: url('${http}${path}')">x</p>`,
  'css-mask': ({ http }, path) => `<p style="mask-image: url('${http}${path}')">x</p>`,
  font: ({ http }, path) => `<style>@font-face { font-family: f; src: url("${http}${path}") } b { font-family: f }</style><b>x</b>`,
  video: ({ http }, path) => `<video src="${http}${path}" autoplay muted></video>`,
  poster: ({ http }, path) => `<video poster="${http}${path}"></video>`,
  audio: ({ http }, path) => `<audio src="${http}${path}" preload="auto"></audio>`,
  'svg-image': ({ http }, path) => `<svg><image href="${http}${path}"/></svg>`,
  'svg-filter': ({ http }, path) =>
    `<svg><filter id="f"><feImage href="${http}${path}"/></filter><rect filter="url(#f)" width="9" height="9"/></svg>`,
  stylesheet: ({ http }, path) => `<link rel="stylesheet" href="${http}${path}">`,
  preload: ({ http }, path) => `<link rel="preload" as="image" href="${http}${path}">`,
  modulepreload: ({ http }, path) => `<link rel="modulepreload" href="${http}${path}">`,
  prefetch: ({ http }, path) => `<link rel="prefetch" href="${http}${path}">`,
  script: ({ http }, path) => `<script src="${http}${path}"></script>`,
  module: ({ http }, path) => `<script type="module">import "${http}${path}"</script>`,
  'dynamic-import': ({ http }, path) => script(`import("${http}${path}").catch(() => {})`),
  fetch: ({ http }, path) => script(`fetch("${http}${path}").catch(() => {})`),
  'fetch-no-cors': ({ http }, path) => script(`fetch("${http}${path}", { mode: "no-cors" }).catch(() => {})`),
  preflight: ({ http }, path) => script(`fetch("${http}${path}", { method: "PUT", headers: { "x-y": "1" } }).catch(() => {})`),
  keepalive: ({ http }, path) => script(`fetch("${http}${path}", { method: "POST", keepalive: true, mode: "no-cors" }).catch(() => {})`),
  xhr: ({ http }, path) => script(`const r = new XMLHttpRequest(); r.open("GET", "${http}${path}"); r.send()`),
  beacon: ({ http }, path) => script(`navigator.sendBeacon("${http}${path}")`),
  'event-source': ({ http }, path) => script(`new EventSource("${http}${path}")`),
  websocket: ({ ws }, path) => script(`new WebSocket("${ws}${path}")`),
  'worker-fetch': ({ http }, path) => script(inWorker(`fetch("${http}${path}", { mode: "no-cors" })`)),
  'worker-xhr': ({ http }, path) => script(inWorker(`const r = new XMLHttpRequest(); r.open("GET", "${http}${path}", false); r.send()`)),
  'worker-websocket': ({ ws }, path) => script(inWorker(`new WebSocket("${ws}${path}")`)),
  'worker-import': ({ http }, path) => script(inWorker(`importScripts("${http}${path}")`)),
  'nested-worker': ({ http }, path) => script(inWorker(inWorker(`fetch("${http}${path}", { mode: "no-cors" })`))),
  'shared-worker': ({ http }, path) =>
    script(`new SharedWorker(URL.createObjectURL(new Blob(['fetch("${http}${path}", { mode: "no-cors" })'])))`),
  'form-in-frame': ({ http }, path) =>
    `<iframe name="f-${path.slice(1)}"></iframe><form id="form-${path.slice(1)}" target="f-${path.slice(1)}" method="post" action="${http}${path}"></form>${script(`document.getElementById("form-${path.slice(1)}").submit()`)}`,
  'frame-location': ({ http }, path) => `<iframe srcdoc="<script>location = '${http}${path}'</script>"></iframe>`,
  'frame-refresh': ({ http }, path) => `<iframe srcdoc="<meta http-equiv=refresh content='0; url=${http}${path}'>"></iframe>`,
  'frame-redirect': ({ http }, path) => `<iframe src="/redirect?to=${encodeURIComponent(http + path)}"></iframe>`,
  'image-redirect': ({ http }, path) => `<img src="/redirect?to=${encodeURIComponent(http + path)}">`,
  'fetch-redirect': ({ http }, path) =>
    script(`fetch("/redirect?to=${encodeURIComponent(http + path)}", { mode: "no-cors" }).catch(() => {})`),
  'document-write': ({ http }, path) => script(`document.write('<img src="${http}${path}">')`),
  'font-face-api': ({ http }, path) => script(`new FontFace("g", "url(${http}${path})").load().catch(() => {})`),
};

/** Ways that need no page of their own either, but of which a server sees no request of that path: a connection, a datagram, a question to the DNS, or nothing. */
const SILENT_VECTORS: Record<string, (to: Reach) => string> = {
  preconnect: ({ http }) => `<link rel="preconnect" href="${http}">`,
  'dns-prefetch': ({ http }) => `<link rel="dns-prefetch" href="${http}"><link rel="dns-prefetch" href="//canary-prefetch.test">`,
  speculation: ({ http }) =>
    `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${http}/speculation"]}],"prerender":[{"source":"list","urls":["${http}/prerender"]}]}</script>`,
  stun: ({ authority }) =>
    script(
      `const p = new RTCPeerConnection({ iceServers: [{ urls: "stun:${authority}" }, { urls: "turn:${authority}", username: "a", credential: "b" }, { urls: "turn:${authority}?transport=tcp", username: "a", credential: "b" }, { urls: "turns:${authority}", username: "a", credential: "b" }] }); p.createDataChannel("x"); p.createOffer().then((o) => p.setLocalDescription(o))`,
    ),
  webtransport: ({ https }) => script(`new WebTransport("${https}/wt")`),
  ping: ({ http }) => `<a id="ping" href="#x" ping="${http}/ping">x</a>${script(`document.getElementById("ping").click()`)}`,
  ftp: ({ authority }) => `<img src="ftp://${authority}/x"><iframe src="ftp://${authority}/x"></iframe>`,
  file: () => `<iframe src="file:///proc/self/environ"></iframe><img src="file:///etc/passwd"><base target="_blank">`,
  'own-pages': () =>
    `<iframe src="chrome://version"></iframe><iframe src="view-source:http://shop.test/"></iframe><iframe src="chrome-extension://x/y"></iframe><iframe src="devtools://devtools/x"></iframe>`,
  'data-frame': ({ http }) => `<iframe src="data:text/html,<img src='${http}/data-frame'>"></iframe>`,
  'blob-frame': ({ http }) =>
    script(
      `const f = document.body.appendChild(document.createElement("iframe")); f.src = URL.createObjectURL(new Blob(['<img src="${http}/blob-frame">'], { type: "text/html" }))`,
    ),
  'script-url': ({ http }) => `<iframe src="javascript:'<img src=${http}/script-url>'"></iframe>`,
  icon: ({ http }) => `<link rel="icon" href="${http}/icon">`,
  manifest: ({ http }) => `<link rel="manifest" href="${http}/manifest">`,
  download: ({ http }) => `<a id="download" download href="${http}/download">x</a>${script(`document.getElementById("download").click()`)}`,
  popup: ({ http }) => script(`window.open("${http}/popup"); window.open("about:blank").location = "${http}/popup2"`),
  anchor: ({ http }) => `<a id="anchor" target="_blank" href="${http}/anchor">x</a>${script(`document.getElementById("anchor").click()`)}`,
};

/** Ways in which a page leaves for elsewhere, each a page of its own. */
export const LEAVING_VECTORS: Record<string, (url: string) => string> = {
  'meta-refresh': (url) => `<meta http-equiv="refresh" content="0; url=${url}"><p>leaving`,
  location: (url) => `<p>leaving<script>location = ${JSON.stringify(url)}</script>`,
  replace: (url) => `<p>leaving<script>onload = () => location.replace(${JSON.stringify(url)})</script>`,
  form: (url) => `<form id="f" method="post" action="${url}"></form><script>document.getElementById('f').submit()</script>`,
  click: (url) => `<a id="a" href="${url}">x</a><script>document.getElementById('a').click()</script>`,
  'top-of-frame': (url) => `<iframe srcdoc="<script>top.location = '${url}'</script>"></iframe>`,
  'answered-redirect': (url) => `<script>location = "/redirect?to=${encodeURIComponent(url)}"</script>`,
};

/** All quiet vectors in one page. */
export const quietPage = (to: Reach): string =>
  `<!doctype html><title>quiet</title><h1>Everything</h1>${Object.entries(QUIET_VECTORS)
    .map(([name, vector]) => vector(to, `/${name}`))
    .join('\n')}<p id="end">end</p>`;

export const silentPage = (to: Reach): string =>
  `<!doctype html><title>silent</title><h1>Everything</h1>${Object.values(SILENT_VECTORS)
    .map((vector) => vector(to))
    .join('\n')}<p id="end">end</p>`;

/** What the pages need of the site they come from. */
export const helpers: Sites[string] = {
  '/redirect': (request, response) => {
    const to = new URL(request.url!, 'http://x/').searchParams.get('to')!;
    response.writeHead(302, { location: to }).end();
  },
};
