/**
 * Code for a page: takes away what still covers it to ask for a consent, and gives back the scrolling. It must speak of cookies or privacy, have
 * something to press that answers it, and lie over the page; what is a part of the page (a header, a form, an article) stays. A button that refuses
 * is pressed first. Its value is the number of things taken away.
 */
export const REMOVE_CONSENT_OVERLAYS = `((wasRefused) => {
  const ABOUT = /\\b(we( and our [^.]{0,40})? use|uses?|using|store|verwende[nt]|nutze[nt]|utilis(e|ons|ent)|utiliza(mos)?|usamos|utilizziamo|usa|gebruik(en|t)|används?|bruger|używa)\\b[^.!?]{0,60}\\b(cookies?|trackers|traceurs|similar technolog)|\\bcookie(s)?[ -]?(policy|consent|settings|notice|preferences|richtlinie|einstellungen|hinweis|beleid|instellingen)|(value|respect|care about) your privacy|your privacy (choices|matters)|ihre privatsphäre|votre vie privée|su privacidad|la tua privacy|datenschutzeinstellungen|gestion des cookies|クッキー|cookie を/i;
  const ANSWER = /^(\\W*)(accept|agree|allow|reject|decline|refuse|deny|got it|ok(ay)?|i understand|continue|close|dismiss|necessary only|only (necessary|essential)|essential|manage|settings|preferences|akzeptieren|alle akzeptieren|zustimmen|einverstanden|ablehnen|nur notwendige|verstanden|speichern|tout accepter|accepter|refuser|continuer sans|j'accepte|aceptar|rechazar|entendido|accetta|rifiuta|ho capito|accepteren|weigeren|akkoord|acceptera|godkänn|akceptuj|zgadzam|odrzuć|同意|拒否)/i;
  const REFUSE = /^(\\W*)(reject|decline|refuse|deny|only (necessary|essential)|necessary only|essential only|use necessary|ablehnen|alle ablehnen|nur notwendige|tout refuser|refuser|continuer sans accepter|rechazar|rifiuta|weigeren|alles weigeren|avvisa|odrzuć|拒否)/i;
  const NAMED = /consent|cookie|gdpr|ccpa|\\bcmp\\b|onetrust|didomi|truste|usercentrics|sp_message|klaro|osano|quantcast|qc-cmp/i;
  const named = (element) => NAMED.test([element.id, element.getAttribute('class') ?? '', element.getAttribute('title') ?? '', element.getAttribute('aria-label') ?? '', element.getAttribute('src') ?? ''].join(' '));
  const all = [];
  const walk = (root) => { for (const element of root.querySelectorAll('*')) { if (all.length > 20000) return; all.push(element); if (element.shadowRoot) walk(element.shadowRoot); } };
  if (document.body === null) return 0;
  walk(document);
  const floats = (element) => { const { position, visibility, display } = getComputedStyle(element); return (position === 'fixed' || position === 'sticky' || (element.localName === 'dialog' && element.open)) && visibility !== 'hidden' && display !== 'none'; };
  const sized = (element) => { const { width, height } = element.getBoundingClientRect(); return width > 120 && height > 20; };
  const isPage = (element) => element.matches('header,nav,main,article,footer:not([class*=cookie]),html,body') || element.querySelector('main,article,nav,input[type=password],input[type=search],input[type=email]') !== null;
  const buttons = (element) => [...element.querySelectorAll('button,[role=button],a,input[type=button],input[type=submit]')].filter((button) => button.getBoundingClientRect().width > 0);
  const label = (button) => (button.innerText || button.value || button.getAttribute('aria-label') || '').trim().slice(0, 60);
  const asks = (element) => {
    const text = (element.shadowRoot ? element.shadowRoot.textContent : element.innerText) ?? '';
    if (text.length < 20 || text.length > 6000 || !ABOUT.test(text)) return false;
    return buttons(element.shadowRoot ?? element).some((button) => ANSWER.test(label(button)));
  };
  const hide = (element) => element.style.setProperty('display', 'none', 'important');
  const covering = all.filter((element) => floats(element) && (sized(element) || element.shadowRoot) && !isPage(element));
  let removed = 0;
  for (const element of covering) {
    if (!asks(element) && !(element.localName === 'iframe' && named(element)) && !(element.querySelector('iframe') !== null && named(element) && (element.innerText ?? '').trim().length < 200)) continue;
    const refuse = buttons(element.shadowRoot ?? element).find((button) => REFUSE.test(label(button)) && !(button.localName === 'a' && /^https?:/.test(button.getAttribute('href') ?? '')));
    refuse?.click();
    hide(element);
    removed++;
  }
  if (removed === 0 && !wasRefused) return 0;
  for (const element of covering) {
    const { width, height } = element.getBoundingClientRect();
    const isVeil = width >= innerWidth * 0.95 && height >= innerHeight * 0.95 && (element.innerText ?? '').trim() === '' && element.querySelector('img,video,canvas,iframe,svg') === null;
    if (isVeil || (named(element) && (element.innerText ?? '').trim() === '')) hide(element);
  }
  for (const element of [document.documentElement, document.body]) {
    const { overflowY, position } = getComputedStyle(element);
    if (overflowY === 'hidden' || overflowY === 'clip') element.style.setProperty('overflow', 'visible', 'important');
    if (position === 'fixed') element.style.setProperty('position', 'static', 'important');
  }
  return removed;
})`;
