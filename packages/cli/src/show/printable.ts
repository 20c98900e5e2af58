/** Controls, marks that turn the direction of text, and letters without width: a TXT record or a banner may hold an escape sequence. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u;
const MARK = /\p{M}/u;

/** A stranger's text for a terminal, on one line. */
export const printable = (text: string): string => text.replaceAll(/[\t\r\n]+/g, ' ').replaceAll(UNSEEN, '');

/** JSON whose strings cannot steer a terminal: the same value, escaped. Without indentation it is one line. */
export function printableJson(value: unknown, indentation = 2): string {
  const text = JSON.stringify(value, null, indentation);
  return text.replaceAll(UNSEEN, (letter) =>
    letter === '\n' ? letter : letter.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** Columns of a terminal that a printable text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const letter of text) width += MARK.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1;
  return width;
}

/** The text in at most this many columns; `…` stands for the rest. */
export function cut(text: string, columns: number): string {
  if (text.length <= columns && widthOf(text) <= columns) return text;
  let width = 0;
  let kept = '';
  for (const letter of text) {
    width += widthOf(letter);
    if (width > columns - 1) break;
    kept += letter;
  }
  return columns < 1 ? '' : `${kept}…`;
}

/** The text with spaces behind it, or before it where it is a number. */
export function pad(text: string, columns: number, isNumber: boolean): string {
  const spaces = ' '.repeat(Math.max(0, columns - widthOf(text)));
  return isNumber ? spaces + text : text + spaces;
}
