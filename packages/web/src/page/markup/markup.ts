const TEXT_MAX_CHARS = 1_000;

/** Whitespace collapsed, controls gone, cut to `max` characters. */
export const clean = (text: string, max = TEXT_MAX_CHARS): string =>
  text
    .slice(0, max * 2)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, max);

/** The words of a text, split at white space. */
export const wordsOf = (text: string | undefined): string[] => (text ?? '').split(/\s+/).filter((word) => word !== '');

/** Whether an element hides what is in it, whatever style sheets say. */
export const isHidden = (attributes: Readonly<Record<string, string>>): boolean =>
  attributes['hidden'] !== undefined || /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes['style'] ?? '');

/** The names of a `meta` element: pages mix up `name` and `property`. */
export const metaNames = (attributes: Readonly<Record<string, string>>): string[] =>
  [attributes['name'], attributes['property']].flatMap((name) => (name === undefined ? [] : [name.trim().toLowerCase()]));

/** Elements that stand on lines of their own, and `br`. */
export const BREAKS = new Set(
  'address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre search section summary table tbody tfoot thead title tr ul'.split(
    ' ',
  ),
);
