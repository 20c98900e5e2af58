import type { RenderJob } from '@vedette/contract';

/**
 * What printing adds to the page's own styles. The paper is the job's, whatever `@page` says; its margin only where the job has one, since a document may
 * bring its own. Backgrounds are all printed or none: by default Chromium leaves it to each element.
 */
export const printStyle = ({ margin, show_background, one_page }: RenderJob<'pdf'>): string =>
  [
    `@page { size: auto !important; ${margin > 0 || one_page ? `margin: ${margin}px !important;` : ''} }`,
    `*, *::before, *::after { print-color-adjust: ${show_background ? 'exact' : 'economy'} !important;`,
    // A page that asks for a new sheet would never be on one.
    one_page ? 'break-before: auto !important; break-after: auto !important; break-inside: auto !important; page: auto !important; }' : '}',
  ].join('\n');

/** What is to be printed. */
export interface PageSize {
  elements: number;
  /** It may fetch more when somebody scrolls: it has pictures or frames that wait for that, or scripts. */
  waits: boolean;
}

/** Adds a style sheet past the page's Content-Security-Policy, which may forbid `style` elements. Its value is a `PageSize`. */
export const addingStyle = (css: string): string => `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(${JSON.stringify(css)});
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const waits = document.querySelector('[loading=lazy], script:not([type]), script[type=""], script[type*=javascript i], script[type=module i]');
  return { elements: document.getElementsByTagName('*').length, waits: waits !== null };
})()`;

/** How high the whole document is at the window's width. */
export const HEIGHT = `Math.ceil(Math.max(document.documentElement?.scrollHeight ?? 0, document.body?.scrollHeight ?? 0))`;

const ELEMENTS_MAX = 20_000;

/** Keeps how high the elements are in this window, to be compared in another one. */
export const KEEP_HEIGHTS = `(() => {
  const kept = [];
  for (const element of document.getElementsByTagName('*')) {
    if (kept.length >= ${ELEMENTS_MAX}) break;
    const { height, minHeight, maxHeight } = getComputedStyle(element);
    kept.push({ element, height, minHeight, maxHeight });
  }
  globalThis.vedetteHeights = kept;
  return kept.length;
})()`;

/**
 * Takes from the page what keeps it from one sheet. Elements whose height follows the window's get the height that they had in the window before: printed on a
 * page as high as the document, an element of `100vh` would be as high as all of it, and the rest would come after it. And elements that want a new sheet
 * louder than our style says otherwise no longer do.
 */
export const FLATTEN = `(() => {
  const changed = [], breaking = [];
  for (const before of globalThis.vedetteHeights ?? []) {
    const now = getComputedStyle(before.element);
    if (['height', 'minHeight', 'maxHeight'].some((name) => now[name] !== before[name])) changed.push(before);
    if (now.breakBefore !== 'auto' || now.breakAfter !== 'auto') breaking.push(before.element);
  }
  for (const { element, height, minHeight, maxHeight } of changed) {
    if (height.endsWith('px')) element.style?.setProperty('height', height, 'important');
    if (minHeight.endsWith('px')) element.style?.setProperty('min-height', minHeight, 'important');
    if (maxHeight.endsWith('px')) element.style?.setProperty('max-height', maxHeight, 'important');
  }
  for (const { style } of breaking)
    for (const property of ['break-before', 'break-after']) style?.setProperty(property, 'auto', 'important');
  globalThis.vedetteHeights = undefined;
  return changed.length + breaking.length;
})()`;
