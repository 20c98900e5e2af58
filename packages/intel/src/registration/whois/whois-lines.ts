/** One `key: value` of a WHOIS answer, wherever its format has the key. */
export interface Entry {
  /** The key in lower case, without the dots and brackets around it. */
  key: string;
  value: string;
  /** The heading that it stands below, in lower case; empty for none. */
  section: string;
  /** The index of its block; empty lines separate blocks. */
  block: number;
}

const LINES_MAX = 5_000;
const COMMENT = /^\s*[%#>]/;
/** Some have their headings in comments (.ua). */
const COMMENT_HEADING = /^% ?([A-Za-z][A-Za-z ]{2,40}):\s*$/;
/** .tw and .gg have sentences. */
const SENTENCE = /^\s*(record (?:created|expires)|registered) on (\S.{0,40}?)(?: at .*| \(.*)?$/i;
const BRACKETED = /^\s*(?:[a-z]\.? )?\[([^\]]{1,60})\]\s*(.*)$/; // .jp, .my
/** The colon ends the key where something else than an address or a URL follows. */
const KEYED = /^(\s*)(?:\*\* )?([\p{L}][^:[\]]{0,60}?)[ .\t]*:(?:\s+(.*)|)$/u;
/** A key without a space behind its colon, or with dots in its place (.tn). */
const KEYED_TIGHT = /^(\s*)([A-Za-z][A-Za-z ()/-]{1,40})\.{0,40}:(?!\/\/)\.{0,40}([^.\s].*)$/;
/** Columns in place of a colon (.ch, .sk before 2017). */
const KEYED_COLUMN = /^([A-Za-z][A-Za-z_-]{1,30}(?: [a-z]{1,20}){0,3})(?:\t{1,9}| {3,40})([^:\s].*)$/;
/** A name without a colon or anything else behind it (.kg). */
const NAMED = /^\s*(Domain) ([A-Za-z\d-]{1,63}(?:\.[A-Za-z\d-]{1,63}){1,8})\s*$/;
const HEADING = /^(?:\*\* )?[\p{L}][\p{L} ()/-]{0,40}$/u;

/**
 * Reads what all formats have in common: `key: value`, `[key] value`, values on lines of their own below their key, and keys below a
 * heading. A heading ends with its part, unless nothing stood below it yet.
 */
export function entriesOf(text: string): Entry[] {
  const entries: Entry[] = [];
  let section = '';
  let sectionUsed = true;
  /** How far its keys have to be indented; none where they stand below a line of their own, without a value to come. */
  let sectionIndent = -1;
  let block = 0;
  let pending = '';
  /** Whether nothing stood in this part yet: what stands there alone is the heading of all of it (.ee). */
  let isFirst = true;
  const add = (key: string, value: string, within: string) => {
    entries.push({ key: keyOf(key), value: value.trim(), section: within, block });
    sectionUsed = true;
  };
  const head = (heading: string, indent = -1) => {
    section = keyOf(heading);
    sectionUsed = false;
    sectionIndent = indent;
  };
  for (const line of text.split('\n', LINES_MAX)) {
    if (line.trim() === '') {
      block++;
      isFirst = true;
      if (!sectionUsed) continue;
      pending = '';
      section = '';
      continue;
    }
    if (COMMENT.test(line)) {
      const [, heading] = COMMENT_HEADING.exec(line) ?? [];
      if (heading !== undefined) head(heading);
      continue;
    }
    const sentence = SENTENCE.exec(line);
    if (sentence) {
      add(sentence[1]!, sentence[2]!, '');
      continue;
    }
    const bracketed = BRACKETED.exec(line);
    if (bracketed) {
      pending = bracketed[1]!;
      add(pending, bracketed[2]!, '');
      continue;
    }
    const plain = NAMED.exec(line) ?? KEYED_COLUMN.exec(line);
    if (plain) {
      if (sectionIndent >= 0) section = '';
      pending = plain[1]!;
      add(pending, plain[2]!, section);
      isFirst = false;
      continue;
    }
    const keyed = KEYED.exec(line) ?? KEYED_TIGHT.exec(line);
    if (keyed) {
      const [, indent = '', key = '', value = ''] = keyed;
      if (indent.length <= sectionIndent) section = '';
      if (value.trim() === '') head(key, line.startsWith('**') || isFirst ? -1 : indent.length);
      pending = key;
      if (value.trim() !== '') add(key, value, section);
    } else if (pending !== '' && (/^\s/.test(line) || !sectionUsed || keyOf(pending) === section)) {
      add(pending, line, section === keyOf(pending) ? '' : section);
    } else if (HEADING.test(line.trim())) {
      head(line.trim());
      pending = line.trim();
    }
    isFirst = false;
  }
  return entries;
}

const keyOf = (key: string): string =>
  key
    .toLowerCase()
    .replace(/^\*\* /, '')
    .replace(/^.* \/ /, '') // .pt has both languages in one key
    .replace(/\(dd\/mm\/yyyy\)$/, '')
    .replace(/[.\s]+$/, '')
    .replace(/\s+/g, ' ')
    .trim();
