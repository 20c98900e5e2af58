import { shown } from './findings/index.ts';

/** A `name=value` of a tag-list, white space around both removed. Names are case-sensitive. Of values, see `strayCharacter`. */
export interface Tag {
  name: string;
  value: string;
}

/** A tag-list (RFC 6376 §3.2), as DKIM, DMARC and BIMI records are written. */
export interface TagList {
  tags: readonly Tag[];
  /** Parts that are not `name=value`. */
  malformed: readonly string[];
  /** Names that stand more than once, which makes the whole list invalid. */
  duplicates: readonly string[];
}

// A value with a character that it may not have is still a value: its tag is there, and the judge says what is wrong with it.
const TAG = /^(?<name>[a-z][a-z0-9_]*)[ \t\r\n]*=(?<value>[^;]*)$/i;

/** No standard has more than 14 tags; a record of 64 KB could hold 64,000, and a search for selectors reads hundreds of records. */
const PARTS_MAX = 100;

/** Parses a tag-list. One semicolon may end it; what is wrong is listed, the rest is kept, of too many parts the first. */
export function parseTagList(text: string): TagList {
  const parts = text.split(';', PARTS_MAX + 1).map(trimFolding);
  const tags: Tag[] = [];
  const malformed: string[] = [];
  if (parts.length > PARTS_MAX) malformed.push(`more than ${PARTS_MAX} parts`);
  if (parts.length > PARTS_MAX || parts.at(-1) === '') parts.pop();
  const names = new Set<string>();
  const duplicates = new Set<string>();
  for (const part of parts) {
    const { name, value } = TAG.exec(part)?.groups ?? {};
    if (name === undefined || value === undefined) {
      malformed.push(part);
      continue;
    }
    if (names.has(name)) duplicates.add(name);
    names.add(name);
    tags.push({ name, value: trimFolding(value) });
  }
  return { tags, malformed, duplicates: [...duplicates] };
}

/** The value of a tag, undefined where it is absent. Of duplicates, the first. */
export const tagValue = ({ tags }: TagList, name: string): string | undefined => tags.find((tag) => tag.name === name)?.value;

/** The items of a colon-separated value, white space around them removed. */
export const colonItems = (value: string): string[] => value.split(':').map(trimFolding);

/** Removes folding white space around a text: that of `String.trim` and no-break spaces are part of it (RFC 6376 §2.8). */
export function trimFolding(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isFolding(text, start)) start++;
  while (end > start && isFolding(text, end - 1)) end--;
  return text.slice(start, end);
}

const isFolding = (text: string, at: number): boolean => ' \t\r\n'.includes(text.charAt(at));

/**
 * The first character that no tag-list may hold (RFC 6376 §3.2), as `U+00A0`; empty when there is none. It looks like another
 * one, or like nothing, so a message has to name it.
 */
export function strayCharacter(text: string): string {
  const found = /[^\t\r\n\x20-\x7e]/u.exec(text)?.[0].codePointAt(0);
  return found === undefined ? '' : `U+${found.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A stranger's value or part for a message: cut short, and what is stray in it named. */
export function quoted(text: string): string {
  const stray = strayCharacter(text);
  return stray === '' ? `"${shown(text)}"` : `"${shown(text)}" (${stray} is not a plain ASCII character)`;
}

/** The text without its stray characters: what its author may have meant. */
export const withoutStray = (text: string): string => text.replace(/[^\t\r\n\x20-\x7e]/gu, '');
