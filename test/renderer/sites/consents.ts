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
  ({ markup, api = '' }: { markup: string; api?: string }): Answer =>
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
    }, 50));`);
  };

const page = `<!doctype html><script src="/cmp.js"></script><style>body{margin:0;background:${PAGE}}</style><h1>News of the day</h1><p>Something happened.</p>`;

/** One site for each manager, which hears what was chosen at `/chose?refused` or `/chose?accepted`. */
export const consentSites: Sites = {
  ...Object.fromEntries(MANAGER_NAMES.map((name) => [`${name}.test`, { '/': page, '/cmp.js': script(MANAGERS[name]!), '/chose': '' }])),
  'sp-frame.test': {
    '/index.html': `<!doctype html><body style="background:${DIALOG}">${SAYS}<button class="sp_choice_type_11" onclick="parent.postMessage('accepted','*')">Accept</button><button class="sp_choice_type_13" onclick="parent.postMessage('refused','*')">Reject all</button>`,
  },
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
