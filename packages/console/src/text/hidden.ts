/** A piece of a stranger's text: shown as it is, or, where it is invisible or moves its neighbours, as the name of its code point. */
export interface TextPart {
  text: string;
  isHidden: boolean;
}

/**
 * Controls but tab and line feed, soft hyphens, joiners, marks of direction, isolates, fillers, variation selectors past the first sixteen and tags: they show
 * nothing, or reorder what stands beside them.
 */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** A text in parts, in linear time; most texts are one part. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const { 0: hidden, index } of text.matchAll(HIDDEN)) {
    if (index > at) parts.push({ text: text.slice(at, index), isHidden: false });
    parts.push({ text: `U+${hidden.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`, isHidden: true });
    at = index + hidden.length;
  }
  if (at < text.length || parts.length === 0) parts.push({ text: text.slice(at), isHidden: false });
  return parts;
}

/** The text where only plain text can stand, such as in a choice: invisible characters are named in it. */
export const visible = (text: string): string =>
  partsOf(text)
    .map((part) => part.text)
    .join('');
