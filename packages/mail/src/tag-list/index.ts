import { skeleton } from '@vedette/intel/confusables';
import { listing, shown } from '../findings/index.ts';

/** A `name=value` of a tag-list, white space around both removed. Names are case-sensitive. For values, see `strayCharacter`. */
export interface Tag {
  name: string;
  value: string;
}

/** A tag under the name that its author meant. */
export interface MisnamedTag extends Tag {
  /** The name with what is stray in it. */
  written: string;
}

/** A tag-list (RFC 6376 §3.2), as DKIM, DMARC and BIMI records are written. */
export interface TagList {
  tags: readonly Tag[];
  /** Tags whose names no receiver reads, for a character that is not plain ASCII: the no-break space of a web page, a Cyrillic letter. */
  misnamed: readonly MisnamedTag[];
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
  const misnamed: MisnamedTag[] = [];
  const malformed: string[] = [];
  if (parts.length > PARTS_MAX) malformed.push(`more than ${PARTS_MAX} parts`);
  if (parts.length > PARTS_MAX || parts.at(-1) === '') parts.pop();
  const names = new Set<string>();
  const duplicates = new Set<string>();
  for (const part of parts) {
    const { name, value } = TAG.exec(part)?.groups ?? {};
    if (name === undefined || value === undefined) {
      const meant = misnamedTag(part);
      if (meant) misnamed.push(meant);
      else malformed.push(part);
      continue;
    }
    if (names.has(name)) duplicates.add(name);
    names.add(name);
    tags.push({ name, value: trimFolding(value) });
  }
  return { tags, misnamed, malformed, duplicates: [...duplicates] };
}

/** Real tag names are shorter, but a part may have 64 KB. */
const WRITTEN_MAX = 64;

/** The tag that a part would be with a plain name; undefined where its name is not at fault. */
function misnamedTag(part: string): MisnamedTag | undefined {
  const at = part.indexOf('=');
  const written = trimFolding(part.slice(0, Math.max(at, 0)));
  if (written.length > WRITTEN_MAX || strayCharacter(written) === '') return undefined;
  const { name, value } = TAG.exec(trimFolding(plainText(written)) + part.slice(at))?.groups ?? {};
  return name === undefined || value === undefined ? undefined : { name, value: trimFolding(value), written };
}

/** The intended text: foreign letters become the plain ones that they look like, and other stray characters are dropped. */
export const plainText = (text: string): string => Array.from(text, (char) => (STRAY.test(char) ? lookalike(char) : char)).join('');

/** The plain letter that a foreign one looks like; empty for other characters. */
function lookalike(char: string): string {
  const shape = /\p{L}/u.test(char) ? skeleton(char) : '';
  return /^[a-z]+$/i.test(shape) ? shape : '';
}

/** The defect in the name of a tag, for a message. */
export function misnaming({ name, written }: MisnamedTag): string {
  const isBesides = trimFolding(withoutStray(written)) === name;
  const where = isBesides && written.startsWith(name) ? 'after it' : isBesides && written.endsWith(name) ? 'before it' : 'in its name';
  return `${name}= is there, but ${strayCharacter(written)} stands ${where}`;
}

/** The kind of record that a list belongs to. */
export interface TagListUse {
  standard: string;
  /** The reader of the records, as the beginning of a sentence. */
  readers: string;
  known: ReadonlySet<string>;
  /** Known tags whose values are judged elsewhere. */
  judged: ReadonlySet<string>;
}

/** Sentences about the defects of a list in which one fault makes the whole list invalid (RFC 6376 §3.2). `more`: further parts that are wrong. */
export function tagListFaults(list: TagList, { standard, readers, known, judged }: TagListUse, more: readonly string[] = []) {
  const stray = list.tags.filter(({ name, value }) => !judged.has(name) && strayCharacter(value) !== '');
  const malformed = [
    ...list.malformed.map((part) => (part ? quoted(part) : 'an empty tag')),
    ...stray.map(({ name, value }) => quoted(`${name}=${value}`)),
    ...list.duplicates.map((name) => `${name}= more than once`),
    ...more,
  ];
  const unknown = list.tags.map(({ name }) => name).filter((name) => !known.has(name));
  const about = (items: readonly string[], say: (items: string) => string) => (items.length === 0 ? [] : [say(listing(items))]);
  return {
    invalid: [
      ...about(
        list.misnamed.map(misnaming),
        (items) => `${items}. ${readers} do not see such a tag; write its name anew, with plain characters alone`,
      ),
      ...about(malformed, (items) => `A record is a list of name=value, each name once; this is not: ${items}. Correct it`),
    ],
    unknown: about(
      unknown,
      (items) => `${readers} ignore tags that ${standard} does not know: ${items}. Remove them, or write their names in lower case`,
    ),
  };
}

/** The value of a tag, of a misnamed one too: what its author meant, not what receivers read. */
export const meantValue = (list: TagList, name: string): string | undefined =>
  tagValue(list, name) ?? list.misnamed.find((tag) => tag.name === name)?.value;

/** Whether a tag of this name is there that no receiver reads. */
export const isMisnamed = ({ misnamed }: TagList, name: string): boolean => misnamed.some((tag) => tag.name === name);

/** The value of a tag, undefined where it is absent. The first of duplicates. */
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

const STRAY = /[^\t\r\n\x20-\x7e]/u;

/**
 * The first character that a tag-list may not hold (RFC 6376 §3.2), such as `U+00A0`; empty without one. It looks like another one, or like
 * nothing, so a message has to name it.
 */
export function strayCharacter(text: string): string {
  const found = STRAY.exec(text)?.[0].codePointAt(0);
  return found === undefined ? '' : `U+${found.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A stranger's value or part for a message: cut short, and what is stray in it named. */
export function quoted(text: string): string {
  const stray = strayCharacter(text);
  return stray === '' ? `"${shown(text)}"` : `"${shown(text)}" (${stray} is not a plain ASCII character)`;
}

/** The fault of a record that does not begin with its version, such as `DMARC1`: it stands elsewhere, or nowhere as it has to be written. */
export function versionFault(written: string, version: string): { isMisplaced: boolean; sentence: string } {
  if (written === version)
    return {
      isMisplaced: true,
      sentence: `The version has to be the first tag, else receivers ignore the record. Move "v=${version}" to the start`,
    };
  const stray = strayCharacter(written);
  const why = stray === '' ? '' : `: ${stray} in v= is not a plain ASCII character`;
  return {
    isMisplaced: false,
    sentence: `The record does not start with "v=${version}" in exactly this way, so receivers ignore it${why}. Write it there anew`,
  };
}

/** The text without its stray characters: what its author may have meant. */
export const withoutStray = (text: string): string => text.replace(/[^\t\r\n\x20-\x7e]/gu, '');
