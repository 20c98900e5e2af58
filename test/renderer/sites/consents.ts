import type { Answer, Sites } from './serve.ts';

/** A colour that only consent dialogs have here. */
export const DIALOG = '#ff00ff';
export const PAGE = '#008000';

const SAYS = 'We use cookies and similar technologies to personalise content. Your choices can be changed at any time.';
const button = (attributes: string, does: 'refused' | 'accepted', text: string) =>
  `<button ${attributes} onclick="choose('${does}')">${text}</button>`;
const box = (attributes: string, inner: string) =>
  `<div ${attributes} style="position:fixed;left:0;right:0;bottom:0;height:300px;background:${DIALOG};z-index:999">${inner}</div>`;

/** What a manager's script writes into the page: markup as the real ones have it, and what their APIs say of it. */
const MANAGERS: Record<string, { markup: string; api?: string }> = {
  onetrust: {
    markup: `<div id="onetrust-consent-sdk"><div class="onetrust-pc-dark-filter"></div>${box('id="onetrust-banner-sdk" role="region"', `<div id="onetrust-policy-text">${SAYS}</div>${button('id="onetrust-accept-btn-handler"', 'accepted', 'Accept All Cookies')}${button('id="onetrust-reject-all-handler"', 'refused', 'Reject All')}`)}</div>`,
  },
  cookiebot: {
    markup: box(
      'id="CybotCookiebotDialog" role="dialog"',
      `${SAYS}${button('id="CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll"', 'refused', 'Deny')}${button('id="CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll"', 'accepted', 'Allow all')}`,
    ),
    api: 'window.Cookiebot = { hasResponse: false, dialog: { visible: true } };',
  },
  didomi: {
    markup: `<div id="didomi-host" aria-hidden="false">${box('id="didomi-popup" class="didomi-popup-container"', `<div id="didomi-notice">${SAYS}${button('id="didomi-notice-agree-button"', 'accepted', 'Agree and close')}${button('id="didomi-notice-disagree-button"', 'refused', 'Disagree and close')}</div>`)}</div>`,
  },
  quantcast: {
    markup: `<div id="qc-cmp2-container">${box('id="qc-cmp2-ui"', `${SAYS}<div class="qc-cmp2-summary-buttons">${button('mode="primary"', 'accepted', 'AGREE')}<button mode="secondary">MORE OPTIONS</button>${button('mode="secondary" id="disagree-btn"', 'refused', 'DISAGREE')}</div>`)}</div>`,
  },
  trustarc: {
    markup: box(
      'id="truste-consent-track"',
      `<div id="truste-consent-content">${SAYS}</div>${button('id="truste-consent-button"', 'accepted', 'Agree and Proceed')}${button('id="truste-consent-required"', 'refused', 'Required Cookies Only')}<a id="truste-show-consent">More</a>`,
    ),
  },
  usercentrics: {
    markup: '<div id="usercentrics-root"></div>',
    api: `window.UC_UI = { isInitialized: () => true };
      const shadow = document.getElementById('usercentrics-root').attachShadow({ mode: 'open' });
      shadow.innerHTML = ${JSON.stringify(box('data-testid="uc-container"', `${SAYS}${button('data-testid="uc-accept-all-button"', 'accepted', 'Accept All')}${button('data-testid="uc-deny-all-button"', 'refused', 'Deny')}`))};
      document.getElementById('usercentrics-root').style.cssText = 'position:fixed;left:0;right:0;bottom:0;height:300px';`,
  },
  sourcepoint: {
    markup: `<div id="sp_message_container_1">${box('class="message-container"', '<iframe id="sp_message_iframe_1" title="SP Consent Message" src="http://sp-frame.test/index.html?message_id=1&consentUUID=2" style="width:100%;height:300px;border:0"></iframe>')}</div>`,
    api: `addEventListener('message', ({ data }) => choose(data));`,
  },
  klaro: {
    markup: `<div class="klaro">${box('class="cookie-notice"', `<div class="cn-body">${SAYS}${button('class="cm-btn cn-decline"', 'refused', 'I decline')}${button('class="cm-btn cm-btn-success"', 'accepted', 'That’s ok')}</div>`)}</div>`,
  },
  cookieyes: {
    markup: box(
      'class="cky-consent-container cky-box-bottom-left"',
      `${SAYS}${button('class="cky-btn" data-cky-tag="reject-button"', 'refused', 'Reject All')}${button('class="cky-btn" data-cky-tag="accept-button"', 'accepted', 'Accept All')}`,
    ),
  },
  osano: {
    markup: `<div class="osano-cm-window">${box('class="osano-cm-dialog osano-cm-dialog--type_bar" role="dialog"', `${SAYS}${button('class="osano-cm-accept-all"', 'accepted', 'Accept All')}${button('class="osano-cm-denyAll"', 'refused', 'Reject All')}`)}</div>`,
    api: 'window.Osano = { cm: { dialogOpen: true } };',
  },
};

export const MANAGER_NAMES = Object.keys(MANAGERS);

const script =
  ({ markup, api = '' }: { markup: string; api?: string }, after_ms = 50): Answer =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(`
    window.choose = (choice) => {
      fetch('/chose?' + choice);
      document.querySelector('#consent').remove();
      document.body.style.overflow = '';
    };
    addEventListener('DOMContentLoaded', () => setTimeout(() => {
      const root = document.createElement('div');
      root.id = 'consent';
      root.innerHTML = ${JSON.stringify(markup)};
      document.body.append(root);
      document.body.style.overflow = 'hidden';
      ${api}
    }, ${after_ms}));`);
  };

const page = `<!doctype html><script src="/cmp.js"></script><style>body{margin:0;background:${PAGE}}</style><h1>News of the day</h1><p>Something happened.</p>`;

/** Banners of nobody's make, each with a link for a button that refuses: what is said, and how is refused. */
const SPOKEN: readonly (readonly [says: string, refuses: string])[] = [
  ['Usamos cookies para melhorar a sua experiência.', 'Rejeitar tudo'],
  ['Мы используем файлы cookie для улучшения работы сайта.', 'Отклонить'],
  ['Size daha iyi bir deneyim sunmak için çerezleri kullanıyoruz.', 'Tümünü reddet'],
  ['Používáme soubory cookie ke zlepšení našich služeb.', 'Odmítnout'],
  ['이 사이트는 더 나은 서비스를 위해 쿠키를 사용합니다.', '모두 거부'],
  ['我们使用 Cookie 来改善您的体验。', '全部拒绝'],
  ['Weboldalunk sütiket használ a jobb élmény érdekében.', 'Elutasítom'],
  ['Folosim cookie-uri pentru a îmbunătăți experiența.', 'Refuz'],
  ['Χρησιμοποιούμε cookies για να βελτιώσουμε την εμπειρία σας.', 'Απόρριψη'],
  ['Käytämme evästeitä parantaaksemme palvelua.', 'Hylkää kaikki'],
  ['Ми використовуємо файли cookie для покращення роботи.', 'Відхилити'],
  ['نستخدم ملفات تعريف الارتباط لتحسين تجربتك.', 'رفض الكل'],
  ['אנו משתמשים בעוגיות כדי לשפר את החוויה שלך.', 'דחה הכל'],
  ['Wir nutzen Cookies für ein besseres Angebot.', 'Alle ablehnen'],
];
export const SPOKEN_COUNT = SPOKEN.length;
const spoken = SPOKEN.map(
  ([says, refuses], index) =>
    `<div style="position:fixed;left:0;right:0;bottom:${index * 38}px;height:36px;background:${DIALOG}">${says} <button>X</button><button onclick="fetch('/chose?refused')">${refuses}</button></div>`,
).join('');
const ORDINARY =
  '<p>An ordinary page that says what there is to say, at some length, so that nothing else has most of its words.</p>'.repeat(6);

/** One site for each manager, which hears what was chosen at `/chose?refused` or `/chose?accepted`. */
export const consentSites: Sites = {
  ...Object.fromEntries(MANAGER_NAMES.map((name) => [`${name}.test`, { '/': page, '/cmp.js': script(MANAGERS[name]!), '/chose': '' }])),
  'sp-frame.test': {
    '/index.html': `<!doctype html><body style="background:${DIALOG}">${SAYS}<button class="sp_choice_type_11" onclick="parent.postMessage('accepted','*')">Accept</button><button class="sp_choice_type_13" onclick="parent.postMessage('refused','*')">Reject all</button>`,
  },
  // Both are not there before somebody has waited for a while.
  'late.test': {
    '/': `<!doctype html><script src="/cmp.js"></script><style>body{margin:0;background:${PAGE}}</style><h1>News</h1>${ORDINARY}
      <script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<div style="position:fixed;top:300px;left:500px;width:300px;height:90px;background:${DIALOG}">We use cookies. <button onclick="fetch(&quot;/chose?home-made&quot;)">Reject</button></div>'), 2200)</script>`,
    '/cmp.js': script(MANAGERS['onetrust']!, 2_200),
    '/chose': '',
  },
  'spoken.test': {
    '/': `<!doctype html><meta charset="utf-8"><style>body{margin:0;background:${PAGE}}</style>${ORDINARY}${spoken}`,
    '/chose': '',
  },
  // Pushes the page down from its top; the other is as high on the page, and only lies there.
  'top.test': {
    '/': `<!doctype html><style>body{margin:0;background:${PAGE};position:relative}</style><div style="background:${DIALOG};padding:9px">This site uses cookies. <button>OK</button></div>
      <div style="position:absolute;left:0;right:0;top:500px;height:99px;background:${DIALOG}">We use cookies. <button>Accept</button></div>${ORDINARY}`,
  },
  // What speaks of cookies and is no consent.
  'application.test': {
    '/': `<!doctype html><style>body{margin:0}</style><div id="root" style="position:fixed;inset:0;background:${PAGE}"><h1>Privacy policy</h1>${'<p>We use cookies to keep you signed in. Our cookie policy says more about it.</p>'.repeat(3)}<button>Accept</button><button>Settings</button></div>`,
  },
  'documentation.test': {
    '/': `<!doctype html><style>body{margin:0;background:white}aside,.cart,iframe{position:fixed;background:${PAGE}}</style>
      <aside style="left:0;top:0;width:200px;height:300px">We use cookies: <ul><li><a href="#1">Continue reading</a><li><a href="#2">Cookie policy</a><li><a href="#3">Accept payments</a><li><a href="#4">Refuse payments</a></ul></aside>
      <div class="cart" style="left:0;top:300px;width:200px;height:100px">Oat cookies: 3. Ready in our store at noon. <button>Continue</button></div>
      <iframe title="Cookie Clicker" src="http://game.test/" style="left:0;top:400px;width:200px;height:200px;border:0"></iframe>
      <div style="margin-left:300px">${ORDINARY}</div>`,
  },
  'game.test': { '/': `<!doctype html><body style="background:${PAGE}">` },
  // Home-made ones, without any manager.
  'home-made.test': {
    '/': `<!doctype html><style>html,body{margin:0;overflow:hidden}body{background:${PAGE}}</style><h1>Bakery</h1>
      <div style="position:fixed;inset:0;background:rgba(0,0,0,.8)"></div>
      <div class="popup" style="position:fixed;top:300px;left:500px;width:500px;background:${DIALOG}"><p>This website uses cookies to improve your visit.</p>
      <button onclick="fetch('/chose?refused')">Reject</button><button onclick="fetch('/chose?accepted')">OK</button></div><div style="height:3000px"></div>`,
    '/chose': '',
  },
  'german.test': {
    '/': `<!doctype html><style>body{margin:0;background:${PAGE}}</style><h1>Bäckerei</h1>
      <dialog open style="position:fixed;bottom:0;width:100%;background:${DIALOG}">Wir verwenden auf dieser Seite Cookies. <button>Alle akzeptieren</button><a href="#" onclick="fetch('/chose?refused')">Nur notwendige</a></dialog>`,
    '/chose': '',
  },
};
