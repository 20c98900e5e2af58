import type { RenderJob } from '@vedette/contract';
import { PIN_HEIGHTS } from '../page/heights.ts';

/**
 * The styles that printing adds to the page's own. The paper is the job's, whatever `@page` says; its margin only where the job has one,
 * since a document may bring its own. Backgrounds are all printed or none: by default Chromium leaves it to each element.
 */
export const printStyle = ({ margin, show_background, one_page }: RenderJob<'pdf'>): string =>
  [
    `@page { size: auto !important; ${margin > 0 || one_page ? `margin: ${margin}px !important;` : ''} }`,
    `*, *::before, *::after { print-color-adjust: ${show_background ? 'exact' : 'economy'} !important;`,
    // A page that asks for a new sheet would never be on one.
    one_page ? 'break-before: auto !important; break-after: auto !important; break-inside: auto !important; page: auto !important; }' : '}',
  ].join('\n');

/** The print request. */
export interface PageSize {
  elements: number;
  /** It may fetch more when it is scrolled: it has pictures or frames that wait for that, or scripts. */
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

/**
 * Takes from the page what keeps it from one sheet: what is as high as the window is as high as it was when heights were kept, and elements that want a
 * new sheet louder than our style says otherwise no longer do.
 */
export const FLATTEN = `(() => {
  const breaking = [];
  for (const { element } of globalThis.vedetteHeights ?? []) {
    const { breakBefore, breakAfter } = getComputedStyle(element);
    if (breakBefore !== 'auto' || breakAfter !== 'auto') breaking.push(element);
  }
  for (const { style } of breaking)
    for (const property of ['break-before', 'break-after']) style?.setProperty(property, 'auto', 'important');
  ${PIN_HEIGHTS}(document);
})()`;
