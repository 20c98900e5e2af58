import type { Sites } from './serve.ts';

export const AD = '#ff00ff';
export const PAGE = '#008000';
const ad = (path: string) => `<iframe src="${path}" width="728" height="90" style="border:0"></iframe>`;
const bar = `<div style="height:100px;background:blue"></div>`;

/** Content of pages whose ads have to go and whose own pictures have to stay. */
export const adSites: Sites = {
  'news.test': {
    '/': `<!doctype html><style>body{margin:0}header{position:sticky;top:0;height:60px;background:${PAGE}}.ad-label{font:12px sans-serif}</style>
      <header>News of the day</header>
      <div class="ad-wrap"><span class="ad-label">Advertisement</span>${ad('http://securepubads.doubleclick.net.test/x')}${ad('http://ads.adnxs.com/x')}</div>
      ${bar}
      <div class="banner" style="height:100px;background:url('/hero.svg')"></div>
      <script src="http://www.google-analytics.com/analytics.js"></script>
      <script src="/app.js"></script>`,
    '/hero.svg': (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'image/svg+xml' })
        .end('<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="100"><rect width="2000" height="100" fill="red"/></svg>'),
    '/app.js': '',
  },
  'ads.adnxs.com': { '/x': `<body style="background:${AD}">Buy!` },
  'www.google-analytics.com': { '/analytics.js': 'document.body.style.background = "red"' },
};

const shared = 'body{margin:0;font:16px sans-serif}header{position:sticky;top:0;height:80px;background:#224;color:#fff;z-index:9}';
const card = (text: string) => `<div class="card" style="float:left;width:200px;height:150px;margin:10px;background:#dde">${text}</div>`;

/** Home pages as such houses have them, with habits that careless removers take for ads or consents. */
export const homePages: Record<string, string> = {
  shop: `<!doctype html><style>${shared}.promo{height:120px;background:#fa0}.sticky-cart{position:fixed;right:0;bottom:0;width:300px;height:80px;background:#0a5;color:#fff}</style>
    <header><nav><a href="/">Cookies &amp; Cakes</a> <a href="/c">Chocolate cookies</a> <input type="search" placeholder="Search"></nav></header>
    <div class="promo banner">Only today: two cookies for one!</div>${['Oat cookie', 'Butter cookie', 'Brownie'].map(card).join('')}
    <div class="sticky-cart">Cart: 2 cookies <button>Continue</button></div><footer style="clear:both"><a href="/cookies">Cookie policy</a></footer>`,
  bank: `<!doctype html><style>${shared}</style><header>First Bank</header>
    <div role="dialog" style="position:fixed;top:150px;left:300px;width:400px;height:250px;background:#fff;border:2px solid #224"><h2>Log in</h2>
    <p>We use cookies to keep you logged in.</p><input type="password"><button>Continue</button></div><main><h1>Accounts</h1>${card('Savings')}</main>`,
  newspaper: `<!doctype html><style>${shared}.breaking{position:fixed;bottom:0;left:0;right:0;height:40px;background:#c00;color:#fff}.sponsor-content{background:#eef;height:100px}</style>
    <header>The Daily</header><main><article><h1>Regulator fines firm over cookie banners</h1><p>The privacy watchdog said that websites use cookies without consent. Readers can accept or reject.</p></article>
    <article class="sponsor-content">How we use cookies on this website: an investigation</article></main><div class="breaking">Breaking: weather <button>Close</button></div>`,
  documentation: `<!doctype html><style>${shared}aside{position:fixed;left:0;top:80px;bottom:0;width:200px;background:#f4f4f4}main{margin-left:220px}</style>
    <header>Docs</header><aside><nav><a href="#">Cookies API</a><br><a href="#">Consent API</a><br><a href="#">Ads API</a></nav></aside>
    <main><h1>document.cookie</h1><p>This site uses cookies in its examples. Accept defaults or decline them.</p><pre class="ad-example" style="background:#eee;height:60px">ads.show()</pre></main>`,
};
