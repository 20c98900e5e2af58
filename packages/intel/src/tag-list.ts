/** A `name=value` of a tag-list, white space around both removed. Names are case-sensitive. */
export interface Tag {
  name: string;
  value: string;
}

/** A tag-list (RFC 6376 §3.2), as DKIM, DMARC and BIMI records are written. */
export interface TagList {
  tags: readonly Tag[];
  /** Parts that are not `name=value`, or hold characters that no value may have. */
  malformed: readonly string[];
  /** Names that stand more than once, which makes the whole list invalid. */
  duplicates: readonly string[];
}

const TAG = /^(?<name>[a-z][a-z0-9_]*)[ \t\r\n]*=(?<value>[\t\r\n\x20-\x3a\x3c-\x7e]*)$/i;

/** No standard has more than 14 tags; a record of 64 KB could hold 64,000, and a search for selectors reads hundreds of records. */
const PARTS_MAX = 100;

/** Parses a tag-list. One semicolon may end it; what is wrong is listed, the rest is kept, of too many parts the first. */
export function parseTagList(text: string): TagList {
  const parts = text.split(';', PARTS_MAX + 1).map((part) => part.trim());
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
    tags.push({ name, value: value.trim() });
  }
  return { tags, malformed, duplicates: [...duplicates] };
}

/** The value of a tag, undefined where it is absent. Of duplicates, the first. */
export const tagValue = ({ tags }: TagList, name: string): string | undefined => tags.find((tag) => tag.name === name)?.value;

/** The items of a colon-separated value, white space around them removed. */
export const colonItems = (value: string): string[] => value.split(':').map((item) => item.trim());
