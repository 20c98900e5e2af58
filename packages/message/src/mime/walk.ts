import type { EmlLimit } from '../report/index.ts';
import { readHeader } from './fields.ts';
import { DEPTH_MAX, FIELDS_TOTAL_MAX, NESTED_MESSAGES_MAX, PARTS_MAX } from './limits.ts';
import { isMultipart, MimePart, type Part, type Span } from './part.ts';
import { signedContent } from './signed.ts';
import { uuencodedFiles } from './uuencode.ts';

export interface Mime {
  root: Part;
  /** The limits that the message exceeded. */
  limits: Set<EmlLimit>;
}

/** A byte order mark, a character for each byte. */
const UTF8_MARK = '\xef\xbb\xbf';

/** Reads a message (RFC 5322, MIME), whatever the bytes are. Linear in their number; contents are decoded when they are asked for. Never throws. */
export function readMime(bytes: Uint8Array): Mime {
  const used: Used = { parts: 0, fields: 0, limits: new Set() };
  // Where there is not one line feed, lines end as they did on old Macs.
  const lines = Buffer.from(bytes.includes(LF) ? bytes : bytes.map((byte) => (byte === CR ? LF : byte))).toString('latin1');
  // Editors put a mark before what they save as UTF-8.
  const text = lines.startsWith(UTF8_MARK) ? lines.slice(UTF8_MARK.length) : lines;
  const root = new Walker(text, used, { parts: 0, messages: 0 }).walk('text/plain');
  return { root, limits: used.limits };
}

/** The limits that a message has used up, including its encoded messages. */
interface Used {
  parts: number;
  fields: number;
  limits: Set<EmlLimit>;
}

/** How many parts something is in, and how many messages of them. */
interface Depth {
  parts: number;
  messages: number;
}

/** A part that is being read. */
interface Open {
  part: MimePart;
  /** The one of a multipart; empty of others, and of a multipart that has been closed. */
  boundary: string;
  /** The level that this boundary stood for before: a multipart may have that of the one it is in. */
  hidden: number | undefined;
  messages: number;
}

interface Delimiter {
  /** Where its line begins, the end of the line before it included (RFC 2046 §5.1.1). */
  start: number;
  /** Where the next line begins. */
  next: number;
  level: number;
  closes: boolean;
}

const MESSAGES = new Set(['message/rfc822', 'message/global', 'message/news']);
const SIGNED = new Set(['application/pkcs7-mime', 'application/x-pkcs7-mime']);
const IDENTITY = new Set(['', '7bit', '8bit', 'binary']);
const [LF, CR] = [10, 13];

/** Goes along the lines of a message once; what is encoded in it is gone along by itself. */
class Walker {
  readonly #text: string;
  readonly #used: Used;
  readonly #depth: Depth;
  readonly #open: Open[] = [];
  /** Boundary → its level in `#open`. */
  readonly #levels = new Map<string, number>();

  constructor(text: string, used: Used, depth: Depth) {
    this.#text = text;
    this.#used = used;
    this.#depth = depth;
  }

  walk(usualType: string): MimePart {
    const root = this.#entity(0, usualType);
    let at = root.body;
    for (let delimiter = this.#delimiter(at); delimiter; delimiter = this.#delimiter(at)) {
      this.#end(delimiter.level + 1, delimiter.start);
      const { part } = this.#open[delimiter.level]!;
      at = delimiter.next;
      if (delimiter.closes) this.#closeBoundary(delimiter.level);
      else if (this.#isFull()) break;
      else {
        const child = this.#entity(at, part.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain');
        part.parts.push(child.part);
        at = child.body;
      }
    }
    this.#end(0, this.#text.length);
    return root.part;
  }

  #isFull(): boolean {
    const full = this.#used.parts >= PARTS_MAX;
    if (full) this.#used.limits.add('parts');
    return full;
  }

  /** Reads the header of a part, and of the message that it holds, and so on. */
  #entity(start: number, usualType: string): { part: MimePart; body: number } {
    const outer = this.#header(start, usualType);
    let { part, body } = outer;
    while (MESSAGES.has(part.type) && IDENTITY.has(part.encoding) && this.#mayNest()) {
      const { messages } = this.#open.at(-1)!;
      const inner = this.#header(body, 'text/plain', messages + 1);
      part.message = inner.part;
      ({ part, body } = inner);
    }
    return { part: outer.part, body };
  }

  /** Whether another message may be in the part that is being read. */
  #mayNest(): boolean {
    if (this.#isFull()) return false;
    const may = this.#open.at(-1)!.messages < NESTED_MESSAGES_MAX && this.#depth.parts + this.#open.length < DEPTH_MAX;
    if (!may) this.#used.limits.add('depth');
    return may;
  }

  #header(
    start: number,
    usualType: string,
    messages = this.#open.at(-1)?.messages ?? this.#depth.messages,
  ): { part: MimePart; body: number } {
    const text = this.#text;
    const { fields, end, cut } = readHeader(
      text,
      start,
      FIELDS_TOTAL_MAX - this.#used.fields,
      (from, to) => this.#delimiterAt(from, to) !== undefined,
    );
    if (cut) this.#used.limits.add('header_fields');
    this.#used.fields += fields.length;
    this.#used.parts++;
    const level = this.#open.length;
    const part = new MimePart(fields, this.#depth.parts + level, { text, start: end, end: text.length }, usualType);
    const boundary = isMultipart(part) ? (part.parameters.get('boundary') ?? '').trimEnd() : '';
    const tooDeep = boundary !== '' && part.depth >= DEPTH_MAX;
    if (tooDeep) this.#used.limits.add('depth');
    const opened = tooDeep ? '' : boundary;
    this.#open.push({ part, boundary: opened, hidden: this.#levels.get(opened), messages });
    if (opened !== '') this.#levels.set(opened, level);
    return { part, body: end };
  }

  /** All parts from a level on end where a delimiter stands, or the message does. */
  #end(level: number, end: number): void {
    while (this.#open.length > level) {
      this.#closeBoundary(this.#open.length - 1);
      const { part, messages } = this.#open.pop()!;
      part.span.end = Math.max(part.span.start, end);
      if (part.parts.length > 0 || part.message) continue;
      // As Python has it; what is too deep stays a multipart.
      if (isMultipart(part) && part.depth < DEPTH_MAX) part.type = 'text/plain';
      this.#unpack(part, { parts: part.depth + 1, messages });
    }
  }

  #closeBoundary(level: number): void {
    const open = this.#open[level]!;
    if (open.boundary === '') return;
    if (open.hidden === undefined) this.#levels.delete(open.boundary);
    else this.#levels.set(open.boundary, open.hidden);
    open.boundary = '';
  }

  /** The next line that is a delimiter of an open multipart. */
  #delimiter(from: number): Delimiter | undefined {
    if (this.#levels.size === 0) return undefined;
    for (let at = this.#text.indexOf('\n--', Math.max(0, from - 1)); at >= 0; at = this.#text.indexOf('\n--', at + 1)) {
      const feed = this.#text.indexOf('\n', at + 1);
      const to = feed < 0 ? this.#text.length : feed;
      const found = this.#delimiterAt(at + 1, to);
      if (!found) continue;
      const start = this.#text.charCodeAt(at - 1) === CR ? at - 1 : at;
      return { start, next: feed < 0 ? to : feed + 1, ...found };
    }
    return undefined;
  }

  /**
   * The multipart that the delimiter line belongs to. White space behind it is ignored (RFC 2046 §5.1.1); other characters make it a
   * different delimiter, so that a boundary cannot hide behind its prefix.
   */
  #delimiterAt(start: number, end: number): { level: number; closes: boolean } | undefined {
    if (this.#levels.size === 0 || !this.#text.startsWith('--', start)) return undefined;
    const line = this.#text.slice(start + 2, end).trimEnd();
    const level = this.#levels.get(line);
    if (level !== undefined) return { level, closes: false };
    const closed = line.endsWith('--') ? this.#levels.get(line.slice(0, -2)) : undefined;
    return closed === undefined ? undefined : { level: closed, closes: true };
  }

  /** Takes out what a part without parts holds all the same: a message that is encoded, what S/MIME signs, uuencoded files. */
  #unpack(part: MimePart, depth: Depth): void {
    const isMessage = MESSAGES.has(part.type) && !IDENTITY.has(part.encoding);
    if (isMessage || SIGNED.has(part.type)) {
      const content = isMessage ? part.content() : signedContent(part.content());
      if (!content || this.#isFull()) return;
      if (depth.messages >= NESTED_MESSAGES_MAX || depth.parts >= DEPTH_MAX) {
        this.#used.limits.add('depth');
        return;
      }
      const inner = new Walker(content.toString('latin1'), this.#used, { ...depth, messages: depth.messages + 1 }).walk('text/plain');
      if (isMessage) part.message = inner;
      else part.parts = [inner];
    } else if (part.type === 'text/plain' && part.disposition !== 'attachment' && IDENTITY.has(part.encoding)) this.#takeFiles(part);
  }

  /** Takes out the uuencoded files of a text and adds them as parts beside it, as Outlook shows them. */
  #takeFiles(part: MimePart): void {
    const { text, start, end } = part.span;
    const body = text.slice(start, end);
    const files = uuencodedFiles(body);
    if (files.length === 0) return;
    let rest = '';
    let from = 0;
    for (const file of files) {
      rest += body.slice(from, file.start);
      from = file.end;
    }
    rest += body.slice(from);
    const own = part.fields.filter(({ key }) => key === 'content-type');
    const said = new MimePart(own, part.depth + 1, { text: rest, start: 0, end: rest.length }, 'text/plain');
    said.type = 'text/plain';
    part.type = 'multipart/mixed';
    part.parts = [said, ...files.map(({ name, start, end }) => fileOf(name, part.depth + 1, { text: body, start, end }))];
    this.#used.parts += part.parts.length;
  }
}

function fileOf(name: string, depth: number, span: Span): MimePart {
  const quoted = name.replaceAll(/["\\]/g, String.raw`\$&`);
  const fields = [
    { name: 'Content-Disposition', key: 'content-disposition', raw: ` attachment; filename="${quoted}"` },
    { name: 'Content-Transfer-Encoding', key: 'content-transfer-encoding', raw: ' x-uuencode' },
  ];
  return new MimePart(fields, depth, span, 'application/octet-stream');
}
