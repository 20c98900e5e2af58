import { CONSENT } from './consent-words.ts';

const pattern = (source: string): string => `new RegExp(${JSON.stringify(source)}, 'iu')`;

/**
 * Code for a page: takes away what still covers it to ask for a consent, and gives back the scrolling. It must speak of cookies or privacy,
 * have something to press that answers it, and lie over the page or push it down from its top. Parts of the page stay: a header, a menu, a
 * form, an article, an element that fills the window with most of the text. A button that refuses is pressed first. Its value is the number
 * of things taken away.
 */
export const REMOVE_CONSENT_OVERLAYS = `((wasRefused) => {
  const ABOUT = ${pattern(CONSENT.about)}, ANSWER = ${pattern(CONSENT.answer)}, REFUSE = ${pattern(CONSENT.refuse)};
  const NAMED = /consent|cookie|gdpr|ccpa|\\bcmp\\b|onetrust|didomi|truste|usercentrics|sp_message|klaro|osano|quantcast|qc-cmp/i;
  const MANAGER = /consent|gdpr|ccpa|\\bcmp\\b|onetrust|didomi|truste|usercentrics|sp_message|klaro|osano|qc-cmp/i;
  const MANAGER_HOST = /(^|[.-])(consents?|consensu|cmp|gdpr|ccpa|privacy|cookie-?(consent|notice|banner|law|bot|yes|pro|script|first|information)|onetrust|cookielaw|trustarc|truste|sourcepoint|sp-prod|didomi|usercentrics|quantcast|iubenda|osano|termly|evidon)([.-]|$)/i;
  if (document.body === null) return 0;
  const all = [];
  const walk = (root) => { for (const element of root.querySelectorAll('*')) { if (all.length > 20000) return; all.push(element); if (element.shadowRoot) walk(element.shadowRoot); } };
  walk(document);
  const names = (element) => element.id + ' ' + (element.getAttribute('class') ?? '');
  const textOf = (element) => (element.innerText ?? '').trim();
  const positionOf = (element) => { const { position, visibility, display } = getComputedStyle(element); return visibility === 'hidden' || display === 'none' ? 'none' : position; };
  const floats = (element) => { const position = positionOf(element); return position === 'fixed' || position === 'sticky' || (element.localName === 'dialog' && element.open && position !== 'none'); };
  const sized = (element) => { const { width, height } = element.getBoundingClientRect(); return width > 120 && height > 20; };
  const covers = (element) => { const { width, height } = element.getBoundingClientRect(); return width >= innerWidth * 0.95 && height >= innerHeight * 0.95; };
  const isPage = (element) => element.matches('header,nav,main,article,footer:not([class*=cookie]),html,body') || element.querySelector('main,article,nav,input[type=password],input[type=search],input[type=email]') !== null;
  // An application that fills the window has its page in there.
  const pageText = textOf(document.body).length;
  const scrolls = (element) => element.scrollHeight > element.clientHeight + 8 && element.clientHeight > innerHeight * 0.6 && element.clientWidth > innerWidth * 0.6 && /auto|scroll/.test(getComputedStyle(element).overflowY);
  const isApplication = (element) => covers(element) && (textOf(element).length > pageText / 2 || [element, ...element.querySelectorAll('*')].slice(0, 5000).some(scrolls));
  const isMenu = (element) => { const links = [...element.querySelectorAll('a[href]')]; return links.length >= 4 && links.reduce((sum, link) => sum + textOf(link).length, 0) > textOf(element).length / 2; };
  const buttons = (element) => [...element.querySelectorAll('button,[role=button],a,input[type=button],input[type=submit]')].filter((button) => button.getBoundingClientRect().width > 0);
  const label = (button) => (button.innerText || button.value || button.getAttribute('aria-label') || '').trim().slice(0, 60);
  const asks = (element) => {
    const text = (element.shadowRoot ? element.shadowRoot.textContent : element.innerText) ?? '';
    if (text.length < 10 || text.length > 6000 || !ABOUT.test(text)) return false;
    return buttons(element.shadowRoot ?? element).some((button) => ANSWER.test(label(button)));
  };
  const hostOf = (frame) => { try { return new URL(frame.src).hostname; } catch { return ''; } };
  const isManagerFrame = (frame) => MANAGER_HOST.test(hostOf(frame)) || MANAGER.test(names(frame));
  const isFramed = (element) => element.localName === 'iframe' ? isManagerFrame(element) : NAMED.test(names(element)) && textOf(element).length < 200 && [...element.querySelectorAll('iframe')].some(isManagerFrame);
  const hidden = [];
  const hide = (element) => { hidden.push([element, element.style.display, element.style.getPropertyPriority('display')]); element.style.setProperty('display', 'none', 'important'); };
  const refuse = (element) => buttons(element.shadowRoot ?? element).find((button) => REFUSE.test(label(button)) && !(button.localName === 'a' && /^https?:/.test(button.getAttribute('href') ?? '')))?.click();
  const covering = all.filter((element) => floats(element) && (sized(element) || element.shadowRoot) && !isPage(element));
  let removed = 0;
  for (const element of covering) {
    if (!isFramed(element) && (!asks(element) || isMenu(element) || isApplication(element))) continue;
    refuse(element);
    hide(element);
    removed++;
  }
  // Elements at the top of the document, or over the page without being fixed to the window. The last is the outermost.
  const isBanner = (element) => {
    const position = positionOf(element);
    const { top, width, height } = element.getBoundingClientRect();
    if (position === 'none' || isPage(element) || element.querySelector('h1,form') !== null || width < innerWidth * 0.6 || height < 20 || height > innerHeight / 2) return false;
    if (position !== 'absolute' && top + scrollY > 5) return false;
    const text = textOf(element).length;
    return text <= 1500 && text < pageText / 2 && asks(element) && !isMenu(element);
  };
  for (const y of [10, 50, innerHeight - 10]) {
    const banner = document.elementsFromPoint(innerWidth / 2, y).findLast(isBanner);
    if (banner === undefined) continue;
    refuse(banner);
    hide(banner);
    removed++;
  }
  if (removed === 0 && !wasRefused) return 0;
  for (const element of covering) {
    const isVeil = covers(element) && textOf(element) === '' && element.querySelector('img,video,canvas,iframe,svg') === null;
    if (isVeil || (NAMED.test(names(element)) && textOf(element) === '' && element.querySelector('iframe') === null)) hide(element);
  }
  // If nothing of the page is left, the removed part was not a consent dialog.
  if (pageText > 0 && textOf(document.body) === '' && document.body.querySelector('img,video,canvas,svg,iframe') === null) {
    for (const [element, display, priority] of hidden) element.style.setProperty('display', display, priority);
    return 0;
  }
  for (const element of [document.documentElement, document.body]) {
    const { overflowY, position } = getComputedStyle(element);
    if (overflowY === 'hidden' || overflowY === 'clip') element.style.setProperty('overflow', 'visible', 'important');
    if (position === 'fixed') element.style.setProperty('position', 'static', 'important');
  }
  return removed;
})`;
