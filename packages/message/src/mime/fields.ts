import { FIELDS_MAX, HEADER_MAX_BYTES } from './limits.ts';

/** One field of a header block. */
export interface HeaderField {
  /** The name as it is written. */
  name: string;
  /** The name in lower case. */
  key: string;
  /** Everything behind the colon with its folds, one character for each byte. */
  raw: string;
}

export interface HeaderBlock {
  fields: HeaderField[];
  /** Where the body begins, or the line that is neither a field nor empty. */
  end: number;
  /** It has more than is read. */
  cut: boolean;
}

// ftext of RFC 5322 §3.6.8, and the white space before the colon that §4.5 allowed.
const NAME = /^([!-9;-~]+)[ \t]*$/;

const [TAB, CR, SPACE, DASH] = [9, 13, 32, 45];

/**
 * Reads a header block (RFC 5322 §2.2) of a text with one character for each byte, from `start`. It ends with an empty line, or before a
 * line that is not a field, as with Postfix and Python; `isDelimiter` knows lines that end it though they look like fields. At most
 * `fieldsMax` are kept. Linear.
 */
export function readHeader(
  text: string,
  start: number,
  fieldsMax: number,
  isDelimiter: (start: number, end: number) => boolean,
): HeaderBlock {
  const fields: HeaderField[] = [];
  const most = Math.min(FIELDS_MAX, fieldsMax);
  const limit = start + HEADER_MAX_BYTES;
  let cut = false;
  let open: { name: string; from: number; to: number } | undefined;
  const close = () => {
    if (open) fields.push({ name: open.name, key: open.name.toLowerCase(), raw: text.slice(open.from, open.to) });
    open = undefined;
  };
  let at = start;
  for (let next = at; at < text.length; at = next) {
    const feed = text.indexOf('\n', at);
    const last = feed < 0 ? text.length : feed;
    next = feed < 0 ? last : feed + 1;
    const end = last > at && text.charCodeAt(last - 1) === CR ? last - 1 : last;
    if (end === at) {
      at = next;
      break;
    }
    const first = text.charCodeAt(at);
    if (first === SPACE || first === TAB) {
      cut ||= end > limit;
      if (open) open.to = Math.max(open.to, Math.min(end, limit));
      continue;
    }
    close();
    if (first === DASH && isDelimiter(at, last)) break;
    const full = fields.length >= most || at >= limit;
    cut ||= full || end > limit;
    if (full) continue;
    const line = text.slice(at, end);
    const colon = line.indexOf(':');
    const name = colon < 0 ? undefined : NAME.exec(line.slice(0, colon))?.[1];
    if (name === undefined && !isMboxLine(line, at === start)) break;
    if (name !== undefined) open = { name, from: at + colon + 1, to: Math.min(end, limit) };
  }
  close();
  return { fields, end: at, cut };
}

/** The line above each message in an mbox file. */
const isMboxLine = (line: string, isFirst: boolean): boolean => isFirst && /^>?From /.test(line);
