import { setImmediate } from 'node:timers/promises';

/** The most characters of a printed report: a million tokens. */
const MAX_CHARS = 4_000_000;
const SLICE_CHARS = 64 * 1024;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** JSON whose strings have no letters that are not seen: the same value, escaped. */
export const escaped = (json: string): string => json.replaceAll(UNSEEN, escapesOf);

function escapesOf(letter: string): string {
  let escapes = '';
  for (let i = 0; i < letter.length; i++) escapes += `\\u${letter.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return escapes;
}

/** The same of a long text, slice by slice: 4 MB of such letters would hold a gateway up for a second. Undefined if it becomes too long. */
export async function printed(json: string): Promise<Buffer | undefined> {
  const slices: Buffer[] = [];
  let chars = 0;
  for (let from = 0; from < json.length;) {
    let end = Math.min(json.length, from + SLICE_CHARS);
    if (isHighSurrogate(json.charCodeAt(end - 1))) end++;
    const slice = escaped(json.slice(from, end));
    chars += slice.length;
    if (chars > MAX_CHARS) return undefined;
    slices.push(Buffer.from(slice));
    from = end;
    if (from < json.length) await setImmediate(); // others have their turn
  }
  return Buffer.concat(slices);
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
