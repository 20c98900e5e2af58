import { FIELDS_MAX, HEADER_MAX_BYTES } from './limits.ts';

/** One field of a header block. */
export interface HeaderField {
  /** As it is written. */
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

// ftext of RFC 5322 §3.6.8, and the white space that §4.5 allowed before the colon.
const NAME = /[!-9;-~]+(?=[ \t]*:)/y;
/** What mailboxes kept in one file write above each message. */
const MBOX_LINE = /^>?From /;

const [TAB, CR, SPACE, DASH] = [9, 13, 32, 45];

/**
 * Reads a header block (RFC 5322 §2.2) of a text with one character for each byte, from `start`. It ends with an empty line, or before a line that is no field, as
 * with Postfix and Python; `isDelimiter` tells such lines too where they look like fields. Linear.
 */
export function readHeader(
  text: string,
  start: number,
  fieldsMax: number,
  isDelimiter: (start: number, end: number) => boolean,
): HeaderBlock {
  const fields: HeaderField[] = [];
  let cut = false;
  let at = start;
  let open: { name: string; from: number; to: number } | undefined;
  const close = () => {
    if (open) fields.push({ name: open.name, key: open.name.toLowerCase(), raw: text.slice(open.from, open.to) });
    open = undefined;
  };
  while (at < text.length) {
    const feed = text.indexOf('\n', at);
    const next = feed < 0 ? text.length : feed + 1;
    const last = feed < 0 ? text.length : feed;
    const end = last > at && text.charCodeAt(last - 1) === CR ? last - 1 : last;
    if (end === at) {
      at = next;
      break;
    }
    const first = text.charCodeAt(at);
    const full = fields.length >= Math.min(FIELDS_MAX, fieldsMax) || end - start > HEADER_MAX_BYTES;
    if (first === SPACE || first === TAB) {
      if (open && !full) open.to = end;
      cut ||= full;
    } else {
      close();
      if (first === DASH && isDelimiter(at, last)) break;
      NAME.lastIndex = at;
      const name = NAME.exec(text)?.[0];
      if (name === undefined && !(MBOX_LINE.test(text.slice(at, at + 6)) && fields.length === 0)) break;
      cut ||= full;
      if (name !== undefined && !full) open = { name, from: text.indexOf(':', at + name.length) + 1, to: end };
    }
    at = next;
  }
  close();
  return { fields, end: at, cut };
}
