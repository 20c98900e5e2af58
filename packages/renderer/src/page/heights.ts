/** The most elements that are measured. */
const ELEMENTS_MAX = 20_000;

/** Code for a page: keeps how high its elements are in this window, to be compared in another one. */
export const KEEP_HEIGHTS = `(() => {
  const kept = [];
  for (const element of document.getElementsByTagName('*')) {
    if (kept.length >= ${ELEMENTS_MAX}) break;
    const { height, minHeight, maxHeight, paddingTop, paddingBottom } = getComputedStyle(element);
    kept.push({ element, before: { height, 'min-height': minHeight, 'max-height': maxHeight, 'padding-top': paddingTop, 'padding-bottom': paddingBottom } });
  }
  globalThis.vedetteHeights = kept;
})()`;

/**
 * Code for a page, a function of an element: everything within it whose height follows the window's gets the height that it had when heights were
 * kept. In a window as high as the document an element of `100vh` would be as high as all of it, and the rest would come after it.
 */
export const PIN_HEIGHTS = `((root) => {
  const changed = [];
  for (const { element, before } of globalThis.vedetteHeights ?? []) {
    if (element === root || !root.contains(element)) continue;
    const now = getComputedStyle(element);
    for (const [name, value] of Object.entries(before)) if (now.getPropertyValue(name) !== value && value.endsWith('px')) changed.push([element, name, value]);
  }
  globalThis.vedetteHeights = undefined;
  for (const [element, name, value] of changed) element.style?.setProperty(name, value, 'important');
})`;
